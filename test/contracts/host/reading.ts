import { describe, expect, test } from "vitest";
import { ToolError } from "../../../src/core/index.ts";
import { decode, encode, first, type World } from "./world.ts";

/** Looking at files and directories. */
export function readingContract(world: World): void {
  describe("reading", () => {
    test("a file comes with its bytes, its hash and what stat says", async () => {
      await world().put("a.txt", "héllo");
      const file = await world().host.fs.readFile(world().at("a.txt"));
      const stat = await world().host.fs.stat(world().at("a.txt"));

      expect(decode(file.bytes)).toBe("héllo");
      expect(file.hash).toBe(
        "sha256:3c48591d8d098a4538f5e013dfcf406e948eac4d3277b10bf614e295d6068179",
      );
      expect(file.stat).toEqual(stat);
      expect(stat).toMatchObject({ path: world().at("a.txt"), kind: "file", size: 6 });
      expect(stat.mode & 0o600).toBe(0o600);
    });

    test("an empty file has no bytes", async () => {
      await world().put("empty", "");

      expect((await world().host.fs.readFile(world().at("empty"))).bytes).toHaveLength(0);
      expect(
        await world().host.fs.readRange(world().at("empty"), { offset: 0, length: 10 }),
      ).toHaveLength(0);
    });

    test("maxBytes is a limit, not a cut", async () => {
      await world().put("a.txt", "12345");

      expect(
        (await world().host.fs.readFile(world().at("a.txt"), { maxBytes: 5 })).bytes,
      ).toHaveLength(5);
      await expect(
        world().host.fs.readFile(world().at("a.txt"), { maxBytes: 4 }),
      ).rejects.toMatchObject({
        code: "TOO_LARGE",
        data: { size: 5, maxBytes: 4 },
      });
    });

    test("a range is what lies there, shorter at the end", async () => {
      await world().put("a.txt", "0123456789");
      const range = async (offset: number, length: number): Promise<string> =>
        decode(await world().host.fs.readRange(world().at("a.txt"), { offset, length }));

      expect(await range(0, 3)).toBe("012");
      expect(await range(4, 2)).toBe("45");
      expect(await range(8, 100)).toBe("89");
      expect(await range(10, 1)).toBe("");
      expect(await range(99, 1)).toBe("");
    });

    test("open streams from an offset in pieces", async () => {
      const content = "0123456789".repeat(30_000);
      await world().put("big.txt", content);
      let streamed = "";
      let pieces = 0;
      for await (const piece of world().host.fs.open(world().at("big.txt"), { offset: 5 })) {
        streamed += decode(piece);
        pieces += 1;
      }

      expect(streamed).toBe(content.slice(5));
      expect(pieces).toBeGreaterThan(1);
    });

    test("open can be left early", async () => {
      await world().put("big.txt", "x".repeat(300_000));
      for await (const piece of world().host.fs.open(world().at("big.txt"))) {
        expect(piece.length).toBeGreaterThan(0);
        break;
      }
      await world().host.fs.remove(world().at("big.txt"));

      expect(await world().names("")).toEqual([]);
    });

    test("list names every entry and its kind", async () => {
      await world().put("b.txt", "x");
      await world().put("sub/c.txt", "x");
      await world().link(world().at("z"), "b.txt");

      expect(await world().names("")).toEqual(["b.txt:file", "sub:directory", "z:symlink"]);
      expect(await world().names("sub")).toEqual(["c.txt:file"]);
    });

    test("a write changes the version, a read does not", async () => {
      await world().put("a.txt", "one");
      const before = await world().host.fs.stat(world().at("a.txt"));
      const same = await world().host.fs.stat(world().at("a.txt"));
      await world().put("a.txt", "two");
      const second = await world().host.fs.stat(world().at("a.txt"));

      await world().host.fs.append(world().at("a.txt"), encode("three"));
      const third = await world().host.fs.stat(world().at("a.txt"));

      expect(same.version).toBe(before.version);
      expect(third.version).not.toBe(second.version);
      expect(second.version).not.toBe(before.version);
    });

    const readers = {
      stat: (path: string) => world().host.fs.stat(path),
      readFile: (path: string) => world().host.fs.readFile(path),
      readRange: (path: string) => world().host.fs.readRange(path, { offset: 0, length: 1 }),
      open: (path: string) => first(world().host.fs.open(path)),
      list: (path: string) => first(world().host.fs.list(path)),
    };
    const cases: readonly {
      readonly operation: keyof typeof readers;
      readonly path: string;
      readonly code: string;
    }[] = [
      { operation: "stat", path: "missing", code: "NOT_FOUND" },
      { operation: "readFile", path: "missing", code: "NOT_FOUND" },
      { operation: "readRange", path: "missing", code: "NOT_FOUND" },
      { operation: "open", path: "missing", code: "NOT_FOUND" },
      { operation: "list", path: "missing", code: "NOT_FOUND" },
      { operation: "stat", path: "missing/below", code: "NOT_FOUND" },
      { operation: "stat", path: "file/below", code: "NOT_A_DIRECTORY" },
      { operation: "readFile", path: "file/below", code: "NOT_A_DIRECTORY" },
      { operation: "readFile", path: "directory", code: "IS_DIRECTORY" },
      { operation: "readRange", path: "directory", code: "IS_DIRECTORY" },
      { operation: "open", path: "directory", code: "IS_DIRECTORY" },
      { operation: "list", path: "file", code: "NOT_A_DIRECTORY" },
      { operation: "readFile", path: "fifo", code: "NOT_A_FILE" },
      { operation: "readRange", path: "fifo", code: "NOT_A_FILE" },
      { operation: "open", path: "fifo", code: "NOT_A_FILE" },
      { operation: "list", path: "fifo", code: "NOT_A_DIRECTORY" },
    ];
    test.for(cases)("$operation of $path is $code", async ({ operation, path, code }) => {
      await world().put("file", "x");
      await world().host.fs.mkdir(world().at("directory"));
      await world().fifo(world().at("fifo"));

      await expect(readers[operation](world().at(path))).rejects.toMatchObject({ code });
    });

    test("a FIFO is named by stat without being opened", async () => {
      await world().fifo(world().at("fifo"));

      expect(await world().host.fs.stat(world().at("fifo"))).toMatchObject({ kind: "fifo" });
      expect(await world().names("")).toEqual(["fifo:fifo"]);
    });

    test("readLink gives the text of the link, and INVALID_INPUT elsewhere", async () => {
      await world().put("file", "x");
      await world().link(world().at("link"), "file");

      expect(await world().host.fs.readLink(world().at("link"))).toBe("file");
      await expect(world().host.fs.readLink(world().at("file"))).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
      await expect(world().host.fs.readLink(world().at("missing"))).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("an aborted signal stops every operation before it does anything", async () => {
      await world().put("file", "x");
      const signal = AbortSignal.abort();
      const { fs } = world().host;

      const operations = [
        fs.stat(world().at("file"), { signal }),
        fs.readFile(world().at("file"), { signal }),
        fs.readRange(world().at("file"), { offset: 0, length: 1 }, { signal }),
        first(fs.open(world().at("file"), { signal })),
        first(fs.list(world().root, { signal })),
        fs.writeAtomic(world().at("file"), encode("changed"), { signal }),
        fs.append(world().at("file"), encode("changed"), { signal }),
        fs.mkdir(world().at("directory"), { signal }),
        fs.remove(world().at("file"), { signal }),
        fs.move(world().at("file"), world().at("other"), { signal }),
      ];
      for (const operation of operations) {
        await expect(operation).rejects.toMatchObject({ code: "ABORTED" });
      }

      expect(await world().read("file")).toBe("x");
      expect(await world().names("")).toEqual(["file:file"]);
    });

    test("an abort for a reason of ours is reported with that reason", async () => {
      await world().put("file", "x");
      const signal = AbortSignal.abort(new ToolError("TIMEOUT", "Too late."));

      await expect(world().host.fs.stat(world().at("file"), { signal })).rejects.toMatchObject({
        code: "TIMEOUT",
      });
    });
  });
}
