import { describe, expect, test } from "vitest";
import { encode, first, type HostContractOptions, type World } from "./world.ts";

/**
 * Requirements on a host itself that do not apply to a narrowed view: that one takes canonical paths itself, so a link in one is
 * judged and not refused, and it ends nothing, because it started nothing.
 */
export function rawHostContract(
  world: World,
  { startsNoPrograms = false, setsNoTraits = false }: HostContractOptions = {},
): void {
  describe("paths that changed after they were judged", () => {
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
      makeLink: (path: string) => world().host.fs.makeLink?.(`${path}-made`, "elsewhere"),
      setMode: (path: string) => world().host.fs.setMode?.(path, 0o600),
      setModified: (path: string) => world().host.fs.setModified?.(path, 0),
      appender: (path: string) => world().host.fs.appender?.(path),
      flush: (path: string) => world().host.fs.flush?.([path]),
      list: (path: string) => first(world().host.fs.list(path.slice(0, path.lastIndexOf("/")))),
    };
    const withheld: readonly string[] = setsNoTraits
      ? ["setMode", "setModified", "appender", "flush"]
      : [];
    const offered = Object.keys(uses).filter((operation) => !withheld.includes(operation));
    test.for(offered.filter(isKeyOf(uses)))(
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

    const atTheEnd = [
      "readFile",
      "readRange",
      "open",
      "writeAtomic",
      "append",
      "setMode",
      "setModified",
      "appender",
      "flush",
    ] as const;
    test.for(atTheEnd.filter((operation) => !withheld.includes(operation)))(
      "%s refuses a file that became a link",
      async (operation) => {
        await world().put("elsewhere", "precious");
        await world().link(world().at("planted"), "elsewhere");

        await expect(uses[operation](world().at("planted"))).rejects.toMatchObject({
          code: "PATH_CHANGED",
        });
        expect(await world().read("elsewhere")).toBe("precious");
      },
    );

    test("remove takes the link away, never what it names", async () => {
      await world().put("elsewhere/file", "precious");
      await world().link(world().at("planted"), "elsewhere");
      await world().host.fs.remove(world().at("planted"), { recursive: true });

      expect(await world().names("")).toEqual(["elsewhere:directory"]);
      expect(await world().read("elsewhere/file")).toBe("precious");
    });
  });

  test.skipIf(startsNoPrograms)("disposing ends what runs", async () => {
    await world().start("a", ["sleep", "30"]);
    const reading = world().finish("a");
    // The reader must be there before the host goes.
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    await world().host[Symbol.asyncDispose]();

    expect((await reading).exit).toMatchObject({ code: null, endedBy: "dispose" });
    expect(await world().host.proc.list()).toEqual([]);
    await expect(world().start("b", ["echo"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
}

function isKeyOf<T extends object>(object: T): (key: string) => key is string & keyof T {
  return (key): key is string & keyof T => key in object;
}
