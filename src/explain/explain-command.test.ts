import { describe, expect, test } from "vitest";
import { commandEffects, planCommand } from "../shell/index.ts";
import { explainCommand } from "./index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

test("an open program has open consequences, a plain one listed ones, and a wrapper keeps its own", () => {
  const executes = commandEffects("timeout 5 npm test; ls", place).filter(
    (effect) => effect.kind === "execute",
  );

  expect(executes).toMatchObject([
    { argv: ["timeout", "5", "npm", "test"], via: [], consequences: "listed" },
    { argv: ["npm", "test"], via: ["timeout"], consequences: "open" },
    { argv: ["ls"], via: [], consequences: "listed" },
  ]);
});

test("spans point at the words a person wrote", () => {
  const text = "ls && echo $(rm x) > out";

  const { commands, effects } = explainCommand(text, place);

  expect(commands.map(({ span }) => text.slice(span.start, span.end))).toEqual([
    "ls",
    "rm x",
    "echo $(rm x) > out",
  ]);
  const write = effects.find((effect) => effect.kind === "write" && effect.change === "any");
  expect(
    write?.kind === "write" &&
      write.span !== undefined &&
      text.slice(write.span.start, write.span.end),
  ).toBe("> out");
});

test("spans point into a script that another shell gets as written", () => {
  const text = "bash -c 'rm x'";

  const [, inner] = explainCommand(text, place).commands;

  expect(text.slice(inner?.span.start, inner?.span.end)).toBe("rm x");
});

test("listing refs is a list, and reading one is not", () => {
  expect(explainCommand("git for-each-ref", place).class).toBe("list");
  expect(explainCommand("git show main", place).class).toBe("general");
});

test("an explanation is whole", () => {
  expect(explainCommand("sudo cat a > b", place)).toMatchInlineSnapshot(`
    {
      "class": "general",
      "commands": [
        {
          "argv": [
            "sudo",
            "cat",
            "a",
          ],
          "name": "sudo",
          "span": {
            "end": 14,
            "start": 0,
          },
          "via": [],
        },
        {
          "argv": [
            "cat",
            "a",
          ],
          "name": "cat",
          "span": {
            "end": 10,
            "start": 5,
          },
          "via": [
            "sudo",
          ],
        },
      ],
      "effects": [
        {
          "change": "any",
          "kind": "write",
          "path": "/w/project/b",
          "scope": "file",
          "span": {
            "end": 14,
            "start": 11,
          },
        },
        {
          "argv": [
            "sudo",
            "cat",
            "a",
          ],
          "assigns": [],
          "consequences": "open",
          "kind": "execute",
          "span": {
            "end": 14,
            "start": 0,
          },
          "via": [],
        },
        {
          "because": "sudo runs the command with another person's rights",
          "by": {
            "end": 14,
            "start": 0,
          },
          "kind": "unknown",
          "origin": "sudo",
          "span": {
            "end": 14,
            "start": 0,
          },
        },
        {
          "argv": [
            "cat",
            "a",
          ],
          "assigns": [],
          "consequences": "listed",
          "kind": "execute",
          "span": {
            "end": 10,
            "start": 5,
          },
          "via": [
            "sudo",
          ],
        },
        {
          "by": {
            "end": 10,
            "start": 5,
          },
          "kind": "read",
          "path": "/w/project/a",
          "scope": "file",
          "span": {
            "end": 10,
            "start": 5,
          },
        },
      ],
      "input": "sudo cat a > b",
      "readOnly": false,
      "reasons": [
        {
          "rule": "high-risk",
          "span": {
            "end": 14,
            "start": 0,
          },
          "text": "sudo runs the command with another person's rights.",
        },
        {
          "rule": "default: write-inside",
          "span": {
            "end": 14,
            "start": 11,
          },
          "text": "Changing files in the workspace needs approval in default mode.",
        },
        {
          "rule": "default: execute-open",
          "span": {
            "end": 14,
            "start": 0,
          },
          "text": "Such a program can run arbitrary code, so default mode asks first.",
        },
      ],
      "verdict": "ask",
    }
  `);
});

describe("a plan runs the very words that were judged, without a shell", () => {
  test.each([
    { command: "ls -la 'a b'", argv: ["ls", "-la", "a b"] },
    { command: "git status", argv: ["git", "--no-pager", "--no-optional-locks", "status"] },
    {
      command: "git diff HEAD",
      argv: [
        "git",
        "--no-pager",
        "--no-optional-locks",
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "HEAD",
      ],
    },
    {
      command: "git -C diff log -p",
      argv: [
        "git",
        "--no-pager",
        "--no-optional-locks",
        "-C",
        "diff",
        "log",
        "--no-ext-diff",
        "--no-textconv",
        "-p",
      ],
    },
    {
      command: "git stash show",
      argv: [
        "git",
        "--no-pager",
        "--no-optional-locks",
        "stash",
        "show",
        "--no-ext-diff",
        "--no-textconv",
      ],
    },
    {
      command: "git stash list",
      argv: ["git", "--no-pager", "--no-optional-locks", "stash", "list"],
    },
    {
      command: "git blame f",
      argv: ["git", "--no-pager", "--no-optional-locks", "blame", "--no-textconv", "f"],
    },
  ])("$command", ({ command, argv }) => {
    expect(planCommand(command, place)?.argv).toEqual(argv);
  });

  test.each([
    "ls | cat",
    "ls; ls",
    "ls *",
    "cat ~/x",
    "cat < f",
    "LANG=C ls",
    "cd src",
    "rm x",
    "npm test",
    "(ls)",
    "env ls",
    "echo x",
    "ls &",
  ])("%j has none", (command) => {
    expect(planCommand(command, place)).toBeUndefined();
  });

  test("the environment also keeps git from running programs", () => {
    expect(planCommand("git log", place)?.env).toMatchObject({
      GIT_PAGER: "cat",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_CONFIG_KEY_1: "core.fsmonitor",
      GIT_CONFIG_VALUE_1: "false",
    });
  });
});

