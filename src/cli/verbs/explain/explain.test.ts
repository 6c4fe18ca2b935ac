import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { cliWorld, haft, settingsWorld, treeHash } from "../../../../test/support/cli.ts";

test("a call is explained effect by effect, with each reason once and the rule behind it", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });

  const { code, out, err } = await haft(["explain", "Write", "file_path=a.txt", "content=x"], {
    world,
  });

  expect({ code, err }).toEqual({ code: 4, err: "" });
  expect(out).toMatchInlineSnapshot(`
    "Write: ask
      allow  read a.txt
      ask    change a.txt

    Why
      ask    Changing files in the workspace needs approval in default mode.
      allow  Files inside the workspace may be read.
             allow rule default: read-inside (mode)

    To allow it
      --allow 'Edit(/a.txt)'
    "
  `);
});

test("one word that names no tool is a shell command", async () => {
  await using world = await cliWorld();
  const before = await treeHash(world.workspace);

  const { code, out, err } = await haft(["explain", "npm test > log.txt"], { world });

  expect({ code, err }).toEqual({ code: 4, err: "" });
  expect(out).toContain("ask    run npm test");
  expect(out).toContain("log.txt");
  expect(out).toContain("--allow 'Bash(npm test)'");
  expect(await treeHash(world.workspace)).toBe(before);
});

test("a pattern is named with what happens to its paths, not as the whole directory", async () => {
  await using world = await cliWorld({ "build/a.js": "" });

  const { out } = await haft(["explain", "rm build/*.{js,map}; touch build/*"], { world });

  expect(out).toContain("ask    delete *.js in build\n  ask    delete *.map in build\n");
  expect(out).toContain("ask    change * in build\n");
  expect(out).not.toContain("everything below");
});

test("characters of a path and a command cannot move the cursor or begin a line", async () => {
  await using world = await cliWorld();
  const written = ["explain", "Write", "file_path=a\u001B[31m\n  allow  b", "content=x"];

  const lines = [
    ...(await haft(written, { world })).out.split("\n"),
    ...(await haft(["explain", "rm 'a\u001B[2J\n  allow  b'"], { world })).out.split("\n"),
  ];

  expect(lines.filter((line) => line.includes("\u001B"))).toEqual([]);
  expect(lines.join("\n")).toContain("ask    create a␛[31m␊  allow  b");
});

test("a wiped disk is denied with exit code 3 and the floor is named", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["explain", "rm -rf /", "-m", "bypassPermissions"], { world });

  expect(code).toBe(3);
  expect(out).toContain("Bash: deny");
  expect(out).toContain("destructive floor (floor)");
  expect(out).not.toContain("To allow it");
});

