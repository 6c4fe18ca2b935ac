import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { movingCommands, projects, realCommands, type RealCommand } from "./overlay-commands.ts";
import { applied, environment, forms, listed, OverlayWorld } from "./overlay-world.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { tried } from "../support/law-runs.ts";

leaveNothing();

const isThere = ({ needs }: RealCommand): boolean =>
  needs === undefined ||
  (environment["PATH"] ?? "").split(":").some((at) => existsSync(path.join(at, needs)));

let templates: OverlayWorld;
beforeAll(() => {
  templates = new OverlayWorld();
  for (const [name, script] of Object.entries(projects)) {
    templates.runStraight(`mkdir ${name} && cd ${name} && ${script}`);
  }
});
afterAll(async () => templates.end());

async function inWorld(
  { project, before = ":" }: RealCommand,
  act: (world: OverlayWorld) => Promise<void>,
): Promise<void> {
  const world = new OverlayWorld();
  try {
    if (project !== undefined) {
      world.runStraight(`cp -a ${templates.root}/${project}/. .`);
    }
    expect(world.runStraight(before).code).toBe(0);
    await act(world);
  } finally {
    await world.end();
  }
}

/** A form is enough for all: they differ in nothing that these commands see, and the laws try both. */
const form = forms[0];

describe.skipIf(form === undefined)("a command on an overlay", () => {
  const moving = form === "mount" ? movingCommands : [];
  const present = [...realCommands, ...moving].filter(isThere);
  test.each(tried(present).map((entry) => [entry.command, entry] as const))(
    "%s",
    async (_, entry) => {
      const { command, leaveOut, witness = ":", prints } = entry;
      await inWorld(entry, async (world) => {
        const now = Date.now();
        const options = { now, leaveOut: (name: string) => leaveOut?.test(name) === true };
        const untouched = listed(world.root);
        const overlay = await world.overlay();
        const staged = await world.run(overlay, command);
        expect(listed(world.root)).toEqual(untouched);
        const changes = await overlay.changes();
        const target = world.copy("real", "applied");
        applied(changes, { root: world.root, target });
        const straight = world.runStraight(command);

        expect({ code: staged.code, said: staged.code === 0 ? "" : staged.stderr }).toMatchObject({
          code: straight.code,
        });
        expect(prints === undefined ? staged.stdout : straight.stdout).toBe(straight.stdout);
        expect(listed(target, options)).toEqual(listed(world.root, options));
        expect(changes.refused).toEqual([]);
        expect(world.runStraight(witness, target)).toEqual(world.runStraight(witness));
      });
    },
  );
});

/** Where an ordinary user is given no better overlay, such commands have to run on the real tree. */
describe.skipIf(!forms.includes("user"))("a command on an ordinary user's overlay", () => {
  const moving = movingCommands.slice(0, 1);
  test.each(tried(moving).map((entry) => [entry.command, entry] as const))(
    "which moves a directory of the real tree in one step fails, and says why: %s",
    async (command, entry) => {
      await inWorld(entry, async (world) => {
        const overlay = await world.overlay({ form: "user" });
        const { code, stderr } = await world.run(overlay, command);
        expect(code).not.toBe(0);
        expect(stderr).toMatch(/cross-device link|EXDEV/iu);
      });
    },
  );
});