describe("the repository's configuration", () => {
  test.each([
    { config: { "user.name": "x" }, readOnly: true, because: "a name runs nothing" },
    {
      config: { "core.pager": "./x", "core.fsmonitor": "./x" },
      readOnly: true,
      because: "the neutralizing settings take precedence over these",
    },
    {
      config: { "filter.lfs.clean": "git-lfs clean" },
      readOnly: false,
      because: "no option switches a filter off",
    },
    {
      config: { "diff.png.textconv": "./x" },
      readOnly: false,
      because: "in a pipe nothing switches a converter off",
    },
    {
      config: "user.name=x\ndiff.png.command=./x\n",
      readOnly: false,
      because: "the printed form is read as well",
    },
    {
      config: "user.name\nx\0filter.a.process\n./x\0",
      readOnly: false,
      because: "and the one with -z",
    },
  ])("$config: $because", ({ config, readOnly }) => {
    expect(explainCommand("git status", { ...place, git: { config } }).readOnly).toBe(readOnly);
  });

  test("of another repository was not looked at", () => {
    expect(
      explainCommand("git -C ../other status", { ...place, git: { config: {} } }).readOnly,
    ).toBe(false);
  });
});

describe("limits end in a question, never in an answer", () => {
  test.each([
    { name: "length", text: `echo ${"a".repeat(70_000)}` },
    { name: "depth", text: `${"( ".repeat(80)}ls${" )".repeat(80)}` },
    { name: "substitutions in substitutions", text: `${"echo $(".repeat(70)}ls${")".repeat(70)}` },
    { name: "commands", text: "ls;".repeat(300) },
    { name: "openings", text: "ls $(ls) ".repeat(600) },
    { name: "an unknown end", text: "ls 'a" },
    { name: "a carriage return", text: "ls\r\nls" },
    {
      name: "scripts in scripts",
      text: Array.from({ length: 30 }).reduce<string>((inner) => `eval ${inner}`, "ls"),
    },
  ])("$name", ({ text }) => {
    expect(explainCommand(text, place)).toMatchObject({ readOnly: false, verdict: "ask" });
  });

  test.each(["echo 'a\u00a0b'", 'grep "\u200b" f', "paste -d '\t' a b", "ls\tx"])(
    "%j is data or plain white space",
    (text) => {
      expect(explainCommand(text, place).readOnly).toBe(true);
    },
  );
});

describe("what a command repeats is followed up to a limit, so that no text takes long", () => {
  test.each([
    { name: "directories that may be links", text: `git ${"-C a/../b ".repeat(200)}log` },
    { name: "launchers that change them", text: `${"env -C a/../b ".repeat(14)}cat a` },
    { name: "a long directory", text: `cd ${"a/".repeat(600)} && cat b` },
    { name: "a value that doubles", text: `a=x; ${"a=$a$a; ".repeat(11)}cat $a` },
    { name: "a long value", text: `a=${"b".repeat(1025)}; cat $a` },
    { name: "many values", text: `for a in ${`${"b".repeat(400)} `.repeat(30)}; do cat $a; done` },
    { name: "starts of find", text: `find ${"a ".repeat(65)} -exec cat {} +` },
  ])("$name", ({ text }) => {
    expect(explainCommand(text, place).verdict).toBe("ask");
  });

  test.each([
    { name: "two links", text: "git -C a/../b -C c/../d log" },
    { name: "a directory", text: `cd ${"a/".repeat(300)} && cat b` },
    { name: "a value", text: `a=${"b".repeat(1024)}; cat $a` },
    { name: "values", text: `for a in ${`${"b".repeat(200)} `.repeat(30)}; do cat $a; done` },
    { name: "starts", text: `find ${"a ".repeat(64)} -exec cat {} +` },
  ])("$name within it", ({ text }) => {
    expect(explainCommand(text, place).verdict).toBe("allow");
  });

  test("branches that give a value to one another end", () => {
    const text = `a=x; ${'case $z in 1) a="p$a";; 2) a="q$a";; 3) a="r$a";; esac; '.repeat(50)}cat $a`;

    expect(explainCommand(text, place).verdict).toBe("ask");
  });

  test("a program that works in many places works anywhere", () => {
    const text = `npm ${Array.from({ length: 70 }, (_, index) => `--userconfig /x/${index}`).join(" ")} test`;

    const [effect] = explainCommand(text, place).effects;

    expect(effect).toMatchObject({ kind: "execute", worksIn: "unknown" });
  });
});

describe("P13: an allow-list is not passed by chaining, pipes, redirects, substitution, eval or a bare redirect", () => {
  test.each([
    "ls; rm x",
    "ls && rm x",
    "ls | rm x",
    "ls > x",
    "> x",
    "echo $(rm x)",
    "echo `rm x`",
    "eval rm x",
    "ls &\nrm x",
    "cat <(rm x)",
    "ls || rm x",
    "ls 2>x",
  ])("P13 %j", (command) => {
    expect(explainCommand(command, place)).toMatchObject({ readOnly: false, verdict: "ask" });
  });
});
