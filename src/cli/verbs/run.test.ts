import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { callOf, cliWorld, haft, scripted, settingsWorld } from "../../../test/support/cli.ts";

test("the last words go to standard output, what was done to standard error", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  const model = await scripted(world, [
    { text: "I look.", ...callOf("Read", { file_path: "a.txt" }) },
    { text: "It says one." },
  ]);

  const { code, out, err } = await haft(["run", ...model, "what", "does", "a.txt", "say"], {
    world,
  });

  expect({ code, out }).toEqual({ code: 0, out: "It says one.\n" });
  expect(err.replace(/session-\S+/u, "ID")).toMatchInlineSnapshot(`
    "Task: what does a.txt say
    Model: script:test

    I look.

    ● Read file_path=a.txt
      allow by default: read-inside (mode)
      ✓ 1 line
        1	one

    It says one.
    0 tokens in, 0 out, 2 turns, 1 call; session ID
    "
  `);
});

test("in a terminal the last words are printed once", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "Nothing to do." }]);

  const { out, err } = await haft(["run", ...model, "rest"], {
    world,
    isInteractive: true,
    isOutputRead: true,
  });

  expect(`${out}${err}`.split("Nothing to do.")).toHaveLength(2);
});

test("answers of calls that run together stand under their calls", async () => {
  await using world = await cliWorld({ "a.txt": "first\n", "b.txt": "second\n" });
  const model = await scripted(world, [
    {
      calls: [
        { name: "Read", input: { file_path: "a.txt" } },
        { name: "Read", input: { file_path: "b.txt" } },
      ],
    },
    { text: "Done." },
  ]);

  const { err } = await haft(["run", ...model, "read both"], { world });
  const lines = err.split("\n").filter((line) => /●|\t/u.test(line));

  expect(lines.map((line) => line.trim())).toEqual([
    "● Read file_path=a.txt",
    "1	first",
    "● Read file_path=b.txt",
    "1	second",
  ]);
});

test("an edit shows its diff, a long answer its end", async () => {
  await using world = await cliWorld({ "a.txt": "one\ntwo\n" });
  const model = await scripted(world, [
    callOf("Read", { file_path: "a.txt" }),
    callOf("Edit", { file_path: "a.txt", old_string: "two", new_string: "2" }),
    callOf("Bash", { command: "seq 1 20" }),
    { text: "Done." },
  ]);

  const words = ["run", ...model, "edit", "--mode", "acceptEdits", "--allow", "Bash(seq *)"];
  const { code, err } = await haft(words, { world });

  expect(code).toBe(0);
  expect(err).toContain("  -two\n  +2\n");
  expect(err).toMatch(/ {4}… \d+ lines before\n/u);
  expect(err).toContain("    20\n");
  expect(await readFile(path.join(world.workspace, "a.txt"), "utf8")).toBe("one\n2\n");
});

test("--json prints a line for each event and the result last", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "Done." }]);

  const { code, out, err } = await haft(["run", ...model, "rest", "--json"], { world });
  const events = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });

  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(events[0]).toMatchObject({ type: "run-start", task: "rest" });
  expect(events.at(-1)).toMatchObject({ type: "result", status: "done", text: "Done." });
});

test.each([
  ["a call nobody could approve", [], 4],
  ["a call a rule denied", ["--deny", "Edit(x.txt)"], 3],
  ["a call that was allowed", ["--allow", "Edit(/x.txt)"], 0],
])("a run with %s exits with the code for it", async (_what, words, exit) => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    callOf("Write", { file_path: "x.txt", content: "x" }),
    { text: "Done." },
  ]);

  const { code, out, err } = await haft(["run", ...model, "write x", ...words], { world });

  expect({ code, out }).toEqual({ code: exit, out: "Done.\n" });
  expect(err.includes("refused: Write:")).toBe(exit !== 0);
});

