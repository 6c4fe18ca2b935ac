import { beforeEach, describe, expect, test } from "vitest";
import type { MemoryHost } from "../../src/host/index.ts";
import { narrowHost } from "../../src/grant/index.ts";
import { ToolError, type Effect, type Host, type WriteOptions } from "../../src/core/index.ts";
import {
  drain,
  encode,
  execute,
  execution,
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

describe("what a grant covers", () => {
  const uses = {
    "stat a.txt": (host: Host) => host.fs.stat("a.txt"),
    "read a.txt": (host: Host) => host.fs.readFile("a.txt"),
    "read ./src/../a.txt": (host: Host) => host.fs.readFile("./src/../a.txt"),
    "read a range of a.txt": (host: Host) => host.fs.readRange("a.txt", { offset: 0, length: 1 }),
    "stream a.txt": (host: Host) => drain(host.fs.open("a.txt")),
    "read src/one.ts": (host: Host) => host.fs.readFile("src/one.ts"),
    "list src": (host: Host) => drain(host.fs.list("src")),
    "list .": (host: Host) => drain(host.fs.list(".")),
    "stat src": (host: Host) => host.fs.stat("src"),
    "search src": (host: Host) => drain(host.search.grep({ root: "src", pattern: "o" })),
    "search a.txt": (host: Host) => drain(host.search.grep({ root: "a.txt", pattern: "a" })),
    "glob src": (host: Host) => drain(host.search.glob({ root: "src", pattern: "*" })),
    "replace a.txt": (host: Host) => host.fs.writeAtomic("a.txt", encode("new")),
    "replace a.txt by its hash": async (host: Host) =>
      host.fs.writeAtomic("a.txt", encode("new"), {
        ifMatch: (await base.fs.readFile("/project/a.txt")).hash,
      }),
    "make new.txt": (host: Host) => host.fs.writeAtomic("new.txt", encode("new")),
    "make new.txt exclusively": (host: Host) =>
      host.fs.writeAtomic("new.txt", encode("new"), { ifMatch: null }),
    "append to a.txt": (host: Host) => host.fs.append("a.txt", encode("new")),
    "append to new.txt": (host: Host) => host.fs.append("new.txt", encode("new")),
    "make src/deep": (host: Host) => host.fs.mkdir("src/deep"),
    "remove a.txt": (host: Host) => host.fs.remove("a.txt"),
    "remove src": (host: Host) => host.fs.remove("src", { recursive: true }),
    "move a.txt to b.txt": (host: Host) => host.fs.move("a.txt", "b.txt"),
    "move a.txt to new.txt": (host: Host) => host.fs.move("a.txt", "new.txt"),
    "start echo": (host: Host) => host.proc.start({ id: "p", argv: ["echo"], cwd: "." }),
    "list processes": (host: Host) => host.proc.list(),
    "fetch example.com": (host: Host) => host.net.fetch({ url: "https://example.com/" }),
    "fetch example.com:8443": (host: Host) => host.net.fetch({ url: "https://example.com:8443/" }),
    "fetch [::1]:3000": (host: Host) => host.net.fetch({ url: "http://[::1]:3000/" }),
  } satisfies Record<string, (host: Host) => Promise<unknown>>;
  type Use = keyof typeof uses;
  const all = Object.keys(uses).filter((use): use is Use => use in uses);

  const looking: readonly Use[] = [
    "stat a.txt",
    "read a.txt",
    "read ./src/../a.txt",
    "read a range of a.txt",
    "stream a.txt",
    "search a.txt",
  ];
  const cases: readonly {
    readonly effects: readonly Effect[];
    readonly allowed: readonly Use[];
    /** Codes of what is covered, but refused by the host. */
    readonly refused?: readonly string[];
    readonly because: string;
  }[] = [
    { effects: [], allowed: [], because: "nothing is declared" },
    { effects: [{ kind: "interact" }], allowed: [], because: "talking touches nothing" },
    { effects: [read("/project/a.txt")], allowed: looking, because: "one file may be read" },
    { effects: [read("/project/src")], allowed: ["list src", "stat src"], because: "one level" },
    {
      effects: [read("/project/src", "tree")],
      allowed: ["read src/one.ts", "list src", "stat src", "search src", "glob src"],
      because: "a tree may be read",
    },
    { effects: [read("/project/sr", "tree")], allowed: [], because: "a prefix is not a parent" },
    {
      effects: [write("/project/a.txt", "modify")],
      allowed: [...looking, "replace a.txt", "replace a.txt by its hash", "append to a.txt"],
      because: "what may be changed may be read; making and removing are other changes",
    },
    {
      effects: [write("/project/new.txt", "create")],
      allowed: ["make new.txt", "make new.txt exclusively", "append to new.txt"],
      because: "only making is declared",
    },
    {
      effects: [write("/project/a.txt", "delete")],
      allowed: [...looking, "remove a.txt"],
      because: "only removing is declared",
    },
    {
      effects: [write("/project/a.txt", "delete"), write("/project/b.txt", "modify")],
      allowed: [...looking, "remove a.txt", "move a.txt to b.txt"],
      because: "moving removes one and replaces the other",
    },
    {
      effects: [write("/project/a.txt", "delete"), write("/project/new.txt", "create")],
      allowed: [
        ...looking,
        "remove a.txt",
        "move a.txt to new.txt",
        "make new.txt",
        "make new.txt exclusively",
        "append to new.txt",
      ],
      because: "moving to a new name makes it",
    },
    {
      effects: [write("/project/src/deep/er/x.ts", "create")],
      allowed: ["stat src", "make src/deep"],
      because: "a creation may make the directories it needs and look at them",
    },
    {
      effects: [write("/project/src/deep/er/x.ts", "modify")],
      allowed: ["stat src"],
      because: "what is only changed needs no new directory",
    },
    {
      effects: [write("/project/src", "delete", "tree")],
      allowed: ["read src/one.ts", "list src", "stat src", "search src", "glob src", "remove src"],
      because: "a tree may be removed",
    },
    {
      effects: [write("/project/src", "delete", "file")],
      allowed: ["list src", "stat src"],
      because: "a directory is a tree",
    },
    {
      effects: [execute],
      allowed: ["start echo", "list processes"],
      because: "a program was declared",
    },
    {
      effects: [{ kind: "connect", host: "Example.COM" }],
      allowed: ["fetch example.com", "fetch example.com:8443"],
      because: "host names have no case, and any port was declared",
    },
    {
      effects: [{ kind: "connect", host: "example.com", port: 443 }],
      allowed: ["fetch example.com"],
      because: "https is 443",
    },
    {
      effects: [{ kind: "connect", host: "::1", port: 3000 }],
      allowed: ["fetch [::1]:3000"],
      because: "an address is the same with and without brackets",
    },
    {
      effects: [unknown],
      // A private address is opened by its name only; the host refuses it.
      allowed: all.filter((use) => use !== "fetch [::1]:3000"),
      refused: ["PERMISSION_DENIED"],
      because: "the question said that it can run arbitrary code",
    },
  ];

  test.for(cases)("$effects: $because", async ({ effects, allowed, refused }) => {
    const outcomes: string[] = [];
    const codes = new Set<unknown>();
    const changed: string[] = [];
    for (const use of all) {
      const fresh = base.control.texts();
      try {
        await uses[use](narrowed(effects));
        outcomes.push(use);
      } catch (error) {
        codes.add(ToolError.is(error) ? error.code : error);
        if (JSON.stringify(base.control.texts()) !== JSON.stringify(fresh)) changed.push(use);
      }
      await restore(fresh);
    }

    expect(outcomes.toSorted()).toEqual([...allowed].toSorted());
    expect([...codes]).toEqual(refused ?? (codes.size === 0 ? [] : ["UNDECLARED_EFFECT"]));
    expect(changed).toEqual([]);
    expect(undeclared).toHaveLength(all.length - allowed.length - (refused?.length ?? 0));
  });
});

describe("an undeclared effect", () => {
  test("is named together with what was declared, and reported even if the tool hides it", async () => {
    const host = narrowed([read("/project/a.txt"), write("/project/src", "create", "tree")]);
    await host.fs.readFile("b.txt").catch(() => undefined);

    expect(undeclared.map((error) => [error.code, error.message])).toEqual([
      [
        "UNDECLARED_EFFECT",
        "The tool tried to read /project/b.txt, which it had not declared (declared: read /project/a.txt, create /project/src/**).",
      ],
    ]);
    expect(undeclared[0]?.hint).toMatch(/^This is a fault of the tool:/u);
    expect(undeclared[0]?.data).toMatchObject({
      need: { kind: "read", path: "/project/b.txt", scope: "file" },
    });
  });

  test("names at most a few of many declared ones", async () => {
    const host = narrowed(Array.from({ length: 40 }, (_, index) => read(`/project/${index}`)));

    await expect(host.fs.readFile("a.txt")).rejects.toThrow(/\/project\/5 and 34 more\)/u);
  });

  test("a link is judged by where it leads", async () => {
    base.control.plant("link", { kind: "symlink", target: "/outside/x.txt" });
    const host = narrowed([read("/project", "tree"), write("/project/link")]);

    const hint = expect.stringMatching(/^\/project\/link leads there by a link: the path changed/u);
    await expect(host.fs.readFile("link")).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
      hint,
      data: { need: { path: "/outside/x.txt" } },
    });
    await expect(host.fs.writeAtomic("link", encode("x"))).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
      hint,
    });
    expect(await host.fs.readLink("link")).toBe("/outside/x.txt");
    expect(base.control.texts()["/outside/x.txt"]).toBe("x");
  });

  test("a declared creation never replaces what turned up meanwhile", async () => {
    const host = narrowed([write("/project/a.txt", "create")]);

    await expect(host.fs.writeAtomic("a.txt", encode("new"))).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
      hint: "Something is there already: the path changed while the call ran, or the tool has to declare that it may modify it. Look at what is there, then make the call again.",
    });
    await expect(
      host.fs.writeAtomic("a.txt", encode("new"), { ifMatch: null }),
    ).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
    await expect(
      host.fs.writeAtomic("a.txt", encode("new"), { ifMatch: "sha256:0" }),
    ).rejects.toMatchObject({ code: "UNDECLARED_EFFECT" });
    expect(base.control.texts()["/project/a.txt"]).toBe("alpha");
  });

  test("a declared change never makes a file", async () => {
    const host = narrowed([write("/project/gone.txt", "modify")]);

    await expect(host.fs.writeAtomic("gone.txt", encode("x"))).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
      hint: expect.stringMatching(/^Nothing is there any more: the path changed/u),
    });
    await expect(
      host.fs.writeAtomic("gone.txt", encode("x"), { ifMatch: null }),
    ).rejects.toMatchObject({ code: "UNDECLARED_EFFECT" });
    await expect(host.fs.append("gone.txt", encode("x"))).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
    });
    expect(base.control.texts()).not.toHaveProperty("/project/gone.txt");
  });

  test("a creation made under the tool's feet is not replaced either", async () => {
    const racing = racingHost();
    const { host } = narrowHost(racing, {
      grant: grantOf([write("/project/new.txt", "create")]),
      cwd: "/project",
    });

    await expect(host.fs.writeAtomic("new.txt", encode("mine"))).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
    });
    expect(base.control.texts()["/project/new.txt"]).toBe("theirs");
  });

  test("an empty directory counts as a tree", async () => {
    await base.fs.mkdir("/project/empty");

    await expect(
      narrowed([write("/project/empty", "delete")]).fs.remove("empty", { recursive: true }),
    ).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
      message:
        "The tool tried to delete /project/empty and everything below it, which it had not declared (declared: delete /project/empty).",
    });
    await narrowed([write("/project/empty", "delete", "tree")]).fs.remove("empty", {
      recursive: true,
    });
    await expect(base.fs.stat("/project/empty")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a link at the top of the file system is read where it stands", async () => {
    base.control.plant("/link", { kind: "symlink", target: "/outside" });

    expect(await narrowed([read("/link")]).fs.readLink("/link")).toBe("/outside");
  });

  const described: readonly { readonly effects: readonly Effect[]; readonly text: string }[] = [
    { effects: [], text: "nothing" },
    { effects: [read("/a"), read("/b", "tree")], text: "read /a, read /b/**" },
    { effects: [write("/a"), write("/b", "modify", "tree")], text: "write /a, modify /b/**" },
    { effects: [execute], text: "start echo" },
    { effects: [execution([{ dynamic: "$X" }])], text: "start a program" },
    { effects: [execution([])], text: "start a program" },
    { effects: [{ kind: "connect", host: "a.example" }], text: "connect to a.example" },
    { effects: [{ kind: "connect", host: "a", port: 1 }], text: "connect to a:1" },
    { effects: [{ kind: "delegate", agent: "b" }], text: "delegate to b" },
    { effects: [{ kind: "interact" }], text: "interact" },
  ];
  test.for(described)("declared: $text", async ({ effects, text }) => {
    const failures = [
      narrowed(effects).fs.mkdir("/elsewhere"),
      narrowed(effects.slice(0, 0)).proc.start({ id: "p", argv: [], cwd: "." }),
      narrowed([]).net.fetch({ url: "https://example.com/" }),
      drain(narrowed([]).search.glob({ root: "/project", pattern: "*" })),
    ];
    const messages = (await Promise.allSettled(failures)).map((result) =>
      result.status === "rejected" ? String(result.reason) : "done",
    );

    expect(messages).toEqual([
      `ToolError: The tool tried to create /elsewhere, which it had not declared (declared: ${text}).`,
      "ToolError: The tool tried to start a program, which it had not declared (declared: nothing).",
      "ToolError: The tool tried to connect to example.com:443, which it had not declared (declared: nothing).",
      "ToolError: The tool tried to read /project and everything below it, which it had not declared (declared: nothing).",
    ]);
  });

  test("moving a directory needs both trees", async () => {
    const from = write("/project/src", "delete", "tree");

    await expect(
      narrowed([from, write("/project/lib", "create")]).fs.move("src", "lib"),
    ).rejects.toMatchObject({
      code: "UNDECLARED_EFFECT",
      data: { need: { path: "/project/lib", scope: "tree" } },
    });
    await narrowed([from, write("/project/lib", "create", "tree")]).fs.move("src", "lib");
    expect(base.control.texts()).toHaveProperty("/project/lib/one.ts", "one");
  });

  test("an invalid address is INVALID_INPUT", async () => {
    await expect(narrowed([unknown]).net.fetch({ url: "nowhere" })).rejects.toMatchObject({
      code: "INVALID_INPUT",
    });
  });
});

async function restore(texts: Readonly<Record<string, string>>): Promise<void> {
  for (const path of Object.keys(base.control.texts())) await base.fs.remove(path);
  for (const [path, content] of Object.entries(texts)) {
    base.control.plant(path, { kind: "file", content });
  }
  if (await exists("/project/src/deep")) {
    await base.fs.remove("/project/src/deep", { recursive: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await base.fs.stat(path);
    return true;
  } catch {
    return false;
  }
}

/** A host where another program makes each file in the moment before it is written. */
function racingHost(): Host {
  const { id, info, proc, net, clock, search } = base;
  const fs = new Proxy(base.fs, {
    get(target, name) {
      if (name !== "writeAtomic") return bound(target, name);
      return async (path: string, data: Uint8Array, options?: WriteOptions) => {
        base.control.plant(path, { kind: "file", content: "theirs" });
        return target.writeAtomic(path, data, options);
      };
    },
  });
  return { id, info, fs, proc, net, clock, search, [Symbol.asyncDispose]: dispose };
}

function bound(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name);
  return typeof value === "function" ? value.bind(target) : value;
}

async function dispose(): Promise<void> {
  // A host of a test has nothing to end.
}
