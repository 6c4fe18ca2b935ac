import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { haft, settingsWorld } from "../../../test/support/cli.ts";
import { slashCommandIn } from "./slash-commands.ts";

/** A script that answers once; the transcript of the run shows what the model was asked. */
const script = JSON.stringify({ format: 1, name: "seen", turns: [{ text: "Seen." }] });

const withScript = ({ workspace }: { readonly workspace: string }) => [
  "--model",
  `script:${workspace}/script.json`,
  "--output-format",
  "stream-json",
];

test.each([
  ["/help", { name: "help", text: "" }],
  ["/git:sync main now", { name: "git:sync", text: "main now" }],
  ["/etc/hosts is wrong", undefined],
  ["look at /help", undefined],
  ["/", undefined],
])("%s is %j", (message, found) => {
  expect(slashCommandIn(message)).toEqual(found);
});

test("/help lists haft's own commands and the project's, and what needs trust", async () => {
  await using world = await settingsWorld({
    ".claude/commands/review.md": "---\nargument-hint: FILE\n---\nReview $1.",
  });

  const { code, out } = await haft(["run", "/help"], { world });
  const trusted = await haft(["run", "/help", "--trust"], { world });

  expect(code).toBe(0);
  expect(out).toMatch(/^\/undo +undo the last call that changed files$/mu);
  expect(out).toMatch(/^\/review FILE +Review \$1\. \(needs trust\)$/mu);
  expect(trusted.out).toMatch(/^\/review FILE +Review \$1\.$/mu);
});

test("/cost shows the tokens of the latest session, or of the one that it names", async () => {
  const turns = [{ text: "Seen.", usage: { input: 1000, output: 20 } }];
  await using world = await settingsWorld({
    "script.json": JSON.stringify({ format: 1, name: "seen", turns }),
  });
  await haft(["run", "look", ...withScript(world)], { world });

  const latest = await haft(["run", "/cost"], { world });
  const [, id = ""] = /^(\S+): look$/mu.exec(latest.out) ?? [];
  const named = await haft(["run", `/cost ${id}`], { world });
  const missing = await haft(["run", "/cost nothing"], { world });

  expect(latest).toMatchObject({ code: 0 });
  expect(latest.out).toContain("1000 tokens in, 20 out");
  expect(named.out).toBe(latest.out);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.err).toContain("There is no session nothing.");
});

test("/tasks lists the tasks, also where there are none", async () => {
  await using world = await settingsWorld();

  expect(await haft(["run", "/tasks"], { world })).toMatchObject({
    code: 0,
    err: "There are no tasks here.\n",
  });
});

test.each(["/permissions", "/diff", "/tasks", "/config", "/agents", "/cost"])(
  "%s runs without a model",
  async (command) => {
    await using world = await settingsWorld();

    const { err } = await haft(["run", command], { world });

    expect(err).not.toContain("Which model?");
  },
);

test("an unknown command names the nearest, and one of an untrusted workspace needs trust", async () => {
  await using world = await settingsWorld({
    ".haft/commands/review.md": "Review.",
    "script.json": script,
  });

  const needs = await haft(["run", "/review", ...withScript(world)], { world });
  const unknown = await haft(["run", "/reviw", "--trust", ...withScript(world)], { world });

  expect(needs).toMatchObject({ code: 1 });
  expect(needs.err).toContain("/review needs trust");
  expect(unknown.err).toContain("Did you mean /review?");
});

test("a program that a command inserts is judged like any other call", async () => {
  await using world = await settingsWorld({
    ".haft/commands/now.md": "Now: !`touch made.txt`",
    "script.json": script,
  });

  const { code, err } = await haft(["run", "/now", "--trust", ...withScript(world)], { world });

  expect(code).not.toBe(0);
  expect(err).toContain("/now inserts something that was not run");
});

test("a command becomes the task, below its ceiling", async () => {
  const calls = {
    format: 1,
    name: "writes",
    turns: [
      { calls: [{ name: "Write", input: { file_path: "made.txt", content: "x" } }] },
      { text: "Done." },
    ],
  };
  await using world = await settingsWorld({
    ".haft/commands/note.md": "---\nallowed-tools: Read\n---\nRead @note.txt for $1.",
    "note.txt": "the note",
    "script.json": JSON.stringify(calls),
  });

  const { out } = await haft(["run", "/note me", "--trust", "--yes", ...withScript(world)], {
    world,
  });

  const events = out
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
  const start = events.find(({ type }) => type === "run-start");
  expect(start?.["task"]).toContain("the note");
  expect(start?.["task"]).toContain("for me.");
  expect(events.at(-1)).toMatchObject({ denials: [{ tool: "Write" }] });
});

const writes = (name: string) => ({
  format: 1,
  name,
  turns: [
    { calls: [{ name: "Write", input: { file_path: `${name}.txt`, content: "x" } }] },
    { text: "Done." },
  ],
});

test("a line of input that is a skill runs below its ceiling with its model", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "haft-script-"));
  const other = path.join(folder, "other.json");
  await writeFile(other, JSON.stringify(writes("second")));
  await using world = await settingsWorld({
    "script.json": JSON.stringify(writes("first")),
    ".claude/skills/note/SKILL.md": `---\nname: note\ndescription: x\nallowed-tools: Read\nmodel: script:${other}\n---\nWrite $0.`,
  });

  const { out } = await haft(
    ["run", "--input-format", "stream-json", "--json", "--trust", "--yes"],
    {
      world,
      env: { HAFT_MODEL: `script:${world.workspace}/script.json` },
      stdin: `${JSON.stringify({ type: "user", text: "/note me" })}\n`,
    },
  );

  const events = out
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line) as Record<string, unknown>);
  const start = events.find(({ type }) => type === "run-start");
  const directory = path.join(world.workspace, ".claude/skills/note");
  expect(start).toMatchObject({ task: `Skill note, in ${directory}:\n\nWrite me.` });
  expect(events.at(-1)).toMatchObject({ denials: [{ tool: "Write" }] });
  expect(out).toContain("second.txt");
  expect(out).not.toContain("first.txt");
  await rm(folder, { recursive: true });
});

test("--print-prompt shows the task of a command and a skill, and runs nothing", async () => {
  await using world = await settingsWorld({
    ".haft/commands/now.md": "For $1: !`touch made.txt` and @note.txt.",
    ".claude/skills/pdf/SKILL.md":
      "---\nname: pdf\ndescription: x\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: touch made.txt\n---\nRun scripts/run.py.",
  });
  const shown = async (task: string) =>
    (await haft(["run", "--print-prompt", "--trust", "--system", "s", task], { world })).out;

  const [command, skill, plain, builtIn] = [
    await shown("/now me"),
    await shown("/pdf"),
    await shown("fix it"),
    await shown("/diff"),
  ];

  const directory = path.join(world.workspace, ".claude/skills/pdf");
  expect(command).toContain(
    "For me: (output of `touch made.txt`) and note.txt:\n(text of the file)",
  );
  expect(command).toContain(`# task (${path.join(world.workspace, ".haft/commands/now.md")};`);
  expect(skill).toContain(`Skill pdf, in ${directory}:\n\nRun scripts/run.py.`);
  expect(plain).toContain("# task (command line; 2 tokens)\nfix it\n");
  expect(builtIn).toContain("(haft itself runs /diff; no model gets it.)");
  await expect(stat(path.join(world.workspace, "made.txt"))).rejects.toThrow("ENOENT");
});
