import { describe, expect, test } from "vitest";
import { encode, first, type HostContractOptions, type World } from "./world.ts";

/** Canonical paths, and paths that stopped being canonical. */
export function pathContract(world: World, options: HostContractOptions): void {
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

  describe.skipIf(options.isNarrowed === true)("paths that changed after they were judged", () => {
    const uses = {
      stat: (path: string) => world().host.fs.stat(path),
      readFile: (path: string) => world().host.fs.readFile(path),
      readRange: (path: string) => world().host.fs.readRange(path, { offset: 0, length: 1 }),
      open: (path: string) => first(world().host.fs.open(path)),
      writeAtomic: (path: string) => world().host.fs.writeAtomic(path, encode("pwned")),
      append: (path: string) => world().host.fs.append(path, encode("pwned")),
      remove: (path: string) => world().host.fs.remove(path),
      "move away": (path: string) => world().host.fs.move(path, world().at("stolen")),
      "move onto": (path: string) => world().host.fs.move(world().at("mine"), path),
      mkdir: (path: string) => world().host.fs.mkdir(`${path}/made`),
      list: (path: string) => first(world().host.fs.list(path.slice(0, path.lastIndexOf("/")))),
    };
    test.for(Object.keys(uses).filter(isKeyOf(uses)))(
      "%s refuses a directory that became a link",
      async (operation) => {
        await world().put("elsewhere/file", "precious");
        await world().put("mine", "x");
        await world().link(world().at("planted"), "elsewhere");

        await expect(uses[operation](world().at("planted/file"))).rejects.toMatchObject({
          code: "PATH_CHANGED",
        });
        expect(await world().read("elsewhere/file")).toBe("precious");
        expect(await world().names("elsewhere")).toEqual(["file:file"]);
      },
    );

    const atTheEnd = ["readFile", "readRange", "open", "writeAtomic", "append"] as const;
    test.for(atTheEnd)("%s refuses a file that became a link", async (operation) => {
      await world().put("elsewhere", "precious");
      await world().link(world().at("planted"), "elsewhere");

      await expect(uses[operation](world().at("planted"))).rejects.toMatchObject({
        code: "PATH_CHANGED",
      });
      expect(await world().read("elsewhere")).toBe("precious");
    });

    test("remove takes the link away, never what it names", async () => {
      await world().put("elsewhere/file", "precious");
      await world().link(world().at("planted"), "elsewhere");
      await world().host.fs.remove(world().at("planted"), { recursive: true });

      expect(await world().names("")).toEqual(["elsewhere:directory"]);
      expect(await world().read("elsewhere/file")).toBe("precious");
    });
  });
}

function isKeyOf<T extends object>(object: T): (key: string) => key is string & keyof T {
  return (key): key is string & keyof T => key in object;
}
