import { describe, expect, test } from "vitest";
import {
  boundary,
  home,
  readOf,
  requestOf,
  runOf,
  verdict,
  writeOf,
} from "../../../test/policy/policy-world.ts";
import { isWithin, loadSecretTables } from "../../text/index.ts";
import { type Effect, type ExecuteEffect } from "../../core/index.ts";
import type { Boundary } from "./boundary.ts";
import { decide } from "./decide.ts";
import type { DecideRequest } from "./request.ts";

const { secretPlaces } = await loadSecretTables();

const secrets = secretPlaces({
  homes: [home],
  variables: { KUBECONFIG: "/ws/kube:/srv/kube", XDG_CONFIG_HOME: "/xdg", CODEX_HOME: "/ws" },
  workspace: "/ws",
  add: ["~/.ours", "/srv/keys"],
  open: ["~/.condarc"],
});
/** A workspace that is the home directory as well. */
const inHome = { boundary: { ...boundary, roots: ["/ws", home], secrets } };

describe("secrets", () => {
  test.each([
    [`${home}/.aws/credentials`, "a directory of the table"],
    [`${home}/.SSH/id`, "letter case, as some file systems see it"],
    [`${home}/.zsh_history`, "a name with a star"],
    [`${home}/.ours/x`, "added by a setting"],
    ["/xdg/gcloud/x", "where XDG puts it"],
    ["/ws/kube", "where a variable puts it, inside the workspace"],
    ["/ws/auth.json", "a part of what a variable names"],
    ["/etc/shadow", "of the machine"],
    ["/srv/keys/a", "added, absolute"],
  ])("%s is asked about in every mode but one: %s", (path) => {
    const lists = { allow: ["Read", "Read(//**)", "Read(~/**)"] };

    expect(verdict([readOf(path)], { ...inHome, lists })).toBe("ask");
    expect(verdict([writeOf(path)], { ...inHome, lists, mode: "acceptEdits" })).toBe("ask");
    expect(verdict([readOf(path)], { ...inHome, mode: "bypassPermissions" })).toBe("allow");
  });

  test("what settings open, and what is not a secret, is read like any other file", () => {
    expect(verdict([readOf(`${home}/.condarc`)], inHome)).toBe("allow");
    expect(verdict([readOf(`${home}/notes`)], inHome)).toBe("allow");
    expect(verdict([readOf("/ws/src/a.ts")], inHome)).toBe("allow");
  });

  test("a rule that begins at the secret answers, and is offered", () => {
    const effects = [readOf(`${home}/.aws/config`)];

    expect(verdict(effects, { ...inHome, lists: { allow: ["Read(~/.aws/**)"] } })).toBe("allow");
    expect(decide(requestOf(effects, inHome))).toMatchObject({ suggestion: expect.any(String) });
  });

  test("a tree that is read leaves them out, and tools learn by which rule", () => {
    const decision = decide(requestOf([{ kind: "read", path: home, scope: "tree" }], inHome));

    expect(decision.kind).toBe("allow");
    if (decision.kind === "deny") return;
    expect(decision.grant.excludes(`${home}/.aws/credentials`, "read")).toBe(`Read(/${home}/.aws)`);
    expect(decision.grant.excludes(`${home}/notes`, "read")).toBeUndefined();
    expect(decision.grant.exclusions).toContainEqual({
      root: home,
      pattern: "/Library/Keychains",
      rule: `Read(/${home}/Library/Keychains)`,
    });
  });

  test("a place of the machine that holds the workspace or the home directory is left open", () => {
    const service = secretPlaces({
      homes: ["/var/lib/jenkins"],
      variables: {},
      workspace: "/var/lib/jenkins/workspace/a",
    });

    expect(service.at("/var/lib/jenkins/workspace/a/file")).toBeUndefined();
    expect(service.at("/var/lib/jenkins/.ssh/id")).toBe("/var/lib/jenkins/.ssh");
  });
});

