import { describe, expect, test } from "vitest";
import type { Effect } from "../core/index.ts";
import { commandEffects, explainCommand, explainWith, planCommand } from "./index.ts";

const place = { cwd: "/w/project", workspace: "/w/project", home: "/home/user", env: {} };

/** Effects as short lines, without programs. */
function touched(command: string): readonly string[] {
  return commandEffects(command, place).flatMap((effect: Effect): string[] => {
    if (effect.kind === "read") return [`read ${effect.scope} ${effect.path}`];
    if (effect.kind === "write") return [`${effect.change} ${effect.scope} ${effect.path}`];
    if (effect.kind === "connect")
      return [`connect ${effect.host}${effect.port === undefined ? "" : `:${effect.port}`}`];
    if (effect.kind === "unknown") return [`unknown (${effect.origin})`];
    return [];
  });
}

describe("a command's paths and hosts are effects", () => {
  test.each([
    {
      command: "cat a ../b /c",
      effects: ["read file /w/project/a", "read file /w/b", "read file /c"],
    },
    { command: "cat < a > b", effects: ["read file /w/project/a", "any file /w/project/b"] },
    { command: "cat a >> b", effects: ["modify file /w/project/b", "read file /w/project/a"] },
    { command: "cat ~/x", effects: ["read file /home/user/x"] },
    { command: 'cat "$HOME/x"', effects: ["read file /home/user/x"] },
    { command: "cat src/*.ts", effects: ["read tree /w/project/src"] },
    { command: 'cat "$f"', effects: ["read tree /"] },
    { command: "cp a b", effects: ["read file /w/project/a", "any tree /w/project/b"] },
    {
      command: "cp -t out a",
      effects: ["any file /w/project/out", "read file /w/project/a", "any tree /w/project/out"],
    },
    {
      command: "mv a b",
      effects: ["read tree /w/project/a", "delete tree /w/project/a", "any tree /w/project/b"],
    },
    { command: "rm -rf build", effects: ["delete tree /w/project/build"] },
    { command: "mkdir -p a/b", effects: ["create file /w/project/a/b"] },
    { command: "sed -i s/a/b/ f", effects: ["read file /w/project/f", "modify file /w/project/f"] },
    {
      command: "sed 'r other' f",
      effects: ["read file /w/project/f", "read file /w/project/other"],
    },
    { command: "tee a b", effects: ["any file /w/project/a", "any file /w/project/b"] },
    { command: "dd if=a of=b", effects: ["read file /w/project/a", "any file /w/project/b"] },
    { command: "sort -o out f", effects: ["any file /w/project/out", "read file /w/project/f"] },
    {
      command: "uniq a b",
      effects: ["read file /w/project/a", "read file /w/project/b", "any file /w/project/b"],
    },
    {
      command: "find src -name x -delete",
      effects: ["read tree /w/project/src", "delete tree /w/project/src"],
    },
    { command: "find src -exec cat {} +", effects: ["read tree /w/project/src"] },
    {
      command: "find . -exec rm {} \\;",
      effects: ["read tree /w/project", "delete tree /w/project"],
    },
    { command: "grep -r x src", effects: ["read tree /w/project/src"] },
    { command: "rg x", effects: ["read tree /w/project"] },
    { command: "curl https://API.Example.com:8443/a", effects: ["connect api.example.com:8443"] },
    {
      command: "curl -o out https://x.example/a",
      effects: ["any file /w/project/out", "connect x.example"],
    },
    {
      command: "curl -d @secret https://x.example",
      effects: ["read file /w/project/secret", "connect x.example"],
    },
    { command: "curl $URL", effects: ["unknown (curl)"] },
    { command: "npm test", effects: ["unknown (npm)"] },
    { command: "npm test > log", effects: ["any file /w/project/log", "unknown (npm)"] },
    { command: "$x a", effects: ["unknown (bash)"] },
    { command: "cat /dev/null > /dev/null 2>&1", effects: [] },
    { command: 'echo x > "$f"', effects: ["unknown (bash)"] },
    { command: "sudo rm a", effects: ["unknown (sudo)", "delete tree /w/project/a"] },
    {
      command: "bash -c 'cat a > b'",
      effects: ["any file /w/project/b", "read file /w/project/a"],
    },
    { command: "cat a | xargs cat", effects: ["read file /w/project/a", "read tree /"] },
  ])("$command", ({ command, effects }) => {
    expect(touched(command)).toEqual(effects);
  });
});

describe("the folder is followed", () => {
  test.each([
    { command: "cd src && cat a", reads: ["/w/project/src/a"] },
    { command: "cd src; cat a", reads: ["/w/project/src/a", "/w/project/a"] },
    { command: "cd src || exit 1; cat a", reads: ["/w/project/src/a"] },
    { command: "cd src || cat a", reads: ["/w/project/a"] },
    { command: "(cd src && cat a); cat b", reads: ["/w/project/src/a", "/w/project/b"] },
    { command: "cd src && cd .. && cat a", reads: ["/w/project/a"] },
    { command: "cd src | cat a", reads: ["/w/project/a"] },
    { command: "cd /tmp && cd - && cat a", reads: ["/"] },
    { command: "cd $x && cat a", reads: ["/"] },
    { command: "while true; do cd ..; cat a; done", reads: ["/"] },
    { command: "go() { cd /etc; }; go; cat a", reads: ["/etc/a", "/w/project/a"] },
    {
      command: "if cd src; then cat a; else cat b; fi",
      reads: ["/w/project/src/a", "/w/project/b"],
    },
    { command: "command cd src && cat a", reads: ["/w/project/src/a"] },
    { command: "eval 'cd src' && cat a", reads: ["/w/project/src/a", "/w/project/a"] },
    { command: "bash -c 'cd src'; cat a", reads: ["/w/project/a"] },
    { command: "cd && cat a", reads: ["/home/user/a"] },
  ])("$command", ({ command, reads }) => {
    const paths = commandEffects(command, place).flatMap((effect) =>
      effect.kind === "read" ? [effect.path] : [],
    );

    expect(new Set(paths)).toEqual(new Set(reads));
  });
});

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
            "end": 14,
            "start": 0,
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
            "end": 14,
            "start": 0,
          },
          "via": [
            "sudo",
          ],
        },
        {
          "kind": "read",
          "path": "/w/project/a",
          "scope": "file",
          "span": {
            "end": 14,
            "start": 0,
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
          "text": "Sudo runs the command with another person's rights.",
        },
        {
          "rule": "writes",
          "span": {
            "end": 14,
            "start": 11,
          },
          "text": "It writes /w/project/b.",
        },
      ],
      "verdict": "ask",
    }
  `);
});

test("a deciding function is handed the analysis and the options, and its word stands", () => {
  const explain = explainWith((analysis, options) => ({
    verdict: analysis.readOnly && options.mode === "plan" ? "allow" : "deny",
    reasons: [],
  }));

  expect(explain("ls", { ...place, mode: "plan" }).verdict).toBe("allow");
  expect(explain("rm x", { ...place, mode: "plan" }).verdict).toBe("deny");
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

  test("git is told by its environment as well to run nothing", () => {
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
      because: "the neutralisers stand above these",
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
