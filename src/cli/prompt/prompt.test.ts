import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { Ask } from "../../index.ts";
import { fakeTerminal } from "../../../test/fakes/fake-terminal.ts";
import { cliWorld, haft } from "../../../test/support/cli.ts";
import { prompter } from "./prompt.ts";

const ask: Ask = {
  kind: "permission",
  callId: "call-1",
  tool: "Bash",
  displayName: "Run a command",
  input: { command: "npm test", timeout: 5 },
  effects: [],
  question: "Run `npm test`?",
  reason: "Such a program can run arbitrary code.",
  suggestion: "Bash(npm test)",
  trail: [{ verdict: "ask", text: "Such a program can run arbitrary code." }],
  refusals: 0,
};

async function answer(answers: readonly string[], change: Partial<Ask> = {}) {
  const terminal = fakeTerminal({ answers });
  const given = await prompter(terminal)({ ...ask, ...change }, { signal: undefined });
  return { given, terminal };
}

test("a person sees what, why, the input and the rule that always would save", async () => {
  const { terminal } = await answer(["y"]);

  expect(terminal.errors()).toMatchInlineSnapshot(`
    "
    Run a command: Run \`npm test\`?
      Such a program can run arbitrary code.
      command: npm test
      timeout: 5
      always would save Bash(npm test)
    "
  `);
  expect(terminal.questions).toEqual([
    "y once, a always, e edit, n deny, N deny all, q stop, ? why > ",
  ]);
  expect(terminal.output()).toBe("");
});

test.each([
  [["y"], { kind: "once" }],
  [["yes"], { kind: "once" }],
  [["", "x", "y"], { kind: "once" }],
  [["n", ""], { kind: "deny" }],
  [["n", " not now "], { kind: "deny", reason: "not now" }],
  [["N", "all of it"], { kind: "deny-all", reason: "all of it" }],
  [["q"], { kind: "abort" }],
  [["?", "q"], { kind: "abort" }],
  [[], { kind: "abort" }],
  [["n"], { kind: "abort" }],
  [["e", '{"command": "ls"}'], { kind: "edit", input: { command: "ls" } }],
  [["e", "{oops", '{"command": "ls"}'], { kind: "edit", input: { command: "ls" } }],
  [["a", "", ""], { kind: "save", rule: "Bash(npm test)", scope: "session" }],
  [["a", "Bash(npm *)", "l"], { kind: "save", rule: "Bash(npm *)", scope: "local" }],
  [["a", "", "what", "p"], { kind: "save", rule: "Bash(npm test)", scope: "project" }],
  [["a", "", "u"], { kind: "save", rule: "Bash(npm test)", scope: "user" }],
])("typing %j answers %j", async (answers, expected) => {
  const { given } = await answer(answers);

  expect(given).toEqual(expected);
});

test("the rule to save is prefilled for editing; several rules are saved as they are", async () => {
  const one = await answer(["a", "", "s"]);
  const several = await answer(["a", "s"], { suggestion: "Bash(npm test)\nEdit(/log.txt)" });
  const unseen = await answer(["a", "s"], { suggestion: "Edit(/a\u202Eb)" });

  expect(one.terminal.questions[1]).toBe("Rule to save: Bash(npm test)");
  expect(unseen.terminal.errors()).toContain("always would save Edit(/a\\u{202e}b)\n");
  expect(unseen.given).toEqual({ kind: "save", rule: "Edit(/a\u202Eb)", scope: "session" });
  expect(several.terminal.errors()).toContain("Bash(npm test), Edit(/log.txt)");
  expect(several.given).toEqual({
    kind: "save",
    rule: "Bash(npm test)\nEdit(/log.txt)",
    scope: "session",
  });
});

test("without a rule narrow enough there is no always", async () => {
  const { suggestion: _none, ...withoutRule } = ask;
  const terminal = fakeTerminal({ answers: ["a", "n", ""] });

  const given = await prompter(terminal)(withoutRule, { signal: undefined });

  expect(given).toEqual({ kind: "deny" });
  expect(terminal.questions[0]).not.toContain("always");
  expect(terminal.errors()).toContain("No rule is narrow enough");
});

test("the input is offered in the line where it is edited", async () => {
  const { terminal } = await answer(["e", "{}"]);

  expect(terminal.questions[1]).toBe('Input as JSON: {"command":"npm test","timeout":5}');
});

test("what would not be seen in that line is spelled", async () => {
  const { terminal } = await answer(["e", "{}"], { input: { command: "rm \u202E\u0085" } });

  expect(terminal.questions[1]).toBe(String.raw`Input as JSON: {"command":"rm \u202e\u0085"}`);
});

test("? shows the reasoning and asks again", async () => {
  const { terminal } = await answer(["?", "y"]);

  expect(terminal.errors()).toContain("  ask: Such a program can run arbitrary code.\n");
  expect(terminal.questions).toHaveLength(2);
});

test("an input cannot paint over the question", async () => {
  const { terminal } = await answer(["n", ""], {
    input: { command: "rm -r x\r\u001B[2Kls\u202E" },
    question: "Run `\u001B[8mrm`?",
    preview: "+\u001B[1Ahidden",
  });

  expect(terminal.errors()).not.toMatch(/(?![\n\t])[\p{Cc}\u202E]/u);
  expect(terminal.errors()).toContain("command: rm -r x␍␛[2Kls");
});

