import { describe, expect, test } from "vitest";
import { decode, encode, type World } from "./world.ts";

/** Changing files and directories. */
export function writingContract(world: World): void {
  describe("writing", () => {
    test("a new file appears complete, with no temporary file left", async () => {
      const written = await world().host.fs.writeAtomic(world().at("a.txt"), encode("new"));
      const file = await world().host.fs.readFile(world().at("a.txt"));

      expect(decode(file.bytes)).toBe("new");
      expect(written).toEqual({ ...file.stat, hash: file.hash });
      expect(await world().names("")).toEqual(["a.txt:file"]);
    });

    test("replacing keeps the mode, and a new file takes the one asked for", async () => {
      const { fs } = world().host;
      await fs.writeAtomic(world().at("a.sh"), encode("one"), { mode: 0o750 });
      await fs.writeAtomic(world().at("a.sh"), encode("two"), { mode: 0o600 });

      expect((await fs.stat(world().at("a.sh"))).mode & 0o777).toBe(0o750);
      expect(await world().read("a.sh")).toBe("two");
    });

    test("ifMatch writes over exactly the content it names", async () => {
      const { fs } = world().host;
      const { hash } = await fs.writeAtomic(world().at("a.txt"), encode("one"));
      await fs.writeAtomic(world().at("a.txt"), encode("two"), { ifMatch: hash });

      await expect(
        fs.writeAtomic(world().at("a.txt"), encode("three"), { ifMatch: hash }),
      ).rejects.toMatchObject({ code: "STALE_READ" });
      expect(await world().read("a.txt")).toBe("two");
      expect(await world().names("")).toEqual(["a.txt:file"]);
    });

    test("ifMatch of a file that is gone is STALE_READ and makes none", async () => {
      const { fs } = world().host;
      const { hash } = await fs.writeAtomic(world().at("a.txt"), encode("one"));
      await fs.remove(world().at("a.txt"));

      await expect(
        fs.writeAtomic(world().at("a.txt"), encode("two"), { ifMatch: hash }),
      ).rejects.toMatchObject({ code: "STALE_READ" });
      expect(await world().names("")).toEqual([]);
    });

    test("ifMatch null makes a file only where there is none", async () => {
      const { fs } = world().host;
      await fs.writeAtomic(world().at("a.txt"), encode("one"), { ifMatch: null });

      await expect(
        fs.writeAtomic(world().at("a.txt"), encode("two"), { ifMatch: null }),
      ).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
      expect(await world().read("a.txt")).toBe("one");
      expect(await world().names("")).toEqual(["a.txt:file"]);
    });

    test("of writers that race with one ifMatch, one wins", async () => {
      const { fs } = world().host;
      const { hash } = await fs.writeAtomic(world().at("a.txt"), encode("start"));
      const writers = Array.from({ length: 12 }, (_, index) =>
        fs.writeAtomic(world().at("a.txt"), encode(`writer ${index}`), { ifMatch: hash }),
      );
      const results = await Promise.allSettled(writers);
      const winners = results.flatMap((result, index) =>
        result.status === "fulfilled" ? [index] : [],
      );

      expect(winners).toHaveLength(1);
      expect(await world().read("a.txt")).toBe(`writer ${winners[0]}`);
      expect(await world().names("")).toEqual(["a.txt:file"]);
    });

    test("of writers that race to make a file, one wins", async () => {
      const { fs } = world().host;
      const writers = Array.from({ length: 12 }, (_, index) =>
        fs.writeAtomic(world().at("a.txt"), encode(`writer ${index}`), { ifMatch: null }),
      );
      const results = await Promise.allSettled(writers);

      expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
      expect(await world().names("")).toEqual(["a.txt:file"]);
    });

    test("a reader never sees half a file", async () => {
      const { fs } = world().host;
      const contents = ["a", "b", "c"].map((letter) => letter.repeat(200_000));
      await fs.writeAtomic(world().at("a.txt"), encode(contents[0] ?? ""));
      const writing = (async () => {
        for (const content of [...contents, ...contents]) {
          await fs.writeAtomic(world().at("a.txt"), encode(content));
        }
      })();
      for (let round = 0; round < 20; round += 1) {
        expect(contents).toContain(await world().read("a.txt"));
      }
      await writing;
    });

    const writers = {
      writeAtomic: (path: string) => world().host.fs.writeAtomic(path, encode("x")),
      append: (path: string) => world().host.fs.append(path, encode("x")),
      mkdir: (path: string) => world().host.fs.mkdir(path),
      remove: (path: string) => world().host.fs.remove(path),
      "move onto": (path: string) => world().host.fs.move(world().at("file"), path),
      "move away": (path: string) => world().host.fs.move(path, world().at("new")),
    };
    const cases: readonly {
      readonly operation: keyof typeof writers;
      readonly path: string;
      readonly code: string;
    }[] = [
      { operation: "writeAtomic", path: "missing/below", code: "NOT_FOUND" },
      { operation: "writeAtomic", path: "file/below", code: "NOT_A_DIRECTORY" },
      { operation: "writeAtomic", path: "directory", code: "IS_DIRECTORY" },
      { operation: "writeAtomic", path: "fifo", code: "NOT_A_FILE" },
      { operation: "append", path: "missing/below", code: "NOT_FOUND" },
      { operation: "append", path: "directory", code: "IS_DIRECTORY" },
      { operation: "append", path: "fifo", code: "NOT_A_FILE" },
      { operation: "mkdir", path: "file", code: "ALREADY_EXISTS" },
      { operation: "mkdir", path: "file/below", code: "NOT_A_DIRECTORY" },
      { operation: "remove", path: "missing", code: "NOT_FOUND" },
      { operation: "remove", path: "directory", code: "IS_DIRECTORY" },
      { operation: "move onto", path: "directory", code: "IS_DIRECTORY" },
      { operation: "move onto", path: "missing/below", code: "NOT_FOUND" },
      { operation: "move away", path: "missing", code: "NOT_FOUND" },
    ];
    test.for(cases)("$operation of $path is $code", async ({ operation, path, code }) => {
      await world().put("file", "x");
      await world().host.fs.mkdir(world().at("directory"));
      await world().fifo(world().at("fifo"));

      await expect(writers[operation](world().at(path))).rejects.toMatchObject({ code });
      expect(await world().names("")).toEqual(["directory:directory", "fifo:fifo", "file:file"]);
      expect(await world().read("file")).toBe("x");
    });

    test("what was written stays, whatever the memory it came from is used for", async () => {
      const { fs } = world().host;
      const data = Buffer.from("one");
      await fs.writeAtomic(world().at("a.txt"), data);
      await fs.append(world().at("b.txt"), data);
      data.fill("x");

      expect(await world().read("a.txt")).toBe("one");
      expect(await world().read("b.txt")).toBe("one");
    });

    test("what was added to a file changes its hash", async () => {
      const { fs } = world().host;
      const both = await fs.writeAtomic(world().at("both.txt"), encode("onetwo"));
      const one = await fs.writeAtomic(world().at("a.txt"), encode("one"));
      await fs.readFile(world().at("a.txt"));
      await fs.append(world().at("a.txt"), encode("two"));

      const ifMatch = one.hash;
      await expect(
        fs.writeAtomic(world().at("a.txt"), encode("three"), { ifMatch }),
      ).rejects.toMatchObject({ code: "STALE_READ" });
      expect((await fs.readFile(world().at("a.txt"))).hash).toBe(both.hash);
    });

    test("append makes a file and then adds to its end", async () => {
      const { fs } = world().host;
      await fs.append(world().at("log"), encode("one\n"));
      await fs.append(world().at("log"), encode("two\n"));

      expect(await world().read("log")).toBe("one\ntwo\n");
    });

    test("mkdir makes missing parents and is content with what is there", async () => {
      const { fs } = world().host;
      await fs.mkdir(world().at("a/b/c"));
      await world().put("a/b/file", "x");
      await fs.mkdir(world().at("a/b"));

      expect(await world().names("a/b")).toEqual(["c:directory", "file:file"]);
    });

    test("remove takes a file, or a whole tree when told", async () => {
      const { fs } = world().host;
      await world().put("tree/a/b.txt", "x");
      await world().put("tree/c.txt", "x");
      await world().put("file", "x");
      await fs.remove(world().at("file"));
      await fs.remove(world().at("tree"), { recursive: true });

      expect(await world().names("")).toEqual([]);
    });

    test("removing a tree leaves what its links lead to", async () => {
      await world().put("kept/precious.txt", "x");
      await world().put("tree/a.txt", "x");
      await world().link(world().at("tree/link"), "../kept");
      await world().host.fs.remove(world().at("tree"), { recursive: true });

      expect(await world().names("")).toEqual(["kept:directory"]);
      expect(await world().read("kept/precious.txt")).toBe("x");
    });

    test("move renames a file or a directory and replaces a file", async () => {
      const { fs } = world().host;
      await world().put("one", "1");
      await world().put("two", "2");
      await world().put("directory/x", "x");
      await fs.move(world().at("one"), world().at("two"));
      await fs.move(world().at("directory"), world().at("renamed"));

      expect(await world().names("")).toEqual(["renamed:directory", "two:file"]);
      expect(await world().read("two")).toBe("1");
      expect(await world().read("renamed/x")).toBe("x");
    });

    test("moving something to where it is changes nothing", async () => {
      await world().put("one", "1");
      await world().host.fs.move(world().at("one"), world().at("one"));

      expect(await world().read("one")).toBe("1");
    });

    test("a directory does not go into itself", async () => {
      await world().put("a/x", "x");

      await expect(world().host.fs.move(world().at("a"), world().at("a/b"))).rejects.toMatchObject({
        code: "INVALID_INPUT",
      });
      expect(await world().read("a/x")).toBe("x");
    });
  });
}
