import { beforeEach, describe, expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../src/host/index.ts";
import { narrowHost, type NarrowOptions } from "../../src/grant/index.ts";
import { CapturedWrites } from "../../src/journal/capture/captured-writes.ts";
import {
  ToolError,
  type Confinement,
  type Effect,
  type EndedProgram,
  type Grant,
  type Host,
  type HostFile,
} from "../../src/core/index.ts";
import {
  drain,
  encode,
  execute,
  grantOf,
  narrowedWorld,
  read,
  unknown,
  write,
} from "./narrowed-world.ts";

let base: MemoryHost;

beforeEach(() => {
  base = narrowedWorld();
});

function narrowed(options: Partial<NarrowOptions> = {}): Host {
  return narrowHost(base, { grant: grantOf([unknown]), cwd: "/project", ...options }).host;
}

describe("what must not be changed", () => {
  const rule = "Edit(*secret*)";
  const connect: Effect = { kind: "connect", host: "a.org" };
  const only = (effects: readonly Effect[]): Grant => ({
    effects,
    exclusions: [{ root: "/", pattern: "*secret*", rule }],
    excludes: (path, access) => (access === "write" && path.includes("secret") ? rule : undefined),
  });
  const writes = write("/project", "any", "tree");
  const file = "/project/src/secret.ts";

  test.each([
    { effects: [writes], reads: false, because: "nothing else was declared" },
    { effects: [writes, connect], reads: false, because: "connecting is not reading" },
    { effects: [writes, read("/project/a.txt")], reads: false, because: "another file is read" },
    { effects: [writes, read(file)], reads: true, because: "it is declared by name" },
    { effects: [writes, read("/project", "tree")], reads: true, because: "its tree is read" },
    { effects: [writes, unknown], reads: true, because: "anything may be read" },
  ])(
    "is read where reading is declared by itself, $reads: $because",
    async ({ effects, reads }) => {
      const { fs } = narrowed({ grant: only(effects) });

      const reading = fs.readFile(file).then(
        () => "read",
        (error: unknown) => (ToolError.is(error) ? [error.code, error.data] : error),
      );

      expect(await reading).toEqual(reads ? "read" : ["PERMISSION_DENIED", { path: file, rule }]);
      await expect(fs.writeAtomic(file, encode("x"))).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
        message: `The rule ${rule} denies access to ${file}.`,
      });
    },
  );
});

describe("what a call left of the files it changed", () => {
  let transaction: CapturedWrites;

  beforeEach(() => {
    transaction = new CapturedWrites([], async () => undefined);
  });

  test("is nothing while it only looks", async () => {
    await narrowed({ transaction }).fs.readFile("a.txt");

    expect(transaction.written).toBe("nothing");
  });

  test("is what it wrote, in a copy of its own", async () => {
    const bytes = encode("new");
    const stat = await narrowed({ transaction }).fs.writeAtomic("a.txt", bytes);
    bytes.fill(0);

    expect(transaction.written).toEqual(
      new Map([["/project/a.txt", { stat, hash: stat.hash, bytes: encode("new") }]]),
    );
  });

  test("is what it wrote, also where the tool changes its buffer during the write", async () => {
    const bytes = encode("new");
    const original = base.fs.writeAtomic.bind(base.fs);
    base.fs.writeAtomic = (path, given, options) => {
      bytes.fill(0);
      return original(path, given, options);
    };

    await narrowed({ transaction }).fs.writeAtomic("a.txt", bytes);

    expect(base.control.texts()["/project/a.txt"]).toBe("new");
    expect(transaction.written).toMatchObject(
      new Map([["/project/a.txt", { bytes: encode("new") }]]),
    );
  });

  test("has no bytes where they are many", async () => {
    const bytes = new Uint8Array(64 * 1024 * 1024);
    const stat = await narrowed({ transaction }).fs.writeAtomic("a.txt", bytes);

    expect(transaction.written).toEqual(new Map([["/project/a.txt", { stat, hash: stat.hash }]]));
    expect(stat.size).toBe(bytes.length);
  });

  test("is not known of a file that was changed twice, or of one in a folder that was", async () => {
    const { fs } = narrowed({ transaction });
    for (const text of ["one", "two"]) await fs.writeAtomic("a.txt", encode(text));
    await fs.writeAtomic("b.txt", encode("one"));
    await fs.writeAtomic("src/one.ts", encode("one"));
    await fs.remove("src", { recursive: true });

    expect(transaction.written).toEqual(new Map([["/project/b.txt", expect.anything()]]));
  });

  test("is untouched where the host refused what had changed meanwhile, and nothing otherwise", async () => {
    const { fs } = narrowed({ transaction });
    const changed = fs.writeAtomic("a.txt", encode("x"), { ifMatch: "0".repeat(64) });
    await expect(changed).rejects.toMatchObject({ code: "STALE_READ" });
    base.control.fail({ path: "b.txt", operation: "writeAtomic", fails: "ENOSPC" });
    await expect(fs.writeAtomic("b.txt", encode("x"))).rejects.toThrow("b.txt");

    expect(transaction.written).toEqual(new Map([["/project/a.txt", "untouched"]]));
  });
});

async function textOf(host: Host, path: string, more = {}): Promise<string> {
  const { bytes } = await host.fs.readFile(path, { asCaptured: true, ...more });
  return new TextDecoder().decode(bytes);
}

