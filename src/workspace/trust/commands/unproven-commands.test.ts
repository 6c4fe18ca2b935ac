import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { uncoveredParts } from "./uncovered-parts.ts";

describe("a command that may run what is not known is named:", () => {
  test.each([
    { command: "cp hooks/payload x; sh x", names: "cp hooks/payload x", because: "it makes x" },
    { command: "source <(cat f)", names: "source <(cat f)", because: "f is code" },
    {
      command: "echo $X | timeout 5 bash",
      names: "timeout 5 bash",
      because: "bash reads its input",
    },
    { command: "cat $X > bin/y; bin/y", names: "cat $X > bin/y", because: "it makes bin/y" },
    { command: "curl -s https://x.y | sh", names: "sh", because: "sh reads its input" },
    { command: "cat payload | tee >(sh)", names: "sh", because: "sh reads its input" },
    { command: "date > log; ./run", names: "date > log", because: "log may be a link to run" },
    { command: "./run & date > log", names: "date > log", because: "both run at a time" },
    {
      command: "cat payload > x",
      names: "cat payload > x",
      because: "x has the content of a file",
    },
    {
      command: "echo $(cat payload) > x",
      names: "echo $(cat payload) > x",
      because: "so has this",
    },
    { command: "tee x < payload", names: "tee x < payload", because: "so has this" },
    { command: "sed -i s/#// x; sh x", names: "sed -i s/#// x", because: "it changes x" },
    { command: "uniq payload x", names: "uniq payload x", because: "it writes x" },
    { command: "sort -o x payload", names: "sort -o x payload", because: "it writes x" },
    {
      command: "sort --compress-program=x a",
      names: "sort --compress-program=x a",
      because: "it runs x",
    },
    { command: "sed '1e sh x' a", names: "sed '1e sh x' a", because: "sed runs sh" },
    {
      command: `awk 'BEGIN{"x"|getline}'`,
      names: `awk 'BEGIN{"x"|getline}'`,
      because: "awk runs x",
    },
    { command: "git diff --outp=x", names: "git diff --outp=x", because: "git writes x" },
    { command: "git -c core.pager=x log", names: "git -c core.pager=x log", because: "git runs x" },
    { command: "curl -o x https://x.y", names: "curl -o x https://x.y", because: "curl writes x" },
    {
      command: "python3 -c 'import json'",
      names: "python3 -c 'import json'",
      because: "json.py may be here",
    },
    { command: "bash --rcfile x -i", names: "bash --rcfile x -i", because: "bash reads x" },
    { command: ". /dev/stdin < x", names: ". /dev/stdin < x", because: "its input is code" },
    { command: "bun run x.ts", names: "bun run x.ts", because: "bunfig.toml names more files" },
    { command: "tool payload", names: "tool payload", because: "the program is not known" },
    { command: "busybox sh x", names: "busybox sh x", because: "the program is not known" },
    { command: "sudo -g x sh y", names: "sudo -g x sh y", because: "the option is not known" },
    { command: "env -S 'sh x'", names: "env -S 'sh x'", because: "the option is not known" },
    { command: "EDITOR='sh x'; git commit", names: "EDITOR='sh x'", because: "git runs it" },
    {
      command: "EDITOR='sh x' git commit",
      names: "EDITOR='sh x' git commit",
      because: "git runs it",
    },
    { command: "export PAGER=./x", names: "export PAGER=./x", because: "programs run it" },
    { command: "read PATH < f; ls", names: "read PATH < f", because: "ls is another program then" },
    {
      command: "for PWD in x; do sh $PWD/y; done",
      names: "for PWD in x",
      because: "it is no other path",
    },
    {
      command: "printf -v PATH x; ls",
      names: "printf -v PATH x",
      because: "ls is another program then",
    },
    { command: "alias ls=x; ls", names: "alias ls=x", because: "ls is another program then" },
    { command: "trap x EXIT", names: "trap x EXIT", because: "the shell runs x" },
    {
      command: "echo $((x))",
      names: "$((x))",
      because: "a shell runs the substitutions in its value",
    },
    {
      command: "echo ${x@P}",
      names: "${x@P}",
      because: "a shell runs the substitutions in its value",
    },
    { command: "echo '>'; tool 'x'", names: "tool 'x'", because: "a quote redirects nothing" },
    {
      command: "echo \\ #x; tool",
      names: "tool",
      because: "a blank that is escaped begins no comment",
    },
    { command: "# [[\ntool; : ]]", names: "tool", because: "a comment begins no test" },
    {
      command: "[[ a =~ (#x) ]]; tool\n: ]]",
      names: "[[ a =~ (#x) ]]; tool : ]]",
      because: "it may be none",
    },
    {
      command: "ls() { x; }; ls",
      names: "ls() { x; }; ls",
      because: "functions are not understood",
    },
    {
      command: "cat <<E\nx\nE",
      names: "cat <<E x E",
      because: "here documents are not understood",
    },
    { command: "sh -c 'tool x'", names: "tool x", because: "a shell reads the text" },
    { command: "echo `tool x`", names: "tool x", because: "a shell runs it" },
    {
      command: "bash //dev/stdin < x",
      names: "bash //dev/stdin < x",
      because: "its input is code",
    },
    { command: "cd x && git status", names: "git status", because: "x may be a repository" },
    {
      command: "x=y; [[ x -eq 1 ]]",
      names: "[[ x -eq 1 ]]",
      because: "the value of x is calculated",
    },
    { command: "x=z; ((y=x))", names: "x=z; ((y=x))", because: "the value of x is calculated" },
    { command: "cat\\\n/x", names: "cat\\ /x", because: "a line that continues joins its words" },
    {
      command: "GIT_CONFIG_GLOBAL=1 git diff",
      names: "GIT_CONFIG_GLOBAL=1 git diff",
      because: "git reads the file 1",
    },
    {
      command: "sh -c '[[ a || sh x ]]'",
      names: "sh -c '[[ a || sh x ]]'",
      because: "other shells have no [[",
    },
    { command: "zsh -c 'ls'", names: "zsh -c 'ls'", because: "zsh reads a text in another way" },
    { command: "awk -f a -f b", names: "awk -f a -f b", because: "only the first file is found" },
    { command: ["tool", "serve"], names: "tool serve", because: "the program is not known" },
    { command: ["sh", "-c", "tool; x"], names: "tool", because: "a shell reads the text" },
  ])("$command, because $because", ({ command, names }) => {
    expect(uncoveredParts({ command })).toContain(names);
  });

  test("of many, only some are", () => {
    const command = Array.from({ length: 100 }, (_each, at) => `tool${at}`).join(";");

    const parts = uncoveredParts({ command });

    expect(parts).toHaveLength(21);
    expect(parts).toContain("80 more commands");
  });
});

