import { linkSync, lstatSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StagedChanges } from "../../src/core/index.ts";
import { leaveNothing } from "../support/leftovers.ts";
import { applied, forms, OverlayWorld } from "./overlay-world.ts";

leaveNothing();

let world: OverlayWorld;
const real = (name: string) => path.join(world.root, name);
beforeEach(() => {
  world = new OverlayWorld();
  mkdirSync(real("d"));
  for (const name of ["a", "b"]) writeFileSync(real(name), name);
});
afterEach(async () => world.end());

const told = (staged: StagedChanges) => world.told(staged);

describe.skipIf(!forms.includes("mount"))("an overlay that keeps names together", () => {
  test("tells all names of a file that was written by one of them", async () => {
    linkSync(real("a"), real("d/also a"));
    const overlay = await world.overlay({ form: "mount" });
    const { stdout } = await world.run(overlay, "printf more >> a; cat 'd/also a'; rm b");
    expect(stdout).toBe("amore");
    const staged = await overlay.changes();
    expect(told(staged)).toEqual(["a amore", "b absent", "d/also a amore"]);
    expect(told(await overlay.changes())).toEqual(told(staged));
    const target = world.copy("real", "target");
    applied(staged, { root: world.root, target });
    const numbers = ["a", "d/also a"].map((name) => lstatSync(path.join(target, name)).ino);
    expect(new Set(numbers).size).toBe(1);
  });

  test("names what has other names outside", async () => {
    linkSync(real("a"), world.at("outside"));
    const overlay = await world.overlay({ form: "mount" });
    await world.run(overlay, "printf more >> a");
    const staged = await overlay.changes();
    expect(told(staged)).toEqual(["a amore"]);
    expect(staged.refused.map(({ path: at }) => at)).toEqual([real("a")]);
  });
});

test.skipIf(!forms.includes("user"))(
  "an overlay that does not keep names together says so",
  async () => {
    linkSync(real("a"), real("d/also a"));
    const overlay = await world.overlay({ form: "user" });
    await world.run(overlay, "printf more >> a");
    const staged = await overlay.changes();
    expect(told(staged)).toEqual(["a amore"]);
    expect(staged.refused.map(({ path: at }) => at)).toEqual([real("a")]);
  },
);
