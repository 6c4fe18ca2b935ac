import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Effect } from "../../core/index.ts";
import { localHost } from "../../host/index.ts";
import type { OverlayMode } from "./overlay-availability.ts";
import { commandOverlays, type CommandOverlays } from "./command-overlays.ts";

const at = temporaryFolder("command-overlays");
const removesHeavy = (): Effect => ({
  kind: "write",
  path: at("work/node_modules"),
  scope: "tree",
  change: "delete",
});

async function withOverlays(
  overlay: OverlayMode,
  act: (overlays: CommandOverlays) => Promise<void>,
): Promise<void> {
  for (const name of ["work/node_modules/a", "data"]) mkdirSync(at(name), { recursive: true });
  await using host = await localHost();
  const overlays = commandOverlays(
    host,
    {
      workspace: at("work"),
      dataDirectory: at("data"),
      boundary: { roots: [at("work")] },
    },
    { overlay },
  );
  await act(overlays);
  await overlays.dispose();
}

test("an overlay names the journal that may still need its files", async ({ skip }) => {
  await withOverlays("undo", async (overlays) => {
    const missing = await overlays.missing();
    if (missing !== undefined) skip(missing);

    const overlay = await overlays.prepare(undefined);

    const owners = readdirSync(at(""), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith("/owner"))
      .map((name) => readFileSync(at(name), "utf8").split("\n")[1]);
    expect(owners).toContain(at("data"));
    await overlay.drop();
  });
});

test("a program without a sandbox runs on the overlay too", async ({ skip }) => {
  await withOverlays("undo", async (overlays) => {
    const missing = await overlays.missing();
    if (missing !== undefined) skip(missing);
    const overlay = await overlays.prepare(undefined);

    const command = ["/bin/sh", "-c", "echo x > made; cat made"];
    const { argv, env } = await overlay.confinement.wrap(command, { cwd: at("work"), env: {} });
    const [program = "", ...words] = argv;
    const { stdout } = spawnSync(program, words, { cwd: "/", env, encoding: "utf8" });

    expect(stdout).toBe("x\n");
    expect(readdirSync(at("work"))).toEqual(["node_modules"]);
    expect((await overlay.changes()).changes.map(({ path }) => path)).toEqual([at("work/made")]);
    await overlay.drop();
  });
});

test("a failed overlay is an error of this call, and the next one tries again", async ({
  skip,
}) => {
  await withOverlays("undo", async (overlays) => {
    const missing = await overlays.missing();
    if (missing !== undefined) skip(missing);
    rmSync(at("data/overlay"), { recursive: true });
    writeFileSync(at("data/overlay"), "");

    await expect(overlays.prepare(undefined)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      retryable: true,
    });

    const overlay = await overlays.prepare(undefined);
    await overlay.drop();
  });
});

test.each([
  { mode: "undo", isReal: true },
  { mode: "preview", isReal: false },
] as const)(
  "a command that removes a heavy directory runs on the real files: $mode",
  async (given) => {
    await withOverlays(given.mode, async (overlays) => {
      if ((await overlays.missing()) !== undefined) return;

      const reason = await overlays.unavailable([removesHeavy()]);

      const removed = `It removes ${at("work/node_modules")}, which commands change directly.`;
      expect(reason).toBe(given.isReal ? removed : undefined);
    });
  },
);