test("a diff is shown, what cannot be undone, and that the very call was refused before", async () => {
  const { terminal } = await answer(["n", ""], {
    preview: "@@ -1 +1 @@\n-a\n+b\n",
    notUndoable: "Not all of it can be undone: /big: too large.",
    refusals: 2,
  });

  expect(terminal.errors()).toContain("  @@ -1 +1 @@\n  -a\n  +b\n");
  expect(terminal.errors()).toContain("  Not all of it can be undone: /big: too large.\n");
  expect(terminal.errors()).toContain("This exact call was refused 2 times before.");
});

test("long text is cut in the open, and its end is seen", async () => {
  const { terminal } = await answer(["y"], {
    input: { command: `cat ${"a ".repeat(8000)}; rm b` },
  });

  expect(terminal.errors()).toContain("a … (6010 more characters) …a ");
  expect(terminal.errors()).toContain("a ; rm b\n");
});

test("next to a diff, a command is shown in full, and a call that only changes files by its first line", async () => {
  const command = "make\ncurl example.com";
  const preview = "+a\n";
  const runs = await answer(["y"], {
    input: { command },
    effects: [{ kind: "unknown", because: "it can run arbitrary code", origin: "make" }],
    preview,
  });
  const writes = await answer(["y"], {
    input: { content: "a\nb" },
    effects: [{ kind: "write", path: "/a", scope: "file", change: "create" }],
    preview,
  });

  expect(runs.terminal.errors()).toContain("command: make\n    curl example.com\n");
  expect(writes.terminal.errors()).toContain("content: a… (2 more characters)\n");
});

test("yes runs a call, and its diff was shown before", async () => {
  await using world = await cliWorld({ "a.txt": "one\ntwo\n" });
  const words = ["call", "Edit", "file_path=a.txt", "old_string=two", "new_string=2"];

  const { code, err } = await haft(words, { world, answers: ["y"] });

  expect(code).toBe(0);
  expect(err).toContain("  -two\n  +2\n");
  expect(await readFile(path.join(world.workspace, "a.txt"), "utf8")).toBe("one\n2\n");
});

test.each([
  [["n", "not that file"], 3, "The user said no: not that file"],
  [["N", ""], 3, "The user said no."],
  [["q"], 130, "ended this turn"],
  [[], 130, "ended this turn"],
])("answering %j to a call exits with %i", async (answers, exit, says) => {
  await using world = await cliWorld();

  const words = ["call", "Write", "file_path=x.txt", "content=hi"];
  const { code, err } = await haft(words, { world, answers });

  expect(code).toBe(exit);
  expect(err).toContain(says);
});

test("an edited input runs in place of the one that was asked about", async () => {
  await using world = await cliWorld();
  const edited = '{"file_path": "y.txt", "content": "changed"}';

  const words = ["call", "Write", "file_path=x.txt", "content=hi"];
  const { code } = await haft(words, { world, answers: ["e", edited, "y"] });

  expect(code).toBe(0);
  expect(await readFile(path.join(world.workspace, "y.txt"), "utf8")).toBe("changed");
  await expect(readFile(path.join(world.workspace, "x.txt"))).rejects.toThrow("ENOENT");
});

const choice: Partial<Ask> = {
  kind: "question",
  displayName: "Ask the user",
  question: "Which database?",
  reason: "Storage",
  options: [{ label: "SQLite", description: "One file." }, { label: "Postgres" }],
};

test("a question shows its choices by number", async () => {
  const { terminal } = await answer(["2"], choice);

  expect(terminal.errors()).toBe(
    "\nAsk the user: Which database?\n  Storage\n  1 SQLite: One file.\n  2 Postgres\n",
  );
  expect(terminal.questions).toEqual(["number, or your own words; s skip, q stop > "]);
});

test.each([
  [["2"], {}, { kind: "answer", choices: ["Postgres"] }],
  [["", "3", "1"], {}, { kind: "answer", choices: ["SQLite"] }],
  [["1 2", "1"], {}, { kind: "answer", choices: ["SQLite"] }],
  [["1, 2"], { isMultiSelect: true }, { kind: "answer", choices: ["SQLite", "Postgres"] }],
  [["neither"], {}, { kind: "answer", choices: [], text: "neither" }],
  [["42"], { options: [] }, { kind: "answer", choices: [], text: "42" }],
  [["s"], {}, { kind: "deny" }],
  [["q"], {}, { kind: "abort" }],
  [[], {}, { kind: "abort" }],
])("typing %j at a question with %j answers %j", async (answers, change, expected) => {
  const { given } = await answer(answers, { ...choice, ...change });

  expect(given).toEqual(expected);
});

test.each([
  [["y"], { kind: "once" }],
  [["n", "too much"], { kind: "deny", reason: "too much" }],
  [["e", '{"plan": "less"}'], { kind: "edit", input: { plan: "less" } }],
  [["", "x", "q"], { kind: "abort" }],
  [[], { kind: "abort" }],
])("typing %j at a plan answers %j", async (answers, expected) => {
  const plan = { kind: "plan", input: { plan: "1. Test\n2. Build" } } as const;
  const { given, terminal } = await answer(answers, plan);

  expect(given).toEqual(expected);
  expect(terminal.errors()).toContain("\n  1. Test\n  2. Build\n");
});
