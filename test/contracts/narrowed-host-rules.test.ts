import { beforeEach, describe, expect, test } from "vitest";
import type { MemoryHost } from "../../src/host/index.ts";
import { narrowHost } from "../../src/grant/index.ts";
import {
  ToolError,
  type Effect,
  type GlobQuery,
  type Grant,
  type Host,
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
let undeclared: ToolError[];

beforeEach(() => {
  base = narrowedWorld();
  undeclared = [];
});

function narrowed(effects: readonly Effect[], hasRule = false): Host {
  return narrowHost(base, {
    grant: grantOf(effects, hasRule),
    cwd: "/project",
    onUndeclared: (error) => undeclared.push(error),
  }).host;
}

describe("what a rule withholds inside a granted tree", () => {
  const tree = [read("/project", "tree"), write("/project", "any", "tree")];

  const refused = {
    read: (host: Host) => host.fs.readFile("src/secret.ts"),
    stat: (host: Host) => host.fs.stat("src/secret.ts"),
    list: (host: Host) => drain(host.fs.list("src/secrets")),
    write: (host: Host) => host.fs.writeAtomic("src/secret.ts", encode("x")),
    append: (host: Host) => host.fs.append("src/secret.ts", encode("x")),
    mkdir: (host: Host) => host.fs.mkdir("src/secrets/deep"),
    remove: (host: Host) => host.fs.remove("src/secret.ts"),
    "remove all": (host: Host) => host.fs.remove("src", { recursive: true }),
    "move away": (host: Host) => host.fs.move("src", "lib"),
    "move onto": (host: Host) => host.fs.move("a.txt", "src/secret.ts"),
    search: (host: Host) => drain(host.search.grep({ root: "src/secrets", pattern: "h" })),
    readLink: (host: Host) => host.fs.readLink("src/secret.ts"),
  } satisfies Record<string, (host: Host) => Promise<unknown>>;

  test.for(Object.entries(refused))("%s names the rule", async ([, use]) => {
    const before = base.control.texts();

    await expect(use(narrowed(tree, true))).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
      data: { rule: "Read(*secret*)" },
    });
    await expect(use(narrowed([unknown], true))).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
    expect(undeclared).toEqual([]);
    expect(base.control.texts()).toEqual(before);
  });

  test("list leaves it out and counts it", async () => {
    let withheld = 0;
    const names: string[] = [];
    const entries = narrowed(tree, true).fs.list("src", {
      onExcluded: () => {
        withheld += 1;
      },
    });
    for await (const entry of entries) names.push(entry.name);

    expect(names.toSorted()).toEqual(["one.ts", "two.ts"]);
    expect(withheld).toBe(2);
  });

  test("search leaves it out and counts it, the tool's own filter included", async () => {
    const host = narrowed(tree, true);
    const isExcluded = isSecond;
    const grepped = await drain(host.search.grep({ root: ".", pattern: "^[hot]", isExcluded }));
    const globbed = await drain(host.search.glob({ root: ".", pattern: "*.ts" }));

    expect(grepped).toMatchObject([
      { kind: "match", path: "/project/src/one.ts" },
      { kind: "end", excluded: 3 },
    ]);
    expect(globbed).toMatchObject([
      { kind: "files", files: [{ path: "/project/src/one.ts" }] },
      { kind: "files", files: [{ path: "/project/src/two.ts" }] },
      { kind: "end", excluded: 2 },
    ]);
  });

  test("a grant that names no exclusion but withholds one is still obeyed", async () => {
    const grant: Grant = { ...grantOf(tree, true), exclusions: [] };
    const { host } = narrowHost(base, { grant, cwd: "/project" });

    expect(await drain(host.search.grep({ root: "src", pattern: "hidden" }))).toMatchObject([
      { kind: "end" },
    ]);
    expect(await drain(host.search.glob({ root: "src", pattern: "*" }))).toMatchObject([
      { kind: "files", files: [{ path: "/project/src/one.ts" }] },
      { kind: "files", files: [{ path: "/project/src/two.ts" }] },
      { kind: "end" },
    ]);
    await expect(host.fs.remove("src", { recursive: true })).rejects.toMatchObject({
      code: "PERMISSION_DENIED",
    });
  });
});

