import { describe, expect, test } from "vitest";
import {
  allModes,
  anyTool,
  boundary,
  home,
  readOf,
  requestOf,
  rulesOf,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../test/policy/policy-world.ts";
import type { Effect, Mode } from "../core/index.ts";
import { decide, denialCode } from "./decide.ts";

type Verdicts = readonly [Mode, "allow" | "ask" | "deny"][];

function inEveryMode(
  one: "allow" | "ask" | "deny",
  others: Partial<Record<Mode, "allow" | "ask" | "deny">> = {},
): Verdicts {
  return allModes.map((mode) => [mode, others[mode] ?? one] as const);
}

describe("what each mode says where no rule does", () => {
  const openRun = [runOf("npm test"), unknownOf("npm")];
  const table: readonly { what: string; on: readonly Effect[]; says: Verdicts }[] = [
    { what: "nothing", on: [], says: inEveryMode("allow") },
    { what: "showing something", on: [{ kind: "interact" }], says: inEveryMode("allow") },
    { what: "reading inside", on: [readOf("/ws/a")], says: inEveryMode("allow") },
    { what: "reading the workspace", on: [readOf("/ws", "tree")], says: inEveryMode("allow") },
    {
      what: "reading outside",
      on: [readOf("/etc/hosts")],
      says: inEveryMode("ask", { dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "reading beside the workspace",
      on: [readOf("/ws2/a")],
      says: inEveryMode("ask", { dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "writing inside",
      on: [writeOf("/ws/a")],
      says: inEveryMode("allow", { default: "ask", plan: "deny", dontAsk: "deny" }),
    },
    {
      what: "writing outside",
      on: [writeOf("/other/a")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "writing a protected path",
      on: [writeOf("/ws/.git/hooks/pre-commit")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "a listed command",
      on: [runOf("ls", { consequences: "listed" })],
      says: inEveryMode("allow"),
    },
    {
      what: "an open command",
      on: openRun,
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "connecting",
      on: [{ kind: "connect", host: "example.com" }],
      says: inEveryMode("ask", { dontAsk: "deny", bypassPermissions: "allow" }),
    },
    {
      what: "handing work on",
      on: [{ kind: "delegate", agent: "tester" }],
      says: inEveryMode("allow", { plan: "deny" }),
    },
    {
      what: "what is not known",
      on: [unknownOf("AnyTool")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny", bypassPermissions: "allow" }),
    },
    { what: "output to nowhere", on: [writeOf("/dev/null", "any")], says: inEveryMode("allow") },
    { what: "random numbers", on: [readOf("/dev/urandom")], says: inEveryMode("allow") },
    {
      what: "removing the whole workspace",
      on: [writeOf("/ws", "delete", "tree")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny" }),
    },
    {
      what: "removing a folder of the machine",
      on: [writeOf("/opt", "delete", "tree")],
      says: inEveryMode("ask", { plan: "deny", dontAsk: "deny" }),
    },
    {
      what: "one thing allowed and one not",
      on: [readOf("/ws/a"), writeOf("/ws/b")],
      says: inEveryMode("allow", { default: "ask", plan: "deny", dontAsk: "deny" }),
    },
  ];

  test.each(
    table.flatMap(({ what, on, says }) => says.map(([mode, is]) => ({ what, on, mode, is }))),
  )("$mode, $what: $is", ({ on, mode, is }) => {
    expect(verdict(on, { mode })).toBe(is);
  });

  test("the built-in layer can be taken away", () => {
    expect(verdict([{ kind: "interact" }], { builtIn: [] })).toBe("ask");
    expect(verdict([{ kind: "delegate", agent: "a" }], { builtIn: [] })).toBe("ask");
    expect(verdict([writeOf("/dev/null")], { builtIn: [] })).toBe("ask");
  });

  test("the built-in layer can be made wider", () => {
    const builtIn = [{ on: "connect", says: "The network is open here." }] as const;

    expect(verdict([{ kind: "connect", host: "a.org" }], { builtIn })).toBe("allow");
  });

  test("a call that touches nothing costs no allocation", () => {
    expect(decide(requestOf([]))).toBe(decide(requestOf([])));
  });
});

describe("the order of lists", () => {
  const rule = "Bash(npm *)";
  const on = [runOf("npm test"), unknownOf("npm")];

  test.each([
    { lists: { deny: [rule], ask: [rule], allow: [rule] }, is: "deny" },
    { lists: { ask: [rule], allow: [rule] }, is: "ask" },
    { lists: { allow: [rule] }, is: "allow" },
    { lists: { deny: ["Bash(*)"], allow: ["Bash(npm test)"] }, is: "deny" },
    { lists: { ask: ["Bash"], allow: ["Bash(npm test)"] }, is: "ask" },
  ] as const)("$lists: $is", ({ lists, is }) => {
    expect(verdict(on, { lists })).toBe(is);
  });

  test.each(allModes)("in %s mode deny is final and ask is asked", (mode) => {
    expect(verdict([readOf("/ws/a")], { mode, lists: { deny: ["Read(/a)"] } })).toBe("deny");
    expect(verdict([], { mode, lists: { deny: ["AnyTool"] } })).toBe("deny");
    const asked = mode === "dontAsk" ? "deny" : "ask";
    expect(verdict([readOf("/ws/a")], { mode, lists: { ask: ["Read(/a)"] } })).toBe(asked);
    expect(verdict([], { mode, lists: { ask: ["AnyTool"] } })).toBe(asked);
  });

  test("no allow rule opens what plan mode refuses", () => {
    const lists = { allow: ["Edit", "Bash", "mcp__a", "AnyTool", "Agent"] };

    expect(verdict([writeOf("/ws/a")], { mode: "plan", lists })).toBe("deny");
    expect(verdict([runOf("npm test")], { mode: "plan", lists })).toBe("deny");
    expect(verdict([unknownOf("AnyTool")], { mode: "plan", lists })).toBe("deny");
    expect(verdict([{ kind: "delegate", agent: "a" }], { mode: "plan", lists })).toBe("deny");
  });

  test("plan mode connects by rule", () => {
    const lists = { allow: ["WebFetch(domain:a.org)"] };

    expect(verdict([{ kind: "connect", host: "a.org" }], { mode: "plan", lists })).toBe("allow");
  });

  test("plan mode says that it is plan mode", () => {
    const decision = decide(requestOf([writeOf("/ws/a.ts")], { mode: "plan" }));

    expect(decision).toMatchObject({
      kind: "deny",
      reason: "Plan mode changes no file. It would write to a.ts.",
      rule: { scope: "mode", list: "deny" },
    });
  });

  test("an allowed command brings what it alone can know, and nothing of another", () => {
    const lists = { allow: ["Bash(npm test)"] };

    expect(verdict([runOf("npm test"), unknownOf("npm")], { lists })).toBe("allow");
    expect(verdict([runOf("npm test"), unknownOf("shell")], { lists })).toBe("ask");
    expect(verdict([runOf("npm test"), unknownOf("mcp__x")], { lists })).toBe("ask");
  });

  test("a tool's own rule brings no other server", () => {
    const tool = { name: "mcp__a__b", touches: ["unknown"] } as const;
    const of = (rule: string, origin: string): string =>
      verdict([unknownOf(origin)], { tool, lists: { allow: [rule] } });

    expect(of("mcp__a__b", "mcp__a")).toBe("allow");
    expect(of("mcp__a__b", "mcp__other")).toBe("ask");
    expect(of("mcp__a", "mcp__a__b")).toBe("ask");
  });

  test("a denied server is denied whichever tool brings it", () => {
    expect(verdict([unknownOf("mcp__a")], { lists: { deny: ["mcp__a"] } })).toBe("deny");
    expect(verdict([unknownOf("mcp__b")], { lists: { deny: ["mcp__a"] } })).toBe("ask");
  });
});

describe("what a program does by itself", () => {
  const run = runOf("mkdir x");
  const own = { by: run.span };

  test.each([
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/ws/x"), ...own },
      is: "allow",
      because: "inside the workspace",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/tmp/x"), ...own },
      is: "ask",
      because: "a star names no folder outside",
    },
    {
      rule: "Bash(mkdir x)",
      effect: { ...writeOf("/tmp/x"), ...own },
      is: "allow",
      because: "the rule spells the command",
    },
    {
      rule: "Bash(mkdir *)",
      effect: writeOf("/ws/x"),
      is: "ask",
      because: "a redirection is the shell's doing",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/ws/.git/hooks/x"), ...own },
      is: "ask",
      because: "protected all the same",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...writeOf("/ws/x"), by: { start: 90, end: 99 } },
      is: "ask",
      because: "another program's",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { kind: "connect", host: "a.org", ...own },
      is: "allow",
      because: "its connection",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...readOf("/ws/x"), ...own },
      is: "allow",
      because: "inside the workspace",
    },
    {
      rule: "Bash(mkdir *)",
      effect: { ...readOf("/tmp/x"), ...own },
      is: "ask",
      because: "outside",
    },
  ] as const)("$rule and $effect: $is, $because", ({ rule, effect, is }) => {
    expect(verdict([run, effect], { lists: { allow: [rule] } })).toBe(is);
  });

  test("git keeps its own folder where a rule names the command, and no file in it", () => {
    const commit = runOf("git commit");
    const lists = { allow: ["Bash(git commit *)"] };
    const of = (path: string, lists_ = lists): string =>
      verdict([commit, { ...writeOf(path, "any", "tree"), by: commit.span }], { lists: lists_ });

    expect(of("/ws/.git")).toBe("allow");
    expect(of("/ws/.git/hooks")).toBe("ask");
    expect(of("/ws/.git", { allow: ["Edit"] })).toBe("ask");
    const copy = runOf("cp a .git");
    expect(
      verdict([copy, { ...writeOf("/ws/.git", "any", "tree"), by: copy.span }], {
        lists: { allow: ["Bash(cp *)"] },
      }),
    ).toBe("ask");
  });

  test("a word not known yet may be what a rule denies, in every mode", () => {
    const lists = { deny: ["Bash(git push *)"] };

    expect(verdict([runOf("git $X")], { lists, mode: "bypassPermissions" })).toBe("ask");
    expect(verdict([runOf("$X push")], { lists, mode: "bypassPermissions" })).toBe("ask");
    expect(verdict([runOf("npm $X")], { lists, mode: "bypassPermissions" })).toBe("allow");
  });
});

describe("the boundary", () => {
  const walled = { ...boundary, restrictToWorkspace: true };

  test("refuses what lies outside where it is a wall", () => {
    const decision = decide(requestOf([readOf("/etc/hosts")], { boundary: walled }));

    expect(decision).toMatchObject({
      kind: "deny",
      reason: "It would read /etc/hosts, outside the workspace, and this session is kept inside.",
    });
    expect(decision.kind === "deny" && denialCode(decision)).toBe("OUTSIDE_WORKSPACE");
  });

  test.each(allModes)("is a wall for rules and %s mode too", (mode) => {
    const more = { boundary: walled, lists: { allow: ["Read", "Edit", "AnyTool"] }, mode };

    expect(verdict([readOf("/etc/hosts")], more)).toBe("deny");
    expect(verdict([writeOf("/etc/hosts")], more)).toBe("deny");
    expect(verdict([readOf("/ws/a")], more)).toBe("allow");
  });

  test("another refusal has another code", () => {
    const decision = decide(requestOf([readOf("/ws/a")], { lists: { deny: ["Read(/a)"] } }));

    expect(decision.kind === "deny" && denialCode(decision)).toBe("PERMISSION_DENIED");
  });

  test("a read-only root is read and not written", () => {
    const more = { boundary: { ...boundary, readOnlyRoots: ["/data/artefacts"] } };

    expect(verdict([readOf("/data/artefacts/a")], more)).toBe("allow");
    expect(verdict([writeOf("/data/artefacts/a")], { ...more, mode: "acceptEdits" })).toBe("ask");
    expect(
      verdict([readOf("/data/artefacts/a")], {
        boundary: { ...walled, readOnlyRoots: ["/data/artefacts"] },
      }),
    ).toBe("allow");
  });

  test("additional folders are inside", () => {
    const more = { boundary: { ...boundary, roots: ["/ws", "/lib"] } };

    expect(verdict([readOf("/lib/a")], more)).toBe("allow");
    expect(verdict([writeOf("/lib/a")], { ...more, mode: "acceptEdits" })).toBe("allow");
  });
});

describe("links", () => {
  const requested = new Map([["/ws/real/a", ["/ws/link/a"]]]);
  const on = [writeOf("/ws/real/a")];

  test("a deny rule holds for the link and for its target", () => {
    expect(verdict(on, { requested, lists: { deny: ["Edit(/link/**)"] } })).toBe("deny");
    expect(verdict(on, { requested, lists: { deny: ["Edit(/real/**)"] } })).toBe("deny");
    expect(verdict(on, { requested, lists: { ask: ["Edit(/link/**)"], allow: ["Edit"] } })).toBe(
      "ask",
    );
  });

  test("an allow rule needs both", () => {
    expect(verdict(on, { requested, lists: { allow: ["Edit(/link/**)"] } })).toBe("ask");
    expect(verdict(on, { requested, lists: { allow: ["Edit(/real/**)"] } })).toBe("ask");
    expect(verdict(on, { requested, lists: { allow: ["Edit(/real/**)", "Edit(/link/**)"] } })).toBe(
      "ask",
    );
    expect(verdict(on, { requested, lists: { allow: ["Edit(/**)"] } })).toBe("allow");
  });

  test("a link outside every folder is left aside, as where the workspace itself is reached by one", () => {
    const outside = new Map([["/ws/real/a", ["/tmp/link/a"]]]);

    expect(verdict(on, { requested: outside, lists: { allow: ["Edit(/real/**)"] } })).toBe("allow");
  });
});

describe("parts of trees", () => {
  const lists = { deny: ["Read(./secrets/**)"], ask: ["Read(.env)"] };

  test("what rules name is left out of a granted tree", () => {
    const decision = decide(requestOf([readOf("/ws", "tree")], { lists }));

    expect(decision.kind).toBe("allow");
    if (decision.kind !== "allow") return;
    expect(decision.grant.exclusions).toEqual([
      { root: "/ws", pattern: "/secrets/**", rule: "Read(./secrets/**)" },
      { root: "/ws", pattern: ".env", rule: "Read(.env)" },
    ]);
    expect(decision.grant.excludes("/ws/secrets/a", "read")).toBe("Read(./secrets/**)");
    expect(decision.grant.excludes("/ws/a/.env", "read")).toBe("Read(.env)");
    expect(decision.grant.excludes("/ws/src/a", "read")).toBeUndefined();
    expect(decision.trail.map(({ text }) => text)).toContain(
      "What Read(./secrets/**) (user) names is left out.",
    );
  });

  test("a tree apart from them is whole", () => {
    const decision = decide(
      requestOf([readOf("/ws/src", "tree")], { lists: { deny: lists.deny } }),
    );

    expect(decision.kind === "allow" && decision.grant.exclusions).toEqual([]);
  });

  test("a tree that lies in them is denied", () => {
    expect(verdict([readOf("/ws/secrets", "tree")], { lists })).toBe("deny");
    expect(verdict([readOf("/ws/secrets/a", "tree")], { lists })).toBe("deny");
  });

  test("a program cannot be told to leave them out, unless a sandbox does", () => {
    const on = [runOf("grep -r x .", { consequences: "listed" }), readOf("/ws", "tree")];

    expect(verdict(on, { lists })).toBe("ask");
    expect(verdict(on, { lists, mode: "bypassPermissions" })).toBe("ask");
    expect(verdict(on, { lists, confined: true })).toBe("allow");
    expect(
      verdict([on[0] ?? unknownOf(""), readOf("/ws/src", "tree")], { lists: { deny: lists.deny } }),
    ).toBe("allow");
  });

  test("a written tree leaves out what is denied to be read, and protected paths", () => {
    const decision = decide(
      requestOf([writeOf("/ws", "any", "tree")], { lists, mode: "acceptEdits" }),
    );

    expect(decision.kind).toBe("allow");
    if (decision.kind !== "allow") return;
    expect(decision.grant.excludes("/ws/secrets/a", "write")).toBe("Read(./secrets/**)");
    expect(decision.grant.excludes("/ws/.git/config", "write")).toBe("Edit(.git)");
    expect(decision.grant.excludes("/ws/src/a", "write")).toBeUndefined();
    expect(decision.grant.exclusions).toContainEqual({
      root: "/ws",
      pattern: ".git",
      rule: "Edit(.git)",
    });
  });

  test("bypassPermissions leaves out only what is denied", () => {
    const decision = decide(
      requestOf([writeOf("/ws", "any", "tree")], { lists, mode: "bypassPermissions" }),
    );

    if (decision.kind !== "allow") throw new TypeError(decision.kind);
    expect(decision.grant.excludes("/ws/.git/config", "write")).toBeUndefined();
    expect(decision.grant.excludes("/ws/secrets/a", "write")).toBe("Read(./secrets/**)");
  });

  test("an allow rule for what is inside a folder allows the folder as a tree", () => {
    expect(
      verdict([readOf("/srv/a/b", "tree")], { lists: { allow: ["Read(//srv/a/b/**)"] } }),
    ).toBe("allow");
    expect(verdict([readOf("/srv/a", "tree")], { lists: { allow: ["Read(//srv/a/b/**)"] } })).toBe(
      "ask",
    );
    expect(
      verdict([readOf("/srv/a/b", "tree")], { lists: { allow: ["Read(//srv/a/b/*.md)"] } }),
    ).toBe("ask");
  });
});

describe("taint", () => {
  const taint = { untrustedSeen: true, privateRead: true };
  const fetch = [{ kind: "connect", host: "a.example.com" }] as const;
  const npm = [runOf("npm test"), unknownOf("npm")];
  const named = { name: "mcp__a__b", touches: ["unknown"] } as const;

  test.each([
    { on: fetch, allow: ["WebFetch"], is: "ask", because: "a bare name names no host" },
    { on: fetch, allow: ["WebFetch(domain:*)"], is: "ask", because: "nor does a star" },
    {
      on: fetch,
      allow: ["WebFetch(domain:*.example.com)"],
      is: "allow",
      because: "the domain is named",
    },
    {
      on: fetch,
      allow: ["WebFetch(domain:a.example.com)"],
      is: "allow",
      because: "the host is named",
    },
    { on: npm, allow: ["Bash"], is: "ask", because: "a bare name names no program" },
    { on: npm, allow: ["Bash(*)"], is: "ask", because: "nor does a star" },
    { on: npm, allow: ["Bash(* test)"], is: "ask", because: "nor a star for the program" },
    { on: npm, allow: ["Bash(npm *)"], is: "allow", because: "the program is named" },
  ])("$allow: $is, $because", ({ on, allow, is }) => {
    expect(verdict(on, { taint, lists: { allow } })).toBe(is);
  });

  test("no mode and no built-in rule lets data out", () => {
    const builtIn = [{ on: "connect", says: "open" }] as const;

    expect(verdict(fetch, { builtIn })).toBe("allow");
    expect(verdict(fetch, { builtIn, taint })).toBe("ask");
    expect(verdict(fetch, { mode: "bypassPermissions" })).toBe("allow");
    expect(verdict(fetch, { mode: "bypassPermissions", taint })).toBe("ask");
    expect(verdict(npm, { mode: "bypassPermissions", taint })).toBe("ask");
    expect(verdict([unknownOf("AnyTool")], { mode: "bypassPermissions", taint })).toBe("ask");
    expect(verdict(fetch, { mode: "dontAsk", taint })).toBe("deny");
  });

  test("what stays inside is as before", () => {
    expect(verdict([readOf("/ws/a")], { taint })).toBe("allow");
    expect(verdict([writeOf("/ws/a")], { taint, mode: "acceptEdits" })).toBe("allow");
    expect(verdict([runOf("ls", { consequences: "listed" })], { taint })).toBe("allow");
  });

  test("a rule for the very tool names it, a family name does not", () => {
    const lists = { allow: ["mcp__a__b"] };

    expect(verdict([unknownOf("mcp__a")], { taint, tool: named, lists })).toBe("allow");
    const fetchTool = { name: "WebFetch", touches: ["connect"] } as const;
    expect(verdict(fetch, { taint, tool: fetchTool, lists: { allow: ["WebFetch"] } })).toBe("ask");
  });

  test("both must have happened; a read of the call itself counts", () => {
    const more = { mode: "bypassPermissions" } as const;
    const half = { untrustedSeen: true, privateRead: false };

    expect(verdict(fetch, { ...more, taint: half })).toBe("allow");
    expect(verdict(fetch, { ...more, taint: { untrustedSeen: false, privateRead: true } })).toBe(
      "allow",
    );
    expect(verdict([readOf("/ws/a"), ...fetch], { ...more, taint: half })).toBe("ask");
  });

  test("the question says what has met", () => {
    const decision = decide(requestOf(fetch, { taint }));

    expect(decision).toMatchObject({
      kind: "ask",
      reason:
        "This session has read private files and content from outside, so what could carry data out needs your word or a rule of yours that names it.",
      rule: { scope: "taint" },
      suggestion: "WebFetch(domain:a.example.com)",
    });
  });
});

describe("what a person reads", () => {
  const of = (on: readonly Effect[]): string => {
    const decision = decide(requestOf(on));
    return decision.kind === "ask" ? `${decision.question} ${decision.reason}` : decision.kind;
  };

  test.each([
    [
      [writeOf("/ws/src/a.ts")],
      "Write to src/a.ts? It is inside the workspace; default mode asks before files change.",
    ],
    [
      [writeOf("/ws/a", "create")],
      "Create a? It is inside the workspace; default mode asks before files change.",
    ],
    [
      [writeOf("/ws/a", "delete")],
      "Delete a? It is inside the workspace; default mode asks before files change.",
    ],
    [
      [writeOf("/ws/a", "delete", "tree")],
      "Delete a and everything in it? It is inside the workspace; default mode asks before files change.",
    ],
    [[readOf(`${home}/x`)], "Read ~/x? It lies outside the workspace."],
    [[readOf("/srv/x", "tree")], "Read everything in /srv/x? It lies outside the workspace."],
    [
      [{ kind: "connect", host: "a.org", port: 8080 }],
      "Connect to a.org:8080? Default mode asks before anything is sent to the network.",
    ],
    [
      [runOf("A=1 npm run $X")],
      "Run `A=1 npm run …`? Such a program may do anything, so default mode asks before it runs.",
    ],
    [
      [unknownOf("AnyTool")],
      "Let AnyTool do what cannot be foreseen (AnyTool may do anything)? AnyTool may do anything. What it does is not known here, so a person decides.",
    ],
    [
      [writeOf("/ws/a"), writeOf("/ws/b")],
      "Write to a and write to b? It is inside the workspace; default mode asks before files change.",
    ],
    [
      ["a", "b", "c", "d", "e"].map((name) => writeOf(`/ws/${name}`)),
      "Write to a, write to b, write to c and 2 more? It is inside the workspace; default mode asks before files change.",
    ],
    [
      [writeOf("/ws/.npmrc")],
      "Write to .npmrc? Write to .npmrc changes what runs by itself or what this session may do, so no rule answers it.",
    ],
  ] as const)("%j", (on, text) => {
    expect(of(on)).toBe(text);
  });

  test("a rule is named with its file and line", () => {
    const { rules } = rulesOf({ deny: ["Read(/a)"] });
    const [first] = rules.rules;
    expect(first?.ref).toEqual({ rule: "Read(/a)", list: "deny", scope: "user" });
    const decision = decide(requestOf([readOf("/ws/a")], { rules }));

    expect(decision).toMatchObject({ reason: "Read(/a) (user) does not let this call read a." });
  });

  test("a refused tool is named", () => {
    const decision = decide(requestOf([], { lists: { deny: ["AnyTool"] } }));

    expect(decision).toMatchObject({ reason: "AnyTool (user) does not let AnyTool be used." });
  });

  test("dontAsk says what it would have asked", () => {
    const decision = decide(requestOf([writeOf("/ws/a")], { mode: "dontAsk" }));

    expect(decision).toMatchObject({
      kind: "deny",
      reason:
        "It is inside the workspace; dontAsk mode asks before files change. dontAsk mode refuses what would be asked.",
      rule: { scope: "mode", rule: "dontAsk" },
    });
  });

  test("each effect of an allowed call has its reason", () => {
    const decision = decide(
      requestOf([readOf("/ws/a"), writeOf("/ws/b")], { lists: { allow: ["Edit(/b)"] } }),
    );

    expect(decision.trail.map(({ verdict: kind, text }) => `${kind}: ${text}`)).toEqual([
      "allow: Files inside the workspace may be read.",
      "allow: Edit(/b) (user) allows it.",
    ]);
    expect(decision).toMatchObject({ kind: "allow", rule: { scope: "mode" } });
  });
});

test("deciding never changes a request", () => {
  const request = requestOf([writeOf("/ws/a")], { tool: Object.freeze({ ...anyTool }) });

  expect(decide(Object.freeze(request))).toEqual(decide(request));
});