describe("a secret at /ws/keys", () => {
  const around: Boundary = {
    ...boundary,
    secrets: {
      at: (path) => (isWithin("/ws/keys", path) ? "/ws/keys" : undefined),
      below: (tree) => (tree === "/ws" ? ["/keys"] : []),
    },
  };
  const ref = { rule: "Read(//ws/keys)", list: "ask", scope: "built-in" };
  const cat = runOf("cat /ws/keys/a", { consequences: "listed" });
  const byCat = { ...readOf("/ws/keys/a"), by: cat.span };
  const answers = { allow: ["Read(/keys/**)", "Edit(/keys/**)"] };

  function asked(
    effects: readonly Effect[],
    allow: readonly unknown[],
    more: Partial<DecideRequest> = {},
  ): string {
    return verdict(effects, { boundary: around, lists: { allow }, ...more });
  }

  test("is named by the question, with the rule that keeps it", () => {
    const decision = decide(requestOf([readOf("/ws/keys/a")], { boundary: around }));

    expect(decision).toMatchObject({
      kind: "ask",
      rule: ref,
      reason: "Read keys/a touches a secret path; only a rule that names it allows that.",
    });
  });

  test("is one under the path that was asked for as well", () => {
    const requested = new Map([["/ws/target", ["/ws/keys/link"]]]);

    expect(verdict([readOf("/ws/target")], { boundary: around, requested })).toBe("ask");
    expect(verdict([readOf("/ws/target")], { boundary: around })).toBe("allow");
  });

  test("is read where settings let every session read it, and still not written", () => {
    const open = {
      boundary: { ...around, readOnlyRoots: ["/ws/keys"] },
      mode: "acceptEdits",
    } as const;

    expect(verdict([readOf("/ws/keys/a")], open)).toBe("allow");
    expect(verdict([writeOf("/ws/keys/a")], open)).toBe("ask");
  });

  test.each([
    { rule: "Read(/keys/**)", is: "allow", because: "the rule begins at the secret" },
    { rule: "Read(/keys/a)", is: "allow", because: "or in it" },
    { rule: "Read(/**)", is: "ask", because: "the rule is about the whole workspace" },
    { rule: "Read", is: "ask", because: "the rule names no path" },
    { rule: "Read(/keys/b)", is: "ask", because: "the rule names another file" },
    {
      rule: { rule: "Read(/keys/**)", modes: ["plan"] },
      is: "ask",
      because: "the rule is for another mode",
    },
    { rule: "Read(/{keys,open}/**)", is: "ask", because: "the rule is not about it alone" },
  ])("$rule and one file of it: $is, because $because", ({ rule, is }) => {
    expect(asked([readOf("/ws/keys/a")], [rule])).toBe(is);
  });

  test("as a tree needs a rule for all of it", () => {
    expect(asked([readOf("/ws/keys", "tree")], ["Read(/keys/**)"])).toBe("allow");
    expect(asked([readOf("/ws/keys", "tree")], ["Read(/keys/*.pem)"])).toBe("ask");
  });

  test.each([
    { rule: "Bash(cat /ws/keys/a)", is: "allow", because: "the rule spells the command" },
    { rule: "Bash(cat *)", is: "ask", because: "a star names no secret" },
    { rule: "Bash(ls)", is: "ask", because: "the rule names another command" },
  ])("$rule and a program that reads it: $is, because $because", ({ rule, is }) => {
    expect(asked([cat, byCat], [rule])).toBe(is);
  });

  test("is not answered by the rule for another program of the call", () => {
    const span = { start: 20, end: 34 };
    const other: ExecuteEffect = { ...cat, argv: ["less", "/ws/keys/a"], span };
    const same: ExecuteEffect = { ...other, span: cat.span };

    expect(asked([cat, other, byCat], ["Bash(less /ws/keys/a)"])).toBe("ask");
    expect(asked([cat, same, byCat], ["Bash(less /ws/keys/a)"])).toBe("ask");
    expect(asked([cat, same, byCat], ["Bash(* /ws/keys/a)", "Bash(cat /ws/keys/a)"])).toBe("ask");
    expect(asked([cat, same, byCat], ["Bash(less /ws/keys/a)", "Bash(cat /ws/keys/a)"])).toBe(
      "allow",
    );
    expect(asked([cat, { ...byCat, by: span }], ["Bash(cat /ws/keys/a)"])).toBe("ask");
    expect(asked([cat, readOf("/ws/keys/a")], ["Bash(cat /ws/keys/a)"])).toBe("ask");
  });

  test("is not answered by a rule whose words name it only from another directory", () => {
    const relative = runOf("cat a", { consequences: "listed" });

    expect(asked([relative, { ...byCat, by: relative.span }], ["Bash(cat a)"])).toBe("ask");
  });

  test("in a tree that a program reads is asked about where nothing hides it", () => {
    const grep = runOf("grep -r x", { consequences: "listed" });
    const tree = { ...readOf("/ws", "tree"), by: grep.span };
    const below = { boundary: around } as const;

    expect(decide(requestOf([grep, tree], below))).toMatchObject({
      kind: "ask",
      rule: ref,
      reason:
        "Read everything in the workspace reaches secret paths, and a program cannot be made to skip them.",
    });
    expect(verdict([tree], below)).toBe("allow");
    expect(verdict([grep, readOf("/ws", "tree")], below)).toBe("allow");
    expect(verdict([grep, { ...tree, path: "/ws/src" }], below)).toBe("allow");
    expect(verdict([grep, { ...tree, scope: "file" }], below)).toBe("allow");
    expect(
      verdict([grep, { ...writeOf("/ws", "any", "tree"), by: grep.span }], {
        ...below,
        mode: "acceptEdits",
      }),
    ).toBe("allow");
  });

  test("is no longer asked about where a rule for reading and one for writing name it", () => {
    expect(verdict([readOf("/ws/keys/a")], { boundary: around, lists: answers })).toBe("allow");
    expect(verdict([writeOf("/ws/keys/a")], { boundary: around, lists: answers })).toBe("allow");
    expect(asked([writeOf("/ws/keys/a")], ["Read(/keys/**)", "Edit"])).toBe("ask");
  });
});
