import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ToolError,
  type GlobEvent,
  type GlobQuery,
  type GrepEvent,
  type GrepQuery,
  type Host,
  type ProcessChunk,
  type ProcessExit,
} from "../../src/core/index.ts";
import type { MemoryProgram } from "../../src/host/index.ts";

/** One host to try, and what the interface itself cannot make. */
export interface HostWorld {
  readonly host: Host;
  /** An existing, empty, canonical directory. */
  readonly root: string;
  link(path: string, target: string): Promise<void> | void;
  fifo(path: string): Promise<void> | void;
  dispose?(): Promise<void>;
}

export interface HostContractOptions {
  /** A narrowed host canonicalises paths itself, so a link in a path is not refused but judged. */
  readonly isNarrowed?: boolean;
}

/** Scripted twins of the programs the contract starts, for hosts without real ones. */
export const contractPrograms: Readonly<Record<string, MemoryProgram>> = {
  echo: (argv, io) => {
    io.stdout(`${argv.slice(1).join(" ")}\n`);
    return 0;
  },
  false: () => 1,
  pwd: (_argv, io) => {
    io.stdout(`${io.cwd}\n`);
    return 0;
  },
  printenv: (argv, io) => {
    io.stdout(`${io.env[argv[1] ?? ""] ?? ""}\n`);
    return 0;
  },
  cat: async (_argv, io) => {
    for await (const bytes of io.stdin) io.stdout(bytes);
    return 0;
  },
  sleep: async (_argv, io) => {
    await new Promise<void>((resolve) => {
      io.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    return 0;
  },
  ls: (_argv, io) => {
    io.stderr("ls: no such file\n");
    return 2;
  },
  yes: async (_argv, io) => {
    while (!io.signal.aborted) {
      io.stdout("y\n".repeat(4096));
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    return 0;
  },
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);

/** What every host must do; a new one is accepted when this passes. */
export function hostContract(
  name: string,
  makeWorld: () => Promise<HostWorld>,
  options: HostContractOptions = {},
): void {
  describe(`host contract: ${name}`, () => {
    let world: HostWorld;
    const at = (path: string): string => `${world.root}/${path}`;
    const put = async (path: string, content: string): Promise<void> => {
      const slash = path.lastIndexOf("/");
      if (slash > 0) await world.host.fs.mkdir(at(path.slice(0, slash)));
      await world.host.fs.writeAtomic(at(path), bytes(content));
    };
    const read = async (path: string): Promise<string> =>
      text((await world.host.fs.readFile(at(path))).bytes);
    const names = async (path: string): Promise<string[]> => {
      const found: string[] = [];
      for await (const entry of world.host.fs.list(at(path))) {
        found.push(`${entry.name}:${entry.kind}`);
      }
      return found.toSorted();
    };

    beforeEach(async () => {
      world = await makeWorld();
    });
    afterEach(async () => {
      await (world.dispose?.() ?? world.host[Symbol.asyncDispose]());
    });

    describe("info and clock", () => {
      test("describes itself with canonical absolute paths", async () => {
        const { info, fs, id } = world.host;

        expect(id).not.toBe("");
        expect(await fs.canonical(info.home)).toBe(info.home);
        expect(await fs.canonical(info.temporary)).toBe(info.temporary);
        expect(info.shell.at(0)).toMatch(/^\//u);
      });

      test("an aborted sleep rejects with ABORTED", async () => {
        const stop = new AbortController();
        const sleeping = world.host.clock.sleep(60_000, { signal: stop.signal });
        stop.abort();

        await expect(sleeping).rejects.toMatchObject({ code: "ABORTED" });
        await expect(world.host.clock.sleep(60_000, { signal: stop.signal })).rejects.toMatchObject(
          { code: "ABORTED" },
        );
      });

      test("a cancelled timer does not call back", async () => {
        let calls = 0;
        const cancel = world.host.clock.timer(0, () => {
          calls += 1;
        });
        cancel();
        await new Promise((resolve) => {
          setTimeout(resolve, 5);
        });

        expect(calls).toBe(0);
        expect(world.host.clock.now()).toBeGreaterThan(1_700_000_000_000);
      });
    });

    describe("canonical", () => {
      test("removes dots and doubled slashes, also where nothing exists", async () => {
        const { fs } = world.host;

        expect(await fs.canonical(`${world.root}//a/./b/../c`)).toBe(at("a/c"));
        expect(await fs.canonical("x/y", { base: world.root })).toBe(at("x/y"));
        expect(await fs.canonical(`${world.root}/..//`)).not.toMatch(/.\/$/u);
        expect(await fs.canonical("/../..")).toBe("/");
      });

      test("follows links on the way, at the end, and to what does not exist", async () => {
        await put("real/file.txt", "x");
        await world.link(at("link"), "real");
        await world.link(at("direct"), at("real/file.txt"));
        await world.link(at("dangling"), "nowhere/yet");
        const { fs } = world.host;

        expect(await fs.canonical(at("link/file.txt"))).toBe(at("real/file.txt"));
        expect(await fs.canonical(at("link/new/file"))).toBe(at("real/new/file"));
        expect(await fs.canonical(at("direct"))).toBe(at("real/file.txt"));
        expect(await fs.canonical(at("dangling"))).toBe(at("nowhere/yet"));
      });

      test("takes .. after following the link before it", async () => {
        await put("deep/er/file.txt", "x");
        await world.link(at("short"), "deep/er");

        expect(await world.host.fs.canonical(at("short/../x"))).toBe(at("deep/x"));
      });

      test("links that lead in a circle are LINK_LOOP", async () => {
        await world.link(at("one"), "two");
        await world.link(at("two"), "one");

        await expect(world.host.fs.canonical(at("one/x"))).rejects.toMatchObject({
          code: "LINK_LOOP",
        });
      });

      test.for([
        { path: "", because: "nothing is named" },
        { path: "/a\0b", because: "no system has such a name" },
      ])("refuses an impossible path: $because", async ({ path }) => {
        await expect(world.host.fs.canonical(path, { base: world.root })).rejects.toMatchObject({
          code: "INVALID_INPUT",
        });
      });
    });

    describe("reading", () => {
      test("a file comes with its bytes, its hash and what stat says", async () => {
        await put("a.txt", "héllo");
        const file = await world.host.fs.readFile(at("a.txt"));
        const stat = await world.host.fs.stat(at("a.txt"));

        expect(text(file.bytes)).toBe("héllo");
        expect(file.hash).toBe(
          "sha256:3c48591d8d098a4538f5e013dfcf406e948eac4d3277b10bf614e295d6068179",
        );
        expect(file.stat).toEqual(stat);
        expect(stat).toMatchObject({ path: at("a.txt"), kind: "file", size: 6 });
        expect(stat.mode & 0o600).toBe(0o600);
      });

      test("an empty file has no bytes", async () => {
        await put("empty", "");

        expect((await world.host.fs.readFile(at("empty"))).bytes).toHaveLength(0);
        expect(await world.host.fs.readRange(at("empty"), { offset: 0, length: 10 })).toHaveLength(
          0,
        );
      });

      test("maxBytes is a limit, not a cut", async () => {
        await put("a.txt", "12345");

        expect((await world.host.fs.readFile(at("a.txt"), { maxBytes: 5 })).bytes).toHaveLength(5);
        await expect(world.host.fs.readFile(at("a.txt"), { maxBytes: 4 })).rejects.toMatchObject({
          code: "TOO_LARGE",
          data: { size: 5, maxBytes: 4 },
        });
      });

      test("a range is what lies there, shorter at the end", async () => {
        await put("a.txt", "0123456789");
        const range = async (offset: number, length: number): Promise<string> =>
          text(await world.host.fs.readRange(at("a.txt"), { offset, length }));

        expect(await range(0, 3)).toBe("012");
        expect(await range(4, 2)).toBe("45");
        expect(await range(8, 100)).toBe("89");
        expect(await range(10, 1)).toBe("");
        expect(await range(99, 1)).toBe("");
      });

      test("open streams from an offset in pieces", async () => {
        const content = "0123456789".repeat(30_000);
        await put("big.txt", content);
        let streamed = "";
        let pieces = 0;
        for await (const piece of world.host.fs.open(at("big.txt"), { offset: 5 })) {
          streamed += text(piece);
          pieces += 1;
        }

        expect(streamed).toBe(content.slice(5));
        expect(pieces).toBeGreaterThan(1);
      });

      test("open can be left early", async () => {
        await put("big.txt", "x".repeat(300_000));
        for await (const piece of world.host.fs.open(at("big.txt"))) {
          expect(piece.length).toBeGreaterThan(0);
          break;
        }
        await world.host.fs.remove(at("big.txt"));

        expect(await names("")).toEqual([]);
      });

      test("list names every entry and its kind", async () => {
        await put("b.txt", "x");
        await put("sub/c.txt", "x");
        await world.link(at("z"), "b.txt");

        expect(await names("")).toEqual(["b.txt:file", "sub:directory", "z:symlink"]);
        expect(await names("sub")).toEqual(["c.txt:file"]);
      });

      test("a write changes the version, a read does not", async () => {
        await put("a.txt", "one");
        const first = await world.host.fs.stat(at("a.txt"));
        const same = await world.host.fs.stat(at("a.txt"));
        await put("a.txt", "two");
        const second = await world.host.fs.stat(at("a.txt"));

        expect(same.version).toBe(first.version);
        expect(second.version).not.toBe(first.version);
      });

      const readers = {
        stat: (path: string) => world.host.fs.stat(path),
        readFile: (path: string) => world.host.fs.readFile(path),
        readRange: (path: string) => world.host.fs.readRange(path, { offset: 0, length: 1 }),
        open: (path: string) => first(world.host.fs.open(path)),
        list: (path: string) => first(world.host.fs.list(path)),
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
        await put("file", "x");
        await world.host.fs.mkdir(at("directory"));
        await world.fifo(at("fifo"));

        await expect(readers[operation](at(path))).rejects.toMatchObject({ code });
      });

      test("a FIFO is named by stat without being opened", async () => {
        await world.fifo(at("fifo"));

        expect(await world.host.fs.stat(at("fifo"))).toMatchObject({ kind: "fifo" });
        expect(await names("")).toEqual(["fifo:fifo"]);
      });

      test("readLink gives the text of the link, and INVALID_INPUT elsewhere", async () => {
        await put("file", "x");
        await world.link(at("link"), "file");

        expect(await world.host.fs.readLink(at("link"))).toBe("file");
        await expect(world.host.fs.readLink(at("file"))).rejects.toMatchObject({
          code: "INVALID_INPUT",
        });
        await expect(world.host.fs.readLink(at("missing"))).rejects.toMatchObject({
          code: "NOT_FOUND",
        });
      });

      test("an aborted signal stops every operation before it does anything", async () => {
        await put("file", "x");
        const signal = AbortSignal.abort();
        const { fs } = world.host;

        const operations = [
          fs.stat(at("file"), { signal }),
          fs.readFile(at("file"), { signal }),
          fs.readRange(at("file"), { offset: 0, length: 1 }, { signal }),
          first(fs.open(at("file"), { signal })),
          first(fs.list(world.root, { signal })),
          fs.writeAtomic(at("file"), bytes("changed"), { signal }),
          fs.append(at("file"), bytes("changed"), { signal }),
          fs.mkdir(at("directory"), { signal }),
          fs.remove(at("file"), { signal }),
          fs.move(at("file"), at("other"), { signal }),
        ];
        for (const operation of operations) {
          await expect(operation).rejects.toMatchObject({ code: "ABORTED" });
        }

        expect(await read("file")).toBe("x");
        expect(await names("")).toEqual(["file:file"]);
      });

      test("an abort for a reason of ours is reported with that reason", async () => {
        await put("file", "x");
        const signal = AbortSignal.abort(new ToolError("TIMEOUT", "Too late."));

        await expect(world.host.fs.stat(at("file"), { signal })).rejects.toMatchObject({
          code: "TIMEOUT",
        });
      });
    });

    describe("writing", () => {
      test("a new file appears whole, and nothing beside it", async () => {
        const written = await world.host.fs.writeAtomic(at("a.txt"), bytes("new"));
        const file = await world.host.fs.readFile(at("a.txt"));

        expect(text(file.bytes)).toBe("new");
        expect(written).toEqual({ ...file.stat, hash: file.hash });
        expect(await names("")).toEqual(["a.txt:file"]);
      });

      test("replacing keeps the mode, and a new file takes the one asked for", async () => {
        const { fs } = world.host;
        await fs.writeAtomic(at("a.sh"), bytes("one"), { mode: 0o750 });
        await fs.writeAtomic(at("a.sh"), bytes("two"), { mode: 0o600 });

        expect((await fs.stat(at("a.sh"))).mode & 0o777).toBe(0o750);
        expect(await read("a.sh")).toBe("two");
      });

      test("ifMatch writes over exactly the content it names", async () => {
        const { fs } = world.host;
        const first_ = await fs.writeAtomic(at("a.txt"), bytes("one"));
        await fs.writeAtomic(at("a.txt"), bytes("two"), { ifMatch: first_.hash });

        await expect(
          fs.writeAtomic(at("a.txt"), bytes("three"), { ifMatch: first_.hash }),
        ).rejects.toMatchObject({ code: "STALE_READ" });
        expect(await read("a.txt")).toBe("two");
        expect(await names("")).toEqual(["a.txt:file"]);
      });

      test("ifMatch of a file that is gone is STALE_READ and makes none", async () => {
        const { fs } = world.host;
        const { hash } = await fs.writeAtomic(at("a.txt"), bytes("one"));
        await fs.remove(at("a.txt"));

        await expect(
          fs.writeAtomic(at("a.txt"), bytes("two"), { ifMatch: hash }),
        ).rejects.toMatchObject({ code: "STALE_READ" });
        expect(await names("")).toEqual([]);
      });

      test("ifMatch null makes a file only where there is none", async () => {
        const { fs } = world.host;
        await fs.writeAtomic(at("a.txt"), bytes("one"), { ifMatch: null });

        await expect(
          fs.writeAtomic(at("a.txt"), bytes("two"), { ifMatch: null }),
        ).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
        expect(await read("a.txt")).toBe("one");
        expect(await names("")).toEqual(["a.txt:file"]);
      });

      test("of writers that race with one ifMatch, one wins", async () => {
        const { fs } = world.host;
        const { hash } = await fs.writeAtomic(at("a.txt"), bytes("start"));
        const writers = Array.from({ length: 12 }, (_, index) =>
          fs.writeAtomic(at("a.txt"), bytes(`writer ${index}`), { ifMatch: hash }),
        );
        const results = await Promise.allSettled(writers);
        const winners = results.flatMap((result, index) =>
          result.status === "fulfilled" ? [index] : [],
        );

        expect(winners).toHaveLength(1);
        expect(await read("a.txt")).toBe(`writer ${winners[0]}`);
        expect(await names("")).toEqual(["a.txt:file"]);
      });

      test("of writers that race to make a file, one wins", async () => {
        const { fs } = world.host;
        const writers = Array.from({ length: 12 }, (_, index) =>
          fs.writeAtomic(at("a.txt"), bytes(`writer ${index}`), { ifMatch: null }),
        );
        const results = await Promise.allSettled(writers);

        expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
        expect(await names("")).toEqual(["a.txt:file"]);
      });

      test("a reader never sees half a file", async () => {
        const { fs } = world.host;
        const contents = ["a", "b", "c"].map((letter) => letter.repeat(200_000));
        await fs.writeAtomic(at("a.txt"), bytes(contents[0] ?? ""));
        const writing = (async () => {
          for (const content of [...contents, ...contents]) {
            await fs.writeAtomic(at("a.txt"), bytes(content));
          }
        })();
        for (let round = 0; round < 20; round += 1) {
          expect(contents).toContain(await read("a.txt"));
        }
        await writing;
      });

      const writers = {
        writeAtomic: (path: string) => world.host.fs.writeAtomic(path, bytes("x")),
        append: (path: string) => world.host.fs.append(path, bytes("x")),
        mkdir: (path: string) => world.host.fs.mkdir(path),
        remove: (path: string) => world.host.fs.remove(path),
        "move onto": (path: string) => world.host.fs.move(at("file"), path),
        "move away": (path: string) => world.host.fs.move(path, at("new")),
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
        await put("file", "x");
        await world.host.fs.mkdir(at("directory"));
        await world.fifo(at("fifo"));

        await expect(writers[operation](at(path))).rejects.toMatchObject({ code });
        expect(await names("")).toEqual(["directory:directory", "fifo:fifo", "file:file"]);
        expect(await read("file")).toBe("x");
      });

      test("append makes a file and then adds to its end", async () => {
        const { fs } = world.host;
        await fs.append(at("log"), bytes("one\n"));
        await fs.append(at("log"), bytes("two\n"));

        expect(await read("log")).toBe("one\ntwo\n");
      });

      test("mkdir makes missing parents and is content with what is there", async () => {
        const { fs } = world.host;
        await fs.mkdir(at("a/b/c"));
        await put("a/b/file", "x");
        await fs.mkdir(at("a/b"));

        expect(await names("a/b")).toEqual(["c:directory", "file:file"]);
      });

      test("remove takes a file, or a whole tree when told", async () => {
        const { fs } = world.host;
        await put("tree/a/b.txt", "x");
        await put("tree/c.txt", "x");
        await put("file", "x");
        await fs.remove(at("file"));
        await fs.remove(at("tree"), { recursive: true });

        expect(await names("")).toEqual([]);
      });

      test("removing a tree leaves what its links lead to", async () => {
        await put("kept/precious.txt", "x");
        await put("tree/a.txt", "x");
        await world.link(at("tree/link"), "../kept");
        await world.host.fs.remove(at("tree"), { recursive: true });

        expect(await names("")).toEqual(["kept:directory"]);
        expect(await read("kept/precious.txt")).toBe("x");
      });

      test("move renames a file or a directory and replaces a file", async () => {
        const { fs } = world.host;
        await put("one", "1");
        await put("two", "2");
        await put("directory/x", "x");
        await fs.move(at("one"), at("two"));
        await fs.move(at("directory"), at("renamed"));

        expect(await names("")).toEqual(["renamed:directory", "two:file"]);
        expect(await read("two")).toBe("1");
        expect(await read("renamed/x")).toBe("x");
      });

      test("moving something to where it is changes nothing", async () => {
        await put("one", "1");
        await world.host.fs.move(at("one"), at("one"));

        expect(await read("one")).toBe("1");
      });

      test("a directory does not go into itself", async () => {
        await put("a/x", "x");

        await expect(world.host.fs.move(at("a"), at("a/b"))).rejects.toMatchObject({
          code: "INVALID_INPUT",
        });
        expect(await read("a/x")).toBe("x");
      });
    });

    describe.skipIf(options.isNarrowed === true)(
      "paths that changed after they were judged",
      () => {
        const uses = {
          stat: (path: string) => world.host.fs.stat(path),
          readFile: (path: string) => world.host.fs.readFile(path),
          readRange: (path: string) => world.host.fs.readRange(path, { offset: 0, length: 1 }),
          open: (path: string) => first(world.host.fs.open(path)),
          writeAtomic: (path: string) => world.host.fs.writeAtomic(path, bytes("pwned")),
          append: (path: string) => world.host.fs.append(path, bytes("pwned")),
          remove: (path: string) => world.host.fs.remove(path),
          "move away": (path: string) => world.host.fs.move(path, at("stolen")),
          "move onto": (path: string) => world.host.fs.move(at("mine"), path),
          mkdir: (path: string) => world.host.fs.mkdir(`${path}/made`),
          list: (path: string) => first(world.host.fs.list(path.slice(0, path.lastIndexOf("/")))),
        };
        test.for(Object.keys(uses).filter(isKeyOf(uses)))(
          "%s refuses a directory that became a link",
          async (operation) => {
            await put("elsewhere/file", "precious");
            await put("mine", "x");
            await world.link(at("planted"), "elsewhere");

            await expect(uses[operation](at("planted/file"))).rejects.toMatchObject({
              code: "PATH_CHANGED",
            });
            expect(await read("elsewhere/file")).toBe("precious");
            expect(await names("elsewhere")).toEqual(["file:file"]);
          },
        );

        const atTheEnd = ["readFile", "readRange", "open", "writeAtomic", "append"] as const;
        test.for(atTheEnd)("%s refuses a file that became a link", async (operation) => {
          await put("elsewhere", "precious");
          await world.link(at("planted"), "elsewhere");

          await expect(uses[operation](at("planted"))).rejects.toMatchObject({
            code: "PATH_CHANGED",
          });
          expect(await read("elsewhere")).toBe("precious");
        });

        test("remove takes the link away, never what it names", async () => {
          await put("elsewhere/file", "precious");
          await world.link(at("planted"), "elsewhere");
          await world.host.fs.remove(at("planted"), { recursive: true });

          expect(await names("")).toEqual(["elsewhere:directory"]);
          expect(await read("elsewhere/file")).toBe("precious");
        });
      },
    );

    describe("processes", () => {
      const start = async (id: string, argv: readonly string[], more = {}): Promise<void> => {
        await world.host.proc.start({ id, argv, cwd: world.root, ...more });
      };
      const finish = async (id: string, afterSeq = 0): Promise<Finished> =>
        collect(world.host.proc.output(id, afterSeq));

      test("a program's output and exit arrive in order, once", async () => {
        await start("a", ["echo", "hello", "there"]);
        const { stdout, exit, seqs } = await finish("a");

        expect(stdout).toBe("hello there\n");
        expect(exit).toMatchObject({ code: 0, signal: null, leftRunning: [] });
        expect(exit.endedBy).toBeUndefined();
        expect(seqs).toEqual(Array.from(new Set(seqs)).toSorted((a, b) => a - b));
      });

      test("what was printed can be read again, from anywhere", async () => {
        await start("a", ["echo", "hello"]);
        const whole = await finish("a");
        const firstSeq = whole.seqs[0] ?? -1;
        const rest = await finish("a", firstSeq);

        expect(await finish("a")).toEqual(whole);
        expect(rest.stdout).toBe("");
        expect(rest.exit).toEqual(whole.exit);
      });

      test("a failing program gives its code, stderr stays apart", async () => {
        await start("a", ["false"]);
        await start("b", ["ls", "/does/not/exist"]);
        const listed = await finish("b");

        expect((await finish("a")).exit.code).toBe(1);
        expect(listed.exit.code).toBe(2);
        expect(listed.stdout).toBe("");
        expect(listed.stderr).not.toBe("");
      });

      test("cwd and env are what was asked for", async () => {
        await world.host.fs.mkdir(at("sub"));
        await start("a", ["pwd"], { cwd: at("sub") });
        await start("b", ["printenv", "ANSWER"], { env: { ANSWER: "forty-two" } });

        expect((await finish("a")).stdout).toBe(`${at("sub")}\n`);
        expect((await finish("b")).stdout).toBe("forty-two\n");
      });

      test.for([
        { argv: ["no-such-program-anywhere"], cwd: "", code: "NOT_FOUND" },
        { argv: ["echo"], cwd: "missing", code: "NOT_FOUND" },
        { argv: ["echo"], cwd: "file", code: "NOT_A_DIRECTORY" },
      ])("starting $argv in '$cwd' is $code", async ({ argv, cwd, code }) => {
        await put("file", "x");

        await expect(start("a", argv, { cwd: `${world.root}/${cwd}` })).rejects.toMatchObject({
          code,
        });
        expect(await world.host.proc.list()).toEqual([]);
      });

      test("an id that runs is not started again", async () => {
        const spec = { id: "a", argv: ["sleep", "30"], cwd: world.root };
        const [one, two] = await Promise.all([
          world.host.proc.start(spec),
          world.host.proc.start(spec),
        ]);

        expect(two).toEqual(one);
        expect(await world.host.proc.list()).toEqual([one]);
      });

      test("an id whose process ended starts a new one", async () => {
        await start("a", ["echo", "one"]);
        await finish("a");
        await start("a", ["echo", "two"]);

        expect((await finish("a")).stdout).toBe("two\n");
        expect(await world.host.proc.list()).toEqual([]);
      });

      test("stdin is empty unless asked for", async () => {
        await start("a", ["cat"]);

        expect((await finish("a")).stdout).toBe("");
        await start("b", ["sleep", "30"]);
        await expect(world.host.proc.write("b", bytes("x"))).rejects.toMatchObject({
          code: "INVALID_INPUT",
        });
      });

      test("what is written arrives, and eof ends it", async () => {
        await start("a", ["cat"], { stdin: "pipe" });
        await world.host.proc.write("a", bytes("one "));
        await world.host.proc.write("a", bytes("two"));
        await world.host.proc.write("a", "eof");

        expect((await finish("a")).stdout).toBe("one two");
        await expect(world.host.proc.write("a", bytes("x"))).rejects.toMatchObject({
          code: "NOT_FOUND",
        });
      });

      test.for(["TERM", "KILL", "INT"] as const)("%s ends it and says so", async (signal) => {
        await start("a", ["sleep", "30"]);
        await world.host.proc.signal("a", signal);
        const { exit } = await finish("a");

        expect(exit).toMatchObject({ code: null, signal: `SIG${signal}` });
        expect(exit.endedBy).toBeUndefined();
        expect(await world.host.proc.list()).toEqual([]);
      });

      test("aborting the start signal ends it, and says why", async () => {
        const stop = new AbortController();
        await world.host.proc.start(
          { id: "a", argv: ["sleep", "30"], cwd: world.root },
          { signal: stop.signal },
        );
        stop.abort();

        expect((await finish("a")).exit).toMatchObject({ code: null, endedBy: "abort" });
      });

      test("an aborted signal starts nothing", async () => {
        await expect(
          world.host.proc.start(
            { id: "a", argv: ["sleep", "30"], cwd: world.root },
            { signal: AbortSignal.abort() },
          ),
        ).rejects.toMatchObject({ code: "ABORTED" });
        expect(await world.host.proc.list()).toEqual([]);
      });

      test("aborting a reader ends the reading, not the process", async () => {
        const stop = new AbortController();
        await start("a", ["sleep", "30"]);
        const reading = collect(world.host.proc.output("a", 0, { signal: stop.signal }));
        stop.abort();

        await expect(reading).rejects.toMatchObject({ code: "ABORTED" });
        expect(await world.host.proc.list()).toHaveLength(1);
      });

      test("too much output ends it", async () => {
        await start("a", ["yes"], { limits: { maxOutputBytes: 100_000 } });

        expect((await finish("a")).exit).toMatchObject({ code: null, endedBy: "output-limit" });
      });

      test("a late reader is told how much fell out", async () => {
        const limit = 3_000_000;
        await start("a", ["yes"], { limits: { maxOutputBytes: limit } });
        while ((await world.host.proc.list()).length > 0) {
          await new Promise((resolve) => {
            setTimeout(resolve, 2);
          });
        }
        const { stdout, lost } = await finish("a");

        expect(lost).toBeGreaterThan(1_000_000);
        expect(stdout.length).toBeLessThan(1_200_000);
        expect(lost + stdout.length).toBeGreaterThan(limit);
      });

      test("an unknown id is NOT_FOUND", async () => {
        const { proc } = world.host;

        await expect(first(proc.output("none", 0))).rejects.toMatchObject({ code: "NOT_FOUND" });
        await expect(proc.signal("none", "TERM")).rejects.toMatchObject({ code: "NOT_FOUND" });
        await expect(proc.write("none", "eof")).rejects.toMatchObject({ code: "NOT_FOUND" });
      });

      test.skipIf(options.isNarrowed === true)("disposing ends what runs", async () => {
        await start("a", ["sleep", "30"]);
        const reading = finish("a");
        // The reader must be there before the host goes.
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        await world.host[Symbol.asyncDispose]();

        expect((await reading).exit).toMatchObject({ code: null, endedBy: "dispose" });
        expect(await world.host.proc.list()).toEqual([]);
        await expect(start("b", ["echo"])).rejects.toMatchObject({ code: "UNAVAILABLE" });
      });
    });

    describe("grep", () => {
      const grep = async (query: Partial<GrepQuery>): Promise<Grepped> =>
        collectGrep(
          world.host.search.grep({ root: world.root, pattern: "needle", ...query }),
          world.root,
        );

      test("a match has its line, its text and UTF-16 ranges", async () => {
        await put("a.txt", "none\nä 😀 needle and needle\r\nneedle");
        const { matches, end } = await grep({});

        expect(matches).toEqual([
          {
            kind: "match",
            path: at("a.txt"),
            line: 2,
            text: "ä 😀 needle and needle",
            ranges: [
              { start: 5, end: 11 },
              { start: 16, end: 22 },
            ],
          },
          {
            kind: "match",
            path: at("a.txt"),
            line: 3,
            text: "needle",
            ranges: [{ start: 0, end: 6 }],
          },
        ]);
        expect(end).toEqual({ kind: "end", excluded: 0, partial: false, notes: [] });
      });

      test("context comes in order, each line once", async () => {
        await put("a.txt", "1\n2\nneedle\n4\nneedle\n6\n7\n8\nneedle\n10\n");

        expect((await grep({ before: 1, after: 2 })).lines).toEqual([
          "a.txt:2-2",
          "a.txt:3:needle",
          "a.txt:4-4",
          "a.txt:5:needle",
          "a.txt:6-6",
          "a.txt:7-7",
          "a.txt:8-8",
          "a.txt:9:needle",
          "a.txt:10-10",
        ]);
        expect((await grep({ after: 1 })).lines).toEqual([
          "a.txt:3:needle",
          "a.txt:4-4",
          "a.txt:5:needle",
          "a.txt:6-6",
          "a.txt:9:needle",
          "a.txt:10-10",
        ]);
      });

      const patterns: readonly {
        readonly query: Partial<GrepQuery>;
        readonly lines: readonly string[];
        readonly because: string;
      }[] = [
        {
          query: { pattern: "n.edle" },
          lines: ["1:needle", "3:n.edle"],
          because: "a dot is any character",
        },
        { query: { pattern: "n.edle", literal: true }, lines: ["3:n.edle"], because: "plain text" },
        { query: { pattern: "NEEDLE" }, lines: ["2:NEEDLE"], because: "case counts" },
        {
          query: { pattern: "needle", ignoreCase: true },
          lines: ["1:needle", "2:NEEDLE"],
          because: "case can be ignored",
        },
        {
          query: { pattern: "(?i)NEEDLE" },
          lines: ["1:needle", "2:NEEDLE"],
          because: "also from inside the pattern",
        },
        { query: { pattern: "^tail$" }, lines: ["4:tail"], because: "a CRLF line ends before it" },
        { query: { pattern: "-x", literal: true }, lines: ["5:-x"], because: "no option" },
        { query: { pattern: "f(?=oo)" }, lines: ["6:foo"], because: "looking ahead works" },
        { query: { pattern: String.raw`a\-b` }, lines: ["7:a-b"], because: "a needless escape" },
        { query: { pattern: String.raw`\bfin\b` }, lines: ["8:fin"], because: "words" },
      ];
      test.for(patterns)("$query.pattern: $because", async ({ query, lines }) => {
        await put("a.txt", "needle\nNEEDLE\nn.edle\ntail\r\n-x\nfoo\na-b\nfin\n");

        expect((await grep(query)).lines).toEqual(lines.map((line) => `a.txt:${line}`));
      });

      test("multiline matches across lines, with neighbours in one block", async () => {
        await put("a.txt", "x\nfunction a(\n  b,\n) {\ny\n");
        const { matches } = await grep({ pattern: String.raw`a\(.*?\)`, multiline: true });

        expect(matches).toMatchObject([
          { line: 2, text: "function a(\n  b,\n) {", ranges: [{ start: 9, end: 18 }] },
        ]);
      });

      test("a line break in the pattern needs multiline", async () => {
        await put("a.txt", "one\ntwo\n");

        await expect(grep({ pattern: String.raw`one\ntwo` })).rejects.toMatchObject({
          code: "INVALID_INPUT",
          hint: "Search with multiline switched on.",
        });
        expect(
          (await grep({ pattern: String.raw`one\ntwo`, multiline: true })).matches,
        ).toHaveLength(1);
      });

      test.for(["a(b", "[z", "*x", "a{3,1}"])(
        "%s is INVALID_INPUT with the reason",
        async (pattern) => {
          const failure = grep({ pattern });

          await expect(failure).rejects.toMatchObject({ code: "INVALID_INPUT" });
          await expect(failure).rejects.toThrow(/^.+ is not a usable regular expression: ./u);
        },
      );

      test("counts say how often, by file", async () => {
        await put("a.txt", "needle needle\nneedle\n");
        await put("b.txt", "needle");
        await put("c.txt", "nothing");
        const { counts, matches } = await grep({ countOnly: true });

        expect(counts).toEqual({ "a.txt": 3, "b.txt": 1 });
        expect(matches).toEqual([]);
      });

      test("a root that is a file is searched, whatever ignores it", async () => {
        await put(".gitignore", "*.log\n");
        await put("a.log", "needle");

        expect((await grep({ root: at("a.log") })).lines).toEqual(["a.log:1:needle"]);
        expect((await grep({ root: at("a.log"), countOnly: true })).counts).toEqual({ "a.log": 1 });
        await expect(grep({ root: at("missing") })).rejects.toMatchObject({ code: "NOT_FOUND" });
      });

      test("a FIFO is never opened", async () => {
        await world.fifo(at("fifo"));
        await put("a.txt", "needle");

        expect((await grep({})).lines).toEqual(["a.txt:1:needle"]);
        await expect(grep({ root: at("fifo") })).rejects.toMatchObject({ code: "NOT_A_FILE" });
      });

      test("a binary file ends at its first NUL", async () => {
        await put("a.bin", "needle\n\0needle\n");

        expect((await grep({ countOnly: true })).counts).toEqual({});
        expect((await grep({})).lines.length).toBeLessThanOrEqual(1);
      });

      test("UTF-16 with a byte order mark is text", async () => {
        const utf16 = Buffer.from("\u{feff}a needle\n", "utf16le");
        await world.host.fs.writeAtomic(at("a.txt"), new Uint8Array(utf16));

        expect((await grep({})).lines).toEqual(["a.txt:1:a needle"]);
      });

      test("an invalid byte is replaced and the ranges still fit", async () => {
        await world.host.fs.writeAtomic(
          at("a.txt"),
          new Uint8Array([0xff, 0x20, ...bytes("ä needle\n")]),
        );

        expect((await grep({})).matches).toMatchObject([
          { text: "\u{fffd} ä needle", ranges: [{ start: 4, end: 10 }] },
        ]);
      });

      const visibility: readonly {
        readonly query: Partial<GrepQuery>;
        readonly files: readonly string[];
        readonly because: string;
      }[] = [
        {
          query: {},
          files: [".hidden", "kept.log", "lib/b.ts", "lib/deep/c.ts", "readme.md", "src/a.ts"],
          because: "hidden files count, ignored ones and .git do not, an exception holds",
        },
        {
          query: { includeIgnored: true },
          files: [
            ".hidden",
            "all.log",
            "kept.log",
            "lib/b.ts",
            "lib/deep/c.ts",
            "lib/deep/secret.txt",
            "out/x.ts",
            "readme.md",
            "src/a.ts",
          ],
          because: "ignored ones on request, .git never",
        },
        {
          query: { globs: ["*.ts"] },
          files: ["lib/b.ts", "lib/deep/c.ts", "src/a.ts"],
          because: "a glob without slash matches at any depth and brings nothing ignored back",
        },
        {
          query: { globs: ["lib/*.ts"] },
          files: ["lib/b.ts"],
          because: "a star stays in its place",
        },
        {
          query: { globs: ["lib/**"] },
          files: ["lib/b.ts", "lib/deep/c.ts"],
          because: "two do not",
        },
        {
          query: { globs: ["*.{md,log}"] },
          files: ["kept.log", "readme.md"],
          because: "alternatives, and all.log stays ignored",
        },
        {
          query: { globs: ["*.ts", "!lib/deep"] },
          files: ["lib/b.ts", "src/a.ts"],
          because: "what is left out takes its children along",
        },
        { query: { types: ["md"] }, files: ["readme.md"], because: "types by name" },
        {
          query: { types: ["ts", "md"], globs: ["!lib"] },
          files: ["readme.md", "src/a.ts"],
          because: "any of the types, and the globs as well",
        },
        { query: { types: ["md"], globs: ["*.ts"] }, files: [], because: "both must agree" },
      ];
      test.for(visibility)("$query: $because", async ({ query, files }) => {
        await plantTree(put);

        expect(Object.keys((await grep({ countOnly: true, ...query })).counts)).toEqual(files);
        expect((await grep(query)).files).toEqual(files);
      });

      test("rules of the repository hold in a folder of it", async () => {
        await put(".git/HEAD", "ref");
        await put(".gitignore", "*.log\n");
        await put("sub/a.log", "needle");
        await put("sub/a.txt", "needle");

        expect((await grep({ root: at("sub") })).files).toEqual(["sub/a.txt"]);
      });

      test("links are not followed", async () => {
        await put("real/a.txt", "needle");
        await world.link(at("link"), "real");
        await world.link(at("file-link"), "real/a.txt");

        expect((await grep({})).files).toEqual(["real/a.txt"]);
      });

      test("an unknown type is INVALID_INPUT", async () => {
        await expect(grep({ types: ["no-such-type"] })).rejects.toMatchObject({
          code: "INVALID_INPUT",
          data: { type: "no-such-type" },
        });
      });

      test("withheld files are counted whether or not they match", async () => {
        await put("a.txt", "needle");
        await put("secret/one.txt", "needle");
        await put("secret/two.txt", "nothing");
        const isExcluded = (path: string): boolean => path.startsWith(at("secret/"));

        expect(await grep({ isExcluded })).toMatchObject({
          lines: ["a.txt:1:needle"],
          end: { excluded: 2 },
        });
        expect(await grep({ isExcluded, countOnly: true })).toMatchObject({
          counts: { "a.txt": 1 },
          end: { excluded: 2 },
        });
      });

      test("ending the loop early is fine", async () => {
        await put("a.txt", "needle\n".repeat(5000));
        let seen = 0;
        for await (const event of world.host.search.grep({ root: world.root, pattern: "needle" })) {
          expect(event.kind).toBe("match");
          seen += 1;
          if (seen === 3) break;
        }

        expect(seen).toBe(3);
      });

      test("an aborted search rejects with ABORTED", async () => {
        await put("a.txt", "needle");

        await expect(
          first(
            world.host.search.grep(
              { root: world.root, pattern: "needle" },
              { signal: AbortSignal.abort() },
            ),
          ),
        ).rejects.toMatchObject({ code: "ABORTED" });
      });
    });

    describe("glob", () => {
      const glob = async (query: Partial<GlobQuery>): Promise<Globbed> =>
        collectGlob(
          world.host.search.glob({ root: world.root, pattern: "**", ...query }),
          world.root,
        );

      const cases: readonly {
        readonly query: Partial<GlobQuery>;
        readonly files: readonly string[];
        readonly because: string;
      }[] = [
        {
          query: { pattern: "*.ts" },
          files: ["lib/b.ts", "lib/deep/c.ts", "src/a.ts"],
          because: "at any depth",
        },
        { query: { pattern: "lib/*.ts" }, files: ["lib/b.ts"], because: "a slash anchors" },
        { query: { pattern: "./lib/*.ts" }, files: ["lib/b.ts"], because: "here is the root" },
        {
          query: { pattern: "**/*.{md,ts}" },
          files: ["lib/b.ts", "lib/deep/c.ts", "readme.md", "src/a.ts"],
          because: "alternatives, also at the top",
        },
        { query: { pattern: "[a-b].ts" }, files: ["lib/b.ts", "src/a.ts"], because: "classes" },
        {
          query: { pattern: "?.ts", root: "lib" },
          files: ["b.ts", "deep/c.ts"],
          because: "a root",
        },
        {
          query: { pattern: "lib/" },
          files: ["lib/b.ts", "lib/deep/.ignore", "lib/deep/c.ts"],
          because: "a folder",
        },
        { query: { pattern: ".h*" }, files: [".hidden"], because: "hidden files are files" },
        { query: { pattern: "*.none" }, files: [], because: "nothing is no error" },
      ];
      test.for(cases)("$query.pattern: $because", async ({ query, files }) => {
        await plantTree(put);
        const root = query.root === undefined ? world.root : at(query.root);
        const found = await collectGlob(
          world.host.search.glob({ pattern: "**", ...query, root }),
          root,
        );

        expect(found.files).toEqual(files);
        expect(found.end).toEqual({ kind: "end", excluded: 0, partial: false });
      });

      const leftOut = [
        ".DS_Store",
        ".git/HEAD",
        "a.pyc",
        "build/x",
        "dist/x",
        "ignored.txt",
        "node_modules/p/index.js",
        "sub/__pycache__/x",
        "sub/node_modules/q/index.js",
        "vendor/x",
      ];
      test("the usual clutter is left out at any depth, unless asked for", async () => {
        for (const path of leftOut) await put(path, "x");
        await put(".gitignore", "ignored.txt\n");
        await put("kept/distant.txt", "x");
        const kept = [".gitignore", "kept/distant.txt"];

        expect((await glob({})).files).toEqual(kept);
        expect((await glob({ includeIgnored: true })).files).toEqual(
          [...leftOut, ...kept].toSorted(),
        );
      });

      test("withheld files are counted, links are no files", async () => {
        await put("a.txt", "x");
        await put("secret/b.txt", "x");
        await put("secret/c.md", "x");
        await world.link(at("link.txt"), "a.txt");
        const isExcluded = (path: string): boolean => path.startsWith(at("secret/"));

        expect(await glob({ pattern: "*.txt", isExcluded })).toEqual({
          files: ["a.txt"],
          end: { kind: "end", excluded: 1, partial: false },
        });
      });

      test("an empty pattern is INVALID_INPUT, a missing root NOT_FOUND", async () => {
        await expect(glob({ pattern: "" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
        await expect(glob({ root: at("missing") })).rejects.toMatchObject({ code: "NOT_FOUND" });
        await put("file", "x");
        await expect(glob({ root: at("file") })).rejects.toMatchObject({ code: "NOT_A_DIRECTORY" });
      });
    });

    describe("net", () => {
      test.for(["file:///etc/passwd", "ftp://example.com/", "not a url", "/relative"])(
        "%s is no address for it",
        async (url) => {
          await expect(world.host.net.fetch({ url })).rejects.toMatchObject({
            code: "INVALID_INPUT",
          });
        },
      );

      test("an aborted request rejects with ABORTED", async () => {
        await expect(
          world.host.net.fetch({ url: "http://127.0.0.1:9/" }, { signal: AbortSignal.abort() }),
        ).rejects.toMatchObject({ code: "ABORTED" });
      });

      test("what cannot be reached is UNAVAILABLE", async () => {
        await expect(world.host.net.fetch({ url: "http://127.0.0.1:9/" })).rejects.toMatchObject({
          code: "UNAVAILABLE",
        });
      });
    });
  });
}

async function plantTree(put: (path: string, content: string) => Promise<void>): Promise<void> {
  await put(".git/config", "needle");
  await put(".gitignore", "*.log\n!kept.log\n/out/\n");
  await put(".hidden", "needle");
  await put("all.log", "needle");
  await put("kept.log", "needle");
  await put("out/x.ts", "needle");
  await put("src/a.ts", "needle");
  await put("lib/b.ts", "needle");
  await put("lib/deep/.ignore", "secret.txt\n");
  await put("lib/deep/c.ts", "needle");
  await put("lib/deep/secret.txt", "needle");
  await put("readme.md", "needle");
}

async function first<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

interface Finished {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ProcessExit;
  readonly seqs: readonly number[];
  readonly lost: number;
}

async function collect(chunks: AsyncIterable<ProcessChunk>): Promise<Finished> {
  const printed = { stdout: "", stderr: "" };
  const seqs: number[] = [];
  let exit: ProcessExit | undefined;
  let lost = 0;
  for await (const chunk of chunks) {
    expect(exit).toBeUndefined();
    seqs.push(chunk.seq);
    lost += chunk.lostBefore ?? 0;
    if ("exit" in chunk) exit = chunk.exit;
    else printed[chunk.stream] += text(chunk.bytes);
  }
  if (exit === undefined) throw new Error("The output ended without an exit.");
  return { ...printed, exit, seqs, lost };
}

interface Grepped {
  readonly matches: readonly GrepEvent[];
  readonly lines: readonly string[];
  readonly files: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  readonly end: GrepEvent | undefined;
}

async function collectGrep(events: AsyncIterable<GrepEvent>, root: string): Promise<Grepped> {
  const matches: GrepEvent[] = [];
  const lines: string[] = [];
  const files = new Set<string>();
  const counts: [string, number][] = [];
  let end: GrepEvent | undefined;
  for await (const event of events) {
    expect(end).toBeUndefined();
    if (event.kind === "end") {
      end = event;
      continue;
    }
    const below = event.path.slice(root.length + 1);
    files.add(below);
    if (event.kind === "count") {
      counts.push([below, event.matches]);
      continue;
    }
    if (event.kind === "match") matches.push(event);
    const mark = event.kind === "match" ? ":" : "-";
    lines.push(`${below}:${event.line}${mark}${event.text}`);
  }
  counts.sort(([a], [b]) => (a < b ? -1 : 1));
  return { matches, lines, files: [...files].toSorted(), counts: Object.fromEntries(counts), end };
}

interface Globbed {
  readonly files: readonly string[];
  readonly end: GlobEvent | undefined;
}

async function collectGlob(events: AsyncIterable<GlobEvent>, root: string): Promise<Globbed> {
  const files: string[] = [];
  let end: GlobEvent | undefined;
  for await (const event of events) {
    if (event.kind === "end") end = event;
    else files.push(event.path.slice(root.length + 1));
  }
  return { files: files.toSorted(), end };
}

function isKeyOf<T extends object>(object: T): (key: string) => key is string & keyof T {
  return (key): key is string & keyof T => key in object;
}