test.each([
  ["one rule", "node -e 1", ["a", "", "s"]],
  ["several rules", "node -e 1 > log.txt", ["a", "s"]],
])(
  "always saves what was shown, %s, and the same call asks no more",
  async (_, command, answers) => {
    await using world = await cliWorld();
    const again = callOf("Bash", { command });
    const model = await scripted(world, [again, again, { text: "Done." }]);

    const { code, err, terminal } = await haft(["run", ...model, "twice"], { world, answers });

    expect(code).toBe(0);
    expect(terminal.questions).toHaveLength(answers.length);
    expect(err).toMatch(/always would save (?<rules>.*)\n[\s\S]*Saving \k<rules> \(session\)\./u);
    expect(err.match(/✓ exit code 0/gu)).toHaveLength(2);
  },
);

test("one answer for all calls refuses the rest of the turn, and the run continues", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    {
      calls: ["a", "b", "c"].map((name) => ({
        name: "Write",
        input: { file_path: name, content: "" },
      })),
    },
    { text: "I understand." },
  ]);

  const { code, out, terminal } = await haft(["run", ...model, "write"], {
    world,
    answers: ["N", "stay out"],
  });

  expect(code).toBe(3);
  expect(out).toBe("I understand.\n");
  expect(terminal.questions).toHaveLength(2);
});

test("stopping ends the run with 130", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    callOf("Write", { file_path: "a", content: "" }),
    { text: "Never said." },
  ]);

  const { code, out } = await haft(["run", ...model, "write"], { world, answers: ["q"] });

  expect(code).toBe(130);
  expect(out).not.toContain("Never said.");
});

test("a limit that is reached exits with 1 and says which", async () => {
  await using world = await cliWorld();
  const look = callOf("ListDir", {});
  const model = await scripted(world, [look, look, { text: "Done." }]);

  const { code, err } = await haft(["run", ...model, "look", "--max-turns", "1"], { world });

  expect(code).toBe(1);
  expect(err).toContain("LIMIT_REACHED");
  expect(err).toMatch(/\nContinue the session with --continue, or raise --max-turns\.\n$/u);
});

test("what went wrong is read once under its call, with its next step", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    callOf("Read", { file_path: "missing.txt" }),
    callOf("Read", {}),
    { text: "Done." },
  ]);

  const { err } = await haft(["run", ...model, "look"], { world });

  expect(err).toContain(
    "  ✗ NOT_FOUND: missing.txt does not exist.\n    Check the path; Glob finds files by name, ListDir shows a directory.\n",
  );
  expect(err.match(/does not fit its schema/gu)).toHaveLength(1);
});

test("-p prints the answer only", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });
  const model = await scripted(world, [
    { text: "I look.", ...callOf("Read", { file_path: "a.txt" }) },
    { text: "It says one." },
  ]);

  const { code, out, err } = await haft(["run", ...model, "-p", "look"], { world });

  expect({ code, out, err }).toEqual({ code: 0, out: "It says one.\n", err: "" });
});

test("--output-format json prints one document", async () => {
  await using world = await cliWorld();
  const model = await scripted(world, [
    callOf("Write", { file_path: "x.txt", content: "x" }),
    { text: "Done.", usage: { input: 3, output: 2 } },
  ]);

  const words = ["run", ...model, "--output-format", "json", "--deny", "Edit(x.txt)", "write"];
  const { code, out, err } = await haft(words, { world });

  expect({ code, err }).toEqual({ code: 3, err: "" });
  expect(JSON.parse(out)).toEqual({
    sessionId: expect.stringMatching(/^session-/u),
    runId: expect.stringMatching(/^run-/u),
    status: "done",
    tokensSaved: 0,
    text: "Done.",
    usage: { input: 3, output: 2, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
    costUsd: null,
    turns: 2,
    calls: 1,
    denials: [
      {
        callId: expect.stringMatching(/^call-/u),
        turn: 1,
        tool: "Write",
        code: "PERMISSION_DENIED",
        reason: expect.stringContaining("Edit(x.txt)"),
        rule: { rule: "Edit(x.txt)", list: "deny", scope: "option" },
      },
    ],
  });
});

test("--print-prompt prints the instructions in parts, and runs nothing", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["run", "--print-prompt"], { world });
  const own = await haft(["run", "--print-prompt", "--system", "Be brief."], { world });

  expect(code).toBe(0);
  expect(out).toMatch(/^# role \(haft; \d+ tokens\)\nYou work on a task/u);
  expect(own.out).toBe(
    "# system (--system; 3 tokens)\nBe brief.\n\n3 tokens in all, as estimated.\n",
  );
});