describe("what was kept of a file before the call", () => {
  let file: HostFile;

  beforeEach(async () => {
    file = await base.fs.readFile("/project/a.txt");
    await base.fs.writeAtomic("/project/a.txt", encode("meanwhile"));
  });

  const holding = (): Host =>
    narrowed({ transaction: new CapturedWrites([file], async () => undefined) });

  test("is what a tool reads that asks for it, until the call changes something", async () => {
    const host = holding();

    expect(await textOf(host, "a.txt")).toBe("alpha");
    expect(await textOf(host, "a.txt", { maxBytes: 5 })).toBe("alpha");
    expect(await textOf(host, "a.txt", { asCaptured: false })).toBe("meanwhile");
    expect(await textOf(host, "b.txt")).toBe("beta");
    await expect(textOf(host, "a.txt", { maxBytes: 4 })).rejects.toMatchObject({
      code: "TOO_LARGE",
    });
    await host.fs.writeAtomic("b.txt", encode("x"));
    expect(await textOf(host, "a.txt")).toBe("meanwhile");
  });

  test("is the only content that the call replaces, except for its own", async () => {
    const { hash } = await base.fs.readFile("/project/a.txt");
    const refused = holding().fs.writeAtomic("a.txt", encode("x"), { ifMatch: hash });

    await expect(refused).rejects.toMatchObject({
      code: "STALE_READ",
      hint: "Read it again, then repeat the change.",
      data: { path: "/project/a.txt", expected: file.hash, found: hash },
    });

    const host = holding();
    const other = await host.fs.readFile("b.txt");
    await host.fs.writeAtomic("b.txt", encode("x"), { ifMatch: other.hash });
    const second = host.fs.writeAtomic("a.txt", encode("x"), { ifMatch: hash });
    await expect(second).rejects.toMatchObject({ code: "STALE_READ" });
    const own = await host.fs.writeAtomic("a.txt", encode("own"));
    await host.fs.writeAtomic("a.txt", encode("again"), { ifMatch: own.hash });
    expect(await textOf(host, "a.txt")).toBe("again");
  });
});

describe("a program of a call", () => {
  let endings = 0;
  const confined = { cwd: "/project", env: {}, descriptors: [] };
  const ofCall: Confinement = {
    wrap: (argv) => ({ ...confined, argv }),
    ended: async () => {
      endings += 1;
      return await Promise.resolve(undefined);
    },
  };
  const ofTool: Confinement = { wrap: (argv) => ({ ...confined, argv }) };
  const confine = async () => await Promise.resolve(ofCall);

  beforeEach(() => {
    endings = 0;
    base = memoryHost({
      programs: {
        echo: (argv, io) => {
          io.stdout(argv.slice(1).join(" "));
          io.stderr("complaint");
          return 3;
        },
      },
    });
  });

  test("tells how it ended, what it complained of, and where it began", async () => {
    const told: EndedProgram[] = [];
    const onProgramEnd = (program: EndedProgram): void => void told.push(program);
    const { proc } = narrowed({ grant: grantOf([execute]), onProgramEnd });
    await proc.start({ id: "p", argv: ["echo"], cwd: "." });
    await drain(proc.output("p", 0));

    expect(told).toEqual([{ code: 3, signal: null, stderr: "complaint", cwd: "/project" }]);
  });

  test("is confined as the call says, whatever the tool says of that", async () => {
    const seen: (Confinement | undefined)[] = [];
    const started = base.proc.start.bind(base.proc);
    base.proc.start = async (spec, options) => {
      seen.push(spec.confinement);
      const { confinement: _confinement, ...plain } = spec;
      return await started(plain, options);
    };
    const grant = grantOf([execute]);
    const spec = { argv: ["echo"], cwd: ".", confinement: ofTool };

    await narrowed({ grant, confine }).proc.start({
      ...spec,
      id: "a",
    });
    await narrowed({ grant }).proc.start({ ...spec, id: "b" });

    expect(seen).toEqual([ofCall, undefined]);
    expect(endings).toBe(0);
  });

  test("that searches file contents is confined as the call says as well", async () => {
    const seen: (Partial<Confinement> | undefined)[] = [];
    const searched = base.search.grep.bind(base.search);
    base.search.grep = (query, options) => {
      seen.push(query.confinement);
      return searched(query, options);
    };
    const query = { root: "/project", pattern: "x", confinement: ofTool };
    const ofSearch: Pick<Confinement, "helper"> = {};
    const confineSearch = async () => await Promise.resolve(ofSearch);
    const grant = grantOf([read("/project", "tree")]);

    await drain(narrowed({ grant, confineSearch }).search.grep(query));
    await drain(narrowed({ grant }).search.grep(query));

    expect(seen).toEqual([ofSearch, undefined]);
    expect(seen[0]).toBe(ofSearch);
  });

  test("that could not be started releases what was prepared for it", async () => {
    base.proc.start = async () => await Promise.reject(new Error("none"));
    const { proc } = narrowed({ grant: grantOf([execute]), confine });

    await expect(proc.start({ id: "p", argv: ["echo"], cwd: "." })).rejects.toThrow("none");
    expect(endings).toBe(1);
  });

  test("keeps the call busy while it runs, unless it may outlive it", async () => {
    const running = (ids: readonly string[]): void => {
      base.proc.list = async () =>
        await Promise.resolve(ids.map((id) => ({ id, pid: 1 }) as never));
    };
    const call = narrowHost(base, { grant: grantOf([execute]), cwd: "/project" });
    running(["other"]);
    expect(await call.isBusy()).toBe(false);
    await call.host.proc.start({ id: "p", argv: ["echo"], cwd: "." });
    await call.host.proc.start({ id: "q", argv: ["echo"], cwd: ".", outlives: true });

    running(["other", "p"]);
    expect(await call.isBusy()).toBe(true);
    running(["other", "q"]);
    expect(await call.isBusy()).toBe(false);
    running([]);
    expect(await call.isBusy()).toBe(false);
  });
});