describe("read-only", () => {
  test("looks at any file and does nothing else", async () => {
    base.control.plant("/outside/link", { kind: "symlink", target: "x.txt" });
    const before = base.control.texts();
    const { host } = narrowHost(base, { grant: "read-only", cwd: "/project" });

    expect((await Promise.allSettled(looking(host))).map(({ status }) => status)).toEqual(
      Array.from({ length: 7 }, () => "fulfilled"),
    );
    for (const act of acting(host)) {
      await expect(act).rejects.toMatchObject({ code: "UNDECLARED_EFFECT" });
    }
    expect(base.control.texts()).toEqual(before);
    expect(await base.proc.list()).toEqual([]);
  });
});

describe("when the call ends", () => {
  test("nothing works any more, also what was already begun", async () => {
    const { host, revoke } = narrowHost(base, { grant: grantOf([unknown]), cwd: "/project" });
    await host.proc.start({ id: "p", argv: ["echo", "hi"], cwd: "." });
    const listing = host.fs.list(".")[Symbol.asyncIterator]();
    const output = host.proc.output("p", 0)[Symbol.asyncIterator]();
    const globbing = host.search.glob({ root: ".", pattern: "*" })[Symbol.asyncIterator]();
    const { body } = await host.net.fetch({ url: "https://example.com/" });
    for (const begun of [listing, output, globbing]) await begun.next();
    const { fs, proc, net, search } = host;
    revoke();

    const uses: readonly Promise<unknown>[] = [
      listing.next(),
      output.next(),
      globbing.next(),
      drain(body),
      fs.canonical("a.txt"),
      fs.readFile("a.txt"),
      fs.stat("a.txt"),
      fs.writeAtomic("a.txt", encode("x")),
      fs.mkdir("new"),
      fs.remove("a.txt"),
      proc.start({ id: "q", argv: ["echo"], cwd: "." }),
      proc.list(),
      net.fetch({ url: "https://example.com/" }),
      net.fetch({ url: "nowhere" }),
      drain(search.glob({ root: ".", pattern: "*" })),
    ];
    for (const use of uses) await expect(use).rejects.toMatchObject({ code: "ABORTED" });

    expect(base.control.texts()["/project/a.txt"]).toBe("alpha");
    expect(host.clock.now()).toBe(base.clock.now());
  });

  test("an operation that waits while the call ends does not act afterwards", async () => {
    const { host, revoke } = narrowHost(base, { grant: grantOf([unknown]), cwd: "/project" });
    const begun: readonly Promise<unknown>[] = [
      host.fs.canonical("a.txt"),
      host.fs.stat("a.txt"),
      host.fs.readFile("a.txt"),
      host.fs.writeAtomic("a.txt", encode("late")),
      host.fs.mkdir("late"),
      host.fs.remove("b.txt"),
      host.proc.start({ id: "late", argv: ["echo"], cwd: "." }),
    ];
    revoke();

    for (const operation of begun) {
      await expect(operation).rejects.toMatchObject({ code: "ABORTED", retryable: false });
    }
    expect(base.control.texts()).toMatchObject({
      "/project/a.txt": "alpha",
      "/project/b.txt": "beta",
    });
    expect(await base.proc.list()).toEqual([]);
    await expect(base.fs.stat("/project/late")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("disposing a narrowed host leaves the host alone", async () => {
    const { host } = narrowHost(base, { grant: grantOf([execute]), cwd: "/project" });
    await host[Symbol.asyncDispose]();

    expect(await host.proc.start({ id: "p", argv: ["echo"], cwd: "." })).toMatchObject({ id: "p" });
  });
});

test("a host is asked to count what is withheld only where something may be", async () => {
  const filtered: boolean[] = [];
  const search = {
    ...base.search,
    glob: (query: GlobQuery) => {
      filtered.push(query.isExcluded !== undefined);
      return base.search.glob(query);
    },
  };
  const { id, info, fs, proc, net, clock } = base;
  const spied = { id, info, fs, proc, net, clock, search, [Symbol.asyncDispose]: dispose };
  for (const hasRule of [false, true]) {
    const grant = grantOf([read("/project", "tree")], hasRule);
    const { host } = narrowHost(spied, { grant, cwd: "/project" });
    await drain(host.search.glob({ root: ".", pattern: "*" }));
  }

  expect(filtered).toEqual([false, true]);
});

test("options are passed on along with the call's signal", async () => {
  const { host } = narrowHost(base, {
    grant: grantOf([unknown]),
    cwd: "/project",
    signal: new AbortController().signal,
  });

  await expect(host.fs.readFile("a.txt", { maxBytes: 1 })).rejects.toMatchObject({
    code: "TOO_LARGE",
  });
  expect(await host.fs.canonical("one.ts", { base: "/project/src" })).toBe("/project/src/one.ts");
  expect(await host.fs.canonical("one.ts", { base: "src" })).toBe("/project/src/one.ts");
  expect(await host.fs.canonical("/a/../b", { base: "/project" })).toBe("/b");
  expect(await host.fs.canonical("a.txt")).toBe("/project/a.txt");
});

test("the call's signal ends operations that bring none, and yields to one they bring", async () => {
  const stop = new AbortController();
  const { host } = narrowHost(base, {
    grant: grantOf([unknown]),
    cwd: "/project",
    signal: stop.signal,
  });
  base.control.fail({ path: "a.txt", operation: "readFile", fails: "hang" });
  const hanging = host.fs.readFile("a.txt");
  stop.abort(new ToolError("TIMEOUT", "Too late."));
  const own = { signal: new AbortController().signal };

  await expect(hanging).rejects.toMatchObject({ code: "TIMEOUT" });
  await expect(host.fs.readFile("b.txt")).rejects.toMatchObject({ code: "TIMEOUT" });
  expect((await host.fs.readFile("b.txt", own)).stat.size).toBe(4);
});

const looking = (host: Host): readonly Promise<unknown>[] => [
  host.fs.stat("/outside/x.txt"),
  host.fs.canonical("../outside"),
  host.fs.readFile("/outside/x.txt"),
  host.fs.readRange("/outside/x.txt", { offset: 0, length: 1 }),
  drain(host.fs.open("a.txt")),
  drain(host.fs.list("/outside")),
  host.fs.readLink("/outside/link"),
];
const acting = (host: Host): readonly Promise<unknown>[] => [
  host.fs.writeAtomic("a.txt", encode("x")),
  host.fs.append("a.txt", encode("x")),
  host.fs.mkdir("new"),
  host.fs.remove("a.txt"),
  host.fs.move("a.txt", "c.txt"),
  host.proc.start({ id: "p", argv: ["echo"], cwd: "." }),
  host.proc.list(),
  drain(host.proc.output("p", 0)),
  host.proc.write("p", "eof"),
  host.proc.signal("p", "TERM"),
  host.net.fetch({ url: "https://example.com/" }),
  drain(host.search.grep({ root: ".", pattern: "x" })),
  drain(host.search.glob({ root: ".", pattern: "x" })),
];

async function dispose(): Promise<void> {
  // A host of a test has nothing to end.
}

function isSecond(path: string): boolean {
  return path.endsWith("two.ts");
}

test("a path that was judged is not followed once more", async () => {
  await base.fs.makeLink?.("/project/link", "a.txt");
  const { host } = narrowHost(base, {
    grant: grantOf([read("/project/a.txt")]),
    cwd: "/project",
    resolved: new Map([["link", "/project/a.txt"]]),
  });
  await base.fs.remove("/project/link");
  await base.fs.makeLink?.("/project/link", "b.txt");

  const { bytes } = await host.fs.readFile("link");

  expect(new TextDecoder().decode(bytes)).toBe("alpha");
});

test("a judged path that a link took the place of is refused", async () => {
  const { host } = narrowHost(base, {
    grant: grantOf([read("/project/a.txt")]),
    cwd: "/project",
    resolved: new Map([["a.txt", "/project/a.txt"]]),
  });
  await base.fs.remove("/project/a.txt");
  await base.fs.makeLink?.("/project/a.txt", "b.txt");

  await expect(host.fs.readFile("a.txt")).rejects.toMatchObject({ code: "PATH_CHANGED" });
});