test.each([
  [["--resume", "nothing", "x"], "There is no session nothing."],
  [["--continue", "x"], "No session is stored for this workspace."],
  [["--continue", "--resume", "a", "x"], "--continue and --resume both name a session."],
  [
    ["--output-format", "yaml", "x"],
    '--output-format "yaml" is not one of text, json, stream-json.',
  ],
  [["--input-format", "csv", "x"], '--input-format "csv" is not one of text, stream-json.'],
  [["--max-cost", "much", "x"], '--max-cost "much" is not an amount above 0.'],
  [
    ["--max-cost", "1", "x"],
    "--max-cost needs the prices of script:test, which are not known. Set usdPerMTok in models.catalog of the settings, or remove --max-cost.",
  ],
])("%s is refused", async (words, says) => {
  await using world = await cliWorld();
  const model = await scripted(world, [{ text: "Done." }]);

  const { code, out, err } = await haft(["run", ...model, ...words], { world });

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
});

test.each([
  ["no task", ["--model", "script:x"], "What is the task?"],
  ["no model", ["do it"], "Which model?"],
  ["a model without a provider", ["do it", "--model", "gpt"], '"gpt" is not a model.'],
  ["a script that is not there", ["do it", "--model", "script:no.json"], "script no.json cannot"],
  ["a provider without a key", ["do it", "--model", "anthropic:x"], "ANTHROPIC_API_KEY"],
  ["half a turn", ["do it", "--model", "script:x", "--max-turns", "0.5"], '--max-turns "0.5"'],
  ["no deadline", ["do it", "--model", "script:x", "--deadline", "soon"], '--deadline "soon"'],
])("%s is an error of usage", async (_what, words, says) => {
  await using world = await cliWorld();

  const { code, out, err } = await haft(["run", ...words], { world });

  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(says);
});

test("HAFT_MODEL names the model where no option does", async () => {
  await using world = await cliWorld();
  const [, name = ""] = await scripted(world, [{ text: "Done." }]);

  const { code, out } = await haft(["run", "rest"], { world, env: { HAFT_MODEL: name } });

  expect({ code, out }).toEqual({ code: 0, out: "Done.\n" });
});

test("the settings name the default model by an alias, and count only in a trusted workspace", async () => {
  const script = JSON.stringify({ format: 1, name: "test", turns: [{ text: "Done." }] });
  const models = { default: "plan", aliases: { plan: "script:plan.json" } };
  await using world = await settingsWorld({
    "plan.json": script,
    ".haft/settings.json": JSON.stringify({ models }),
  });

  const trusted = await haft(["run", "--trust", "x"], { world });
  const untrusted = await haft(["run", "x"], { world });

  expect({ code: trusted.code, out: trusted.out }).toEqual({ code: 0, out: "Done.\n" });
  expect(untrusted.code).toBe(2);
  expect(untrusted.err).toContain("Which model?");
});

test("an error of the background model names the setting", async () => {
  await using world = await settingsWorld({
    ".haft/settings.json": JSON.stringify({ models: { background: "nope:x" } }),
  });
  const model = await scripted(world, [{ text: "Done." }]);

  const { code, err } = await haft(["run", ...model, "--trust", "x"], { world });

  expect(code).toBe(2);
  expect(err).toContain(
    'The setting models.background cannot be used. There is no model provider "nope".',
  );
});
