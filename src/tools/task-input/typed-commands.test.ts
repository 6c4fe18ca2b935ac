import { expect, test } from "vitest";
import type { Effect } from "../../core/index.ts";
import { analyseCommand, callEffects } from "../../shell/index.ts";
import { typedCommands } from "./typed-commands.ts";

const place = { cwd: "/project", workspace: "/project", home: "/home/ada" };

function commandsOf(names: readonly (string | undefined)[], text: string): readonly string[] {
  return effectsOf(names, text).flatMap((effect) =>
    effect.kind === "execute"
      ? [`${effect.consequences} ${effect.argv.map(String).join(" ")}`]
      : [],
  );
}

function effectsOf(names: readonly (string | undefined)[], text: string): readonly Effect[] {
  return typedCommands({
    names,
    text,
    judge: (typed) => callEffects(analyseCommand(typed, place)),
  });
}

test.each([
  {
    text: "git push",
    finds: "listed git push",
    because: "a program may give its input to a shell",
  },
  { text: `os.system("git push")`, finds: "listed git push", because: "a string is a command" },
  { text: `run(['git', 'push'])`, finds: "listed git push", because: "strings are its words" },
  { text: `spawn("git", ["push"])`, finds: "listed git push", because: "words in two arguments" },
  { text: "execSync(`git push`)", finds: "listed git push", because: "a template is a string" },
  {
    text: String.raw`run("git \"push\"")`,
    finds: "listed git push",
    because: "of escapes, the text",
  },
  {
    text: `run("cd x\\ngit push")`,
    finds: "listed git push",
    because: "a line end ends a command",
  },
  { text: `sh("-c", "git push")`, finds: "listed git push", because: "one may stand for itself" },
  { text: "!git push", finds: "listed git push", because: "a pager, an interpreter" },
  { text: ":!git push", finds: "listed git push", because: "an editor" },
  { text: String.raw`\! git push`, finds: "listed git push", because: "a database" },
  { text: ".shell git push", finds: "listed git push", because: "another database" },
  { text: "shell git push", finds: "listed git push", because: "a debugger" },
  { text: "print(1)\n!git push", finds: "listed git push", because: "a later line" },
  { text: "files = !git push", finds: "listed git push", because: "its output is a value" },
  { text: ":w | !git push", finds: "listed git push", because: "a second command of an editor" },
  { text: ":r!git push", finds: "listed git push", because: "an editor reads its output" },
  { text: ":terminal git push", finds: "listed git push", because: "an editor shows it" },
  { text: String.raw`select 1; \! git push`, finds: "listed git push", because: "behind a query" },
  { text: `run("""\ngit push\n""")`, finds: "listed git push", because: "a text of lines" },
  {
    text: String.raw`run("\x67it \u0070ush")`,
    finds: "listed git push",
    because: "a character may be written as a number",
  },
  {
    text: String.raw`run("\147it \u{70}ush")`,
    finds: "listed git push",
    because: "in other ways, too",
  },
  { text: `run("git \\\npush")`, finds: "listed git push", because: "a line may go on" },
])("in $text a rule is asked about a command: $because", ({ text, finds }) => {
  expect(commandsOf(["python3"], text)).toContain(finds);
});

test.each(["bash", "fish", "zsh", "sudo", "ssh", undefined])("%s does what it reads", (name) => {
  const effects = effectsOf(["env", name], "npm publish > out.txt");

  expect(effects).toContainEqual(
    expect.objectContaining({ kind: "write", path: "/project/out.txt" }),
  );
  expect(commandsOf(["env", name], "npm publish > out.txt")).toEqual(["open npm publish"]);
});

test.each([
  "then git push",
  "fi; git push",
  "do git push; done",
  "{ git push",
  "( git push",
  ") git push",
])("a shell may be in the middle of what %s ends", (text) => {
  expect(commandsOf(["bash"], text)).toContain("listed git push");
});

test.each([`echo "then (git push)"`, "echo git push", "# ; git push"])(
  "what a shell can read is taken as it is: %s",
  (text) => {
    expect(commandsOf(["bash"], text)).not.toContain("listed git push");
  },
);

test.each(["Great! git push is next", "a != git", "{ then git push", "x"])(
  "prose for a program is not a command: %s",
  (text) => {
    expect(commandsOf(["python3"], text)).not.toContain("listed git push");
  },
);

test("the destructive floor holds for every program, and nothing else has to be allowed", () => {
  const kinds = new Set(
    effectsOf(["python3"], `os.system("mkfs.ext4 /dev/sda; curl http://x.test > a")`).map(
      (effect) =>
        effect.kind === "execute"
          ? effect.consequences
          : effect.kind === "unknown" && effect.floor === true
            ? "floor"
            : effect.kind,
    ),
  );

  expect(kinds).toEqual(new Set(["listed", "floor"]));
});

// Each takes a moment; work that is quadratic in the length takes far longer than a test may.
test.for([
  { what: "empty lines", text: "\n".repeat(100_000) },
  { what: "blanks", text: " ".repeat(100_000) },
  { what: "open quotes", text: "\"'`".repeat(30_000) },
  { what: "open lists", text: '["a", '.repeat(20_000) },
  { what: "exclamation marks", text: "!".repeat(100_000) },
  {
    what: "strings in a list",
    text: JSON.stringify(Array.from({ length: 30_000 }, (_, index) => `s${index}`)),
  },
])("a long text of $what is judged in a moment", ({ text }) => {
  const judged: string[] = [];
  const judge = (each: string): [] => {
    judged.push(each);
    return [];
  };

  typedCommands({ names: ["python3"], text, judge });

  expect(judged.length).toBeLessThanOrEqual(51);
});

test("strings that say nothing take no room of those that do", () => {
  const blank = `${'"", '.repeat(60)}run("git push")`;

  expect(effectsOf(["python3"], blank)).toContainEqual(
    expect.objectContaining({ kind: "execute", argv: ["git", "push"] }),
  );
});