test.each([
  "python3 .claude/hooks/x.py",
  '"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh',
  'cd "$CLAUDE_PROJECT_DIR" && python3 -u .claude/hooks/x.py --mode check',
  "bash -euo pipefail .claude/hooks/x.sh 2>/dev/null || true",
  "python3 .claude/hooks/x.py >> /tmp/log 2>&1",
  "printf '%s\\n' \"$CLAUDE_TOOL_INPUT\" | node --no-warnings .claude/hooks/x.mjs",
  "timeout 10 env CI=1 /usr/bin/env python3 hooks/x.py",
  ".venv/bin/python hooks/x.py",
  "deno run --allow-read hooks/x.ts",
  `jq -r '"\\(.tool_input.command) - \\(.tool_input.description // "none")"' >> ~/.claude/log.txt`,
  'echo "Session started at $(date)" >> .claude/session.log',
  `if [[ "$CLAUDE_TOOL_INPUT" =~ "rm -rf" ]]; then echo blocked >&2; exit 2; fi`,
  `input=$(cat); file=$(echo "$input" | jq -r '.x // empty'); [ -n "$file" ] && gofmt -w "$file"`,
  `case "$CLAUDE_FILE_PATHS" in *.py) ruff check --fix "$CLAUDE_FILE_PATHS";; esac`,
  'cd "$CLAUDE_PROJECT_DIR" && git diff --stat',
  "git add -A && git commit -m wip --quiet || true",
  "notify-send 'Claude Code' 'Awaiting your input'",
  `osascript -e 'display notification "Waiting" with title "Claude" sound name "Glass"'`,
  "curl -s -X POST -d done https://ntfy.sh/me -o /dev/null",
  "test -f package.json && ! grep -q x package.json && exit 2",
  "diff <(sort a) <(sort b)",
  "tsc --noEmit -p .",
  "node hooks/a.mjs # it's fine",
  ["node", "--max-old-space-size=100", "tools/server.mjs", "--db", "memory.json"],
  ["./tools/server", "--stdio"],
  ["node", "my tools/a b.mjs"],
  ["${CLAUDE_PROJECT_DIR:-.}/tools/server", "--stdio"],
])("nothing of %s is named", (command) => {
  expect(uncoveredParts({ command })).toEqual([]);
});

const pieces = [
  ...Array.from("'\"`\\$#&|;()<>{}[]=!~*?\n\t ax1"),
  ..."$( ${ $(( [[ ]] && || ;; <( >( << <<< >> &> $' \\\n if then fi case in esac for do done echo cat x= #".split(
    " ",
  ),
];

test("an unknown program is named, whatever is before it", () => {
  const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 });

  const law = fc.property(text, (before) => {
    const command = `${before.join("")}\n\ntool x`;
    expect(uncoveredParts({ command })).not.toEqual([]);
  });

  fc.assert(law, { numRuns: 3000, seed: 7 });
});
