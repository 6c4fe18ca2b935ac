import { expect, test } from "vitest";
import type { Ask, Effect } from "../../../core/index.ts";
import { approvalMessage } from "./approval.ts";

const ask: Ask = {
  kind: "permission",
  callId: "call-1",
  tool: "Bash",
  displayName: "Run a command",
  input: {
    command: "X=1 rm 'a b'\nIt would:\n  touch nothing\u202E",
    timeout: 5,
    long: "x".repeat(2100),
  },
  effects: [
    {
      kind: "execute",
      argv: ["rm", "a b", { dynamic: "$x" }],
      assigns: [{ name: "X", value: "1" }],
      via: ["sudo"],
      consequences: "open",
      span: { start: 0, end: 1 },
    },
    { kind: "write", path: "/p", scope: "tree", change: "delete" },
    { kind: "read", path: "/p/a", scope: "file" },
    { kind: "connect", host: "example.com", port: 80 },
    { kind: "delegate", agent: "other" },
    { kind: "interact" },
    { kind: "unknown", because: "rm may\nbe anything", origin: "rm" },
  ],
  question: "Run\nit?",
  reason: "Such a program can run arbitrary code.",
  suggestion: "Bash(rm *)\nEdit(/p/**)",
  preview: "-a\n+b",
  notUndoable: "/p: too large.",
  trail: [],
  refusals: 2,
};

test("no text of the input passes for a line of the question", () => {
  const shown = approvalMessage(ask);

  expect(shown.replace("x".repeat(1500), "xxx").replace("x".repeat(500), "xx"))
    .toMatchInlineSnapshot(`
    "Run a command: Run it?
    Why it asks: Such a program can run arbitrary code.
    Tool: Bash
    Input:
      command: X=1 rm 'a b'
        It would:
          touch nothing\\u{202e}
      timeout: 5
      long: xxx… (100 more characters) …xx
    It would:
      run X=1 sudo rm "a b" …
      delete /p and everything below
      read /p/a
      connect to example.com:80
      start or talk to the agent other
      show something to you
      unknown effects: rm may
        be anything
    What would change:
      -a
      +b
    Cannot all be undone: /p: too large.
    This exact call was refused 2 times before.
    "Allow for this session" adds the rule: Bash(rm *), Edit(/p/**)"
  `);
});

test("of many effects twenty are shown and the rest counted", () => {
  const effects = Array.from({ length: 23 }, (_, index): Effect => ({
    kind: "read",
    path: `/p/${index}`,
    scope: "file",
  }));
  const lines = approvalMessage({ ...ask, effects }).split("\n");

  expect(lines).toContain("  read /p/19");
  expect(lines).not.toContain("  read /p/20");
  expect(lines).toContain("  and 3 more");
});

test("of a long command beginning and end are shown, and of many effects those that matter most", () => {
  const reads = Array.from({ length: 25 }, (_, at): Effect => {
    return { kind: "read", path: `/p/${at}`, scope: "file" };
  });
  const { preview: _none, ...withoutDiff } = ask;

  const shown = approvalMessage({
    ...withoutDiff,
    input: { command: `cat ${"a ".repeat(8000)}; rm b` },
    effects: [
      ...reads,
      { kind: "write", path: "/p/b", scope: "file", change: "delete" },
      { kind: "unknown", because: "it may be anything", origin: "x" },
    ],
  });

  expect(shown).toContain("a ; rm b\n");
  expect(shown).toContain("… (6010 more characters) …");
  expect(shown.slice(shown.indexOf("It would:")).split("\n").slice(0, 4)).toEqual([
    "It would:",
    "  unknown effects: it may be anything",
    "  delete /p/b",
    "  read /p/0",
  ]);
  expect(shown).toContain("  and 7 more\n");
});
