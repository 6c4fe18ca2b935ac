import { describe, expect, test } from "vitest";
import {
  allModes,
  boundary,
  readOf,
  requestOf,
  runOf,
  unknownOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import { decide, denialCode } from "./decide.ts";

describe("the boundary", () => {
  const walled = { ...boundary, restrictToWorkspace: true };

  test("refuses what lies outside where it is a wall", () => {
    const decision = decide(requestOf([readOf("/etc/hosts")], { boundary: walled }));

    expect(decision).toMatchObject({
      kind: "deny",
      reason:
        "It would read /etc/hosts, outside the workspace, and this session is restricted to it.",
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
    const more = { boundary: { ...boundary, readOnlyRoots: ["/data/artifacts"] } };

    expect(verdict([readOf("/data/artifacts/a")], more)).toBe("allow");
    expect(verdict([writeOf("/data/artifacts/a")], { ...more, mode: "acceptEdits" })).toBe("ask");
    expect(
      verdict([readOf("/data/artifacts/a")], {
        boundary: { ...walled, readOnlyRoots: ["/data/artifacts"] },
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

  test("in doubt whether the link is a folder a deny rule holds", () => {
    const link = new Map([["/ws/real/a", ["/ws/link"]]]);

    expect(verdict(on, { requested: link, lists: { deny: ["Edit(/link/)"] } })).toBe("deny");
  });

  test("an allow rule needs both", () => {
    expect(verdict(on, { requested, lists: { allow: ["Edit(/link/**)"] } })).toBe("ask");
    expect(verdict(on, { requested, lists: { allow: ["Edit(/real/**)"] } })).toBe("ask");
    expect(verdict(on, { requested, lists: { allow: ["Edit(/real/**)", "Edit(/link/**)"] } })).toBe(
      "ask",
    );
    expect(verdict(on, { requested, lists: { allow: ["Edit(/**)"] } })).toBe("allow");
  });

  test("an allow rule needs every way the file was asked for", () => {
    const twice = new Map([["/ws/real/a", ["/ws/real/b", "/ws/link/a"]]]);

    expect(verdict(on, { requested: twice, lists: { allow: ["Edit(/real/**)"] } })).toBe("ask");
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

  test("in doubt whether it is a folder, what is named is left out", () => {
    const decision = decide(
      requestOf([readOf("/ws", "tree")], { lists: { deny: ["Read(keys/)"] } }),
    );

    expect(decision.kind === "allow" && decision.grant.excludes("/ws/keys", "read")).toBe(
      "Read(keys/)",
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

  test("a program cannot be told to leave them out", () => {
    const on = [runOf("grep -r x .", { consequences: "listed" }), readOf("/ws", "tree")];

    expect(verdict(on, { lists })).toBe("ask");
    expect(verdict(on, { lists, mode: "bypassPermissions" })).toBe("ask");
    expect(
      verdict([on[0] ?? unknownOf(""), readOf("/ws/src", "tree")], { lists: { deny: lists.deny } }),
    ).toBe("allow");
  });

  const span = { start: 0, end: 20 };
  const inside = { start: 3, end: 4 };

  test.each([
    { argv: ["ls", "-la"], is: "allow", because: "names only" },
    { argv: ["/bin/find", "."], is: "allow", because: "names only" },
    { argv: ["git", "status"], is: "allow", because: "names only" },
    { argv: ["git", "diff"], is: "ask", because: "content" },
    { argv: ["grep", "-r", "x"], is: "ask", because: "content" },
    { argv: ["git"], is: "ask", because: "not known which" },
    { argv: [{ dynamic: "$X" }], is: "ask", because: "not known which" },
  ] as const)("a program shows names or content: $argv, $is, $because", ({ argv, is }) => {
    const run = runOf("", { argv, span, consequences: "listed" });

    expect(verdict([run, { ...readOf("/ws", "tree"), span: inside }], { lists })).toBe(is);
    expect(verdict([run, { ...readOf("/ws", "tree"), by: span }], { lists })).toBe(is);
    expect(verdict([run, readOf("/ws", "tree")], { lists })).toBe("ask");
    const away = { ...readOf("/ws", "tree"), span: { start: 30, end: 31 } };
    expect(verdict([run, away], { lists })).toBe("ask");
    expect(verdict([run, { ...readOf("/ws/secrets", "tree"), span: inside }], { lists })).toBe(
      "deny",
    );
  });

  test("the innermost program counts, and one with open consequences never", () => {
    const find = runOf("", { argv: ["find", "."], span, consequences: "listed" });
    const grep = runOf("", {
      argv: ["grep", "x"],
      span: { start: 2, end: 9 },
      consequences: "listed",
    });
    const read = { ...readOf("/ws", "tree"), span: inside };

    expect(verdict([find, grep, read], { lists })).toBe("ask");
    expect(verdict([grep, find, read], { lists })).toBe("ask");
    expect(
      verdict([{ ...find, consequences: "open" }, read], { lists, mode: "bypassPermissions" }),
    ).toBe("ask");
  });

  test("a program that writes a tree is asked about for what has a place there or must not be written", () => {
    const on = [runOf("mv a b", { consequences: "listed" }), writeOf("/ws/b", "any", "tree")];
    const of = (deny: string): string =>
      verdict(on, { mode: "acceptEdits", lists: { deny: [deny] } });

    expect(of("Read(.env)")).toBe("allow");
    expect(of("Edit(.env)")).toBe("ask");
    expect(of("Read(/b/k)")).toBe("ask");
    expect(of("Read(/c/k)")).toBe("allow");
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

  test("what may be taint holds back only what the built-in layer allows", () => {
    const page = [{ kind: "connect", host: "a.org", port: 443, reach: "public" } as const];
    const maybe = {
      untrustedSeen: false,
      privateRead: false,
      mayBeUntrusted: true,
      mayBePrivate: true,
    };

    expect(verdict(page, {})).toBe("allow");
    expect(verdict(page, { taint: maybe })).toBe("ask");
    expect(verdict(page, { taint: { ...maybe, mayBePrivate: false } })).toBe("allow");
    expect(verdict(page, { taint: { ...maybe, mayBeUntrusted: false } })).toBe("allow");
    expect(verdict(page, { taint: maybe, mode: "bypassPermissions" })).toBe("allow");
    expect(verdict(page, { taint: maybe, lists: { allow: ["WebFetch(domain:*)"] } })).toBe("allow");
    expect(verdict([unknownOf("AnyTool")], { taint: maybe, mode: "bypassPermissions" })).toBe(
      "allow",
    );
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
        "This session has read private files and content from outside, so anything that could carry data out needs your approval or your own rule that names it.",
      rule: { scope: "taint" },
      suggestion: "WebFetch(domain:a.example.com)",
    });
  });
});
