import { describe, expect, test } from "vitest";
import type { World } from "./world.ts";

/** Canonical paths. */
export function pathContract(world: World): void {
  describe("canonical", () => {
    test("removes dots and doubled slashes, also where nothing exists", async () => {
      const { fs } = world().host;

      expect(await fs.canonical(`${world().root}//a/./b/../c`)).toBe(world().at("a/c"));
      expect(await fs.canonical("x/y", { base: world().root })).toBe(world().at("x/y"));
      expect(await fs.canonical(`${world().root}/..//`)).not.toMatch(/.\/$/u);
      expect(await fs.canonical("/../..")).toBe("/");
    });

    test("follows links on the way, at the end, and to what does not exist", async () => {
      await world().put("real/file.txt", "x");
      await world().link(world().at("link"), "real");
      await world().link(world().at("direct"), world().at("real/file.txt"));
      await world().link(world().at("dangling"), "nowhere/yet");
      const { fs } = world().host;

      expect(await fs.canonical(world().at("link/file.txt"))).toBe(world().at("real/file.txt"));
      expect(await fs.canonical(world().at("link/new/file"))).toBe(world().at("real/new/file"));
      expect(await fs.canonical(world().at("direct"))).toBe(world().at("real/file.txt"));
      expect(await fs.canonical(world().at("dangling"))).toBe(world().at("nowhere/yet"));
    });

    test("takes .. after following the link before it", async () => {
      await world().put("deep/er/file.txt", "x");
      await world().link(world().at("short"), "deep/er");

      expect(await world().host.fs.canonical(world().at("short/../x"))).toBe(world().at("deep/x"));
    });

    test("links that lead in a circle are LINK_LOOP", async () => {
      await world().link(world().at("one"), "two");
      await world().link(world().at("two"), "one");

      await expect(world().host.fs.canonical(world().at("one/x"))).rejects.toMatchObject({
        code: "LINK_LOOP",
      });
    });

    test.for([
      { path: "", because: "nothing is named" },
      { path: "/a\0b", because: "no system has such a name" },
    ])("refuses an impossible path: $because", async ({ path }) => {
      await expect(world().host.fs.canonical(path, { base: world().root })).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
    });
  });
}