test("an allowed call exits with 0", async () => {
  await using world = await cliWorld({ "a.txt": "one\n" });

  const { code, out } = await haft(["explain", "Read", "file_path=a.txt"], { world });

  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "Read: allow
      allow  read a.txt

    Why
      allow  Files inside the workspace may be read.
             allow rule default: read-inside (mode)
    "
  `);
});

test("a mistyped tool does not pass for a command in silence", async () => {
  await using world = await cliWorld();

  const { out, err } = await haft(["explain", "Raed"], { world });

  expect(out).toContain("run Raed");
  expect(err).toContain("no tool is named Raed; treated as a shell command. Did you mean Read?");
});

test("with arguments or --call the first word is always a tool", async () => {
  await using world = await cliWorld();

  const withArguments = await haft(["explain", "Raed", "file_path=a"], { world });
  const called = await haft(["explain", "Raed", "--call"], { world });

  for (const { code, out } of [withArguments, called]) {
    expect(code).toBe(1);
    expect(out).toContain("UNKNOWN_TOOL");
    expect(out).toContain("Did you mean Read?");
  }
});

test("what is wrong with an input is shown line by line, each as far in as the first", async () => {
  await using world = await cliWorld();

  const { out } = await haft(["explain", "Read"], { world });

  expect(out).toMatch(/^Read: INVALID_INPUT\n(?: {2}\S.*\n)+$/u);
  expect(out).toContain("\n  - /file_path: required");
});

test("--json prints the explanation as one document", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["explain", "Write", "file_path=x", "content=", "--json"], {
    world,
  });

  expect(code).toBe(4);
  expect(JSON.parse(out)).toMatchObject({
    tool: "Write",
    decision: { kind: "ask", suggestion: "Edit(/x)" },
    effects: [{ kind: "read" }, { kind: "write", change: "create" }],
  });
});

test("what a rule denies in a searched tree is noted", async () => {
  await using world = await cliWorld();
  await mkdir(path.join(world.workspace, "secrets"));
  await writeFile(path.join(world.workspace, "secrets/key"), "k");

  const words = ["explain", "Grep", "pattern=x", "--deny", "Read(secrets/**)"];
  const { code, out } = await haft(words, { world });

  expect(code).toBe(0);
  expect(out).toContain("note   What Read(secrets/**) (option) names is left out.");
});

test("nothing to explain is an error of usage", async () => {
  const { code, err } = await haft(["explain"]);

  expect(code).toBe(2);
  expect(err).toContain("Explain what?");
});

test("a command is shown with what it would run underlined, and its class", async () => {
  await using world = await cliWorld();

  const { out } = await haft(["explain", "timeout 5 npm test && cat a.txt"], { world });

  expect(out).toMatchInlineSnapshot(`
    "  timeout 5 npm test && cat a.txt
      1-----------------    3--------
                2-------

      1  timeout 5 npm test
      2  npm test  (through timeout)
      3  cat a.txt

    Class: general

    Bash: ask
      allow  run timeout 5 npm test
      ask    run timeout npm test
      ask    unknown effects: npm can run arbitrary code
      allow  run cat a.txt
      allow  read a.txt

    Why
      ask    Such a program can run arbitrary code, so default mode asks first.
      ask    npm can run arbitrary code. Its effects are unknown, so the user decides.
      allow  The command does nothing beyond the effects listed with it.
             allow rule default: execute-listed (mode)
      allow  Files inside the workspace may be read.
             allow rule default: read-inside (mode)

    To allow it
      --allow 'Bash(npm test)'
    "
  `);
});

test("--json of a command has its commands, class, verdict, reasons and decision", async () => {
  await using world = await cliWorld();

  const { code, out } = await haft(["explain", "ls src && npm test", "--json"], { world });

  expect(code).toBe(4);
  expect(JSON.parse(out)).toMatchObject({
    input: "ls src && npm test",
    verdict: "ask",
    readOnly: false,
    class: "general",
    commands: [
      { name: "ls", argv: ["ls", "src"], via: [], span: { start: 0, end: 6 } },
      { name: "npm", span: { start: 10, end: 18 } },
    ],
    reasons: [{ span: { start: 10, end: 18 }, rule: "default: execute-open" }, {}],
    decision: { kind: "ask", suggestion: "Bash(npm test)" },
  });
});

test("--jsonl answers each line with one document, in order", async () => {
  await using world = await cliWorld();
  const lines = [
    "ls",
    "",
    '{"command": "rm -rf /"}',
    '{"id": 7, "tool": "Read", "input": {"file_path": "a.txt"}}',
    "{ ls; }",
    '{"what": 1}',
    '"ls"',
  ];

  const { code, out } = await haft(["explain", "--jsonl"], { world, stdin: lines.join("\n") });

  const answers: unknown[] = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(code).toBe(1);
  expect(answers).toMatchObject([
    { input: "ls", verdict: "allow", readOnly: true },
    { input: "rm -rf /", verdict: "deny" },
    { id: 7, tool: "Read", decision: { kind: "allow" } },
    { input: "{ ls; }", verdict: "allow" },
    { error: { code: "INVALID_INPUT" } },
    { input: '"ls"', verdict: "allow" },
  ]);
});

test("a call that asks because trust has ended names the hook, the changed file, and what ends it", async () => {
  const command = "./check.sh";
  const hooks = { PreToolUse: [{ matcher: "Read", hooks: [{ type: "command", command }] }] };
  await using world = await settingsWorld({
    "a.txt": "one\n",
    "check.sh": "exit 0\n",
    ".claude/settings.json": JSON.stringify({ hooks }),
  });
  await haft(["trust", "add", "--yes"], { world });
  const trusted = await haft(["explain", "Read", "file_path=a.txt"], { world });
  await writeFile(path.join(world.workspace, "check.sh"), "exit 2\n");

  const { code, out } = await haft(["explain", "Read", "file_path=a.txt"], { world });

  expect(trusted.code).toBe(0);
  expect(trusted.out).toContain("note   The hook PreToolUse(Read) ./check.sh in ");
  expect(code).toBe(4);
  expect(out).toContain("ask    This workspace was trusted and has changed since (check.sh)");
  expect(out).toMatch(
    /To allow it\n {2}haft trust add accepts the changes; then the hook checks calls again\.\n$/u,
  );
});
