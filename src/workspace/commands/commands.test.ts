import { describe, expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { expandCommand } from "./expand-command.ts";
import { loadCommands } from "./load-commands.ts";
import { readMarkdownCommand } from "./read-command.ts";

const workspace = "/project";
const home = "/home/user";

async function load(files: Readonly<Record<string, string>>, trusted = true) {
  const host = memoryHost({ root: workspace, home, files });
  return await loadCommands({ host, workspace, home, trusted, recorded: undefined });
}

const problemsIn = ({ files }: Awaited<ReturnType<typeof load>>) =>
  files.flatMap(({ file, problems }) =>
    problems.map(({ severity, message, line = "" }) => `${severity} ${file}:${line} ${message}`),
  );

const ceilingOf = async (field: string) =>
  (
    await readMarkdownCommand({
      name: "a",
      file: "a",
      text: `---\nallowed-tools: ${field}\n---\n`,
    })
  ).command?.allowedTools;

const expanded = async (text: string, given: string, more: object = {}) => {
  const { command } = await readMarkdownCommand({ name: "a", file: "a", text });
  if (command === undefined) throw new Error("no command");
  const asked: string[] = [];
  const prompt = await expandCommand({ ...command, ...more }, given, {
    shell: async (program) => {
      asked.push(`$ ${program}`);
      return "out";
    },
    file: async (path) => {
      asked.push(path);
      return "content";
    },
  });
  return { prompt, asked };
};

describe("commands", () => {
  test("have the names of their files, and the project's come before the user's", async () => {
    const loaded = await load({
      ".haft/commands/git/sync.md": "Sync.",
      ".claude/commands/review.md": "---\ndescription: Review it\n---\nReview $1.",
      ".gemini/commands/plan.toml": 'description = "Plan"\nprompt = "Plan {{args}}"',
      [`${home}/.claude/commands/mine.md`]: "Mine.",
      [`${home}/.claude/commands/review.md`]: "Mine too.",
    });

    const found = Array.from(loaded.commands.values(), ({ name, description }) => [
      name,
      description,
    ]);
    expect(found).toEqual([
      ["git:sync", "Sync."],
      ["review", "Review it"],
      ["plan", "Plan"],
      ["mine", "Mine."],
    ]);
    expect(problemsIn(loaded)).toEqual([
      `warning ${home}/.claude/commands/review.md: /project/.claude/commands/review.md has the same name, whatever the case, and is used.`,
    ]);
  });

  test.each(["deploy.md", "DEPLOY.md"])(
    "that are not used take no name from those that are: %s",
    async (name) => {
      const mine = `${home}/.claude/commands/deploy.md`;
      const files = { [`.haft/commands/${name}`]: "Evil.", [mine]: "Mine." };

      const untrusted = await load(files, false);
      const trusted = await load(files);

      expect(untrusted.commands.get("deploy")).toMatchObject({ file: mine, body: "Mine." });
      expect([...untrusted.needTrust.keys()]).toEqual([]);
      expect(problemsIn(untrusted)).toEqual([
        `warning /project/.haft/commands/${name}: ${mine} has the same name, whatever the case, and is used.`,
      ]);
      expect([...trusted.commands.values()].map(({ body }) => body)).toEqual(["Evil."]);
    },
  );

  test("of an untrusted workspace are listed apart", async () => {
    const files = { ".claude/commands/a.md": "A", [`${home}/.haft/commands/b.md`]: "B" };

    const { commands, needTrust } = await load(files, false);

    expect([[...commands.keys()], [...needTrust.keys()]]).toEqual([["b"], ["a"]]);
  });

  test.each([
    { name: "caf\u00e9.md", text: "A", says: "is not a name for a command" },
    { name: "p\u0430y.md", text: "A", says: "is not a name for a command" },
    {
      name: "a.md",
      text: "---\nallowed-tools: { a: 1 }\n---\nA",
      says: "`allowed-tools` is not a text or a list of texts",
    },
    { name: "a.md", text: "---\nmodel: [x]\n---\nA", says: "`model` is a text" },
    { name: "a.md", text: "---\nx: &a [1]\ny: *a\n---\nA", says: "Anchors and aliases" },
    { name: "a.md", text: "---\nalowed-tools: Read\n---\nA", says: "no field `alowed-tools`" },
    { name: "a.toml", text: "prompt = ", says: "This is not TOML" },
    { name: "a.toml", text: "prompt = 5", says: "A command in TOML has a text `prompt`" },
    { name: "a.md", text: "x".repeat(5_000_000), says: "cannot be read" },
  ])("$name with a fault is named: $says", async ({ name, text, says }) => {
    const loaded = await load({ [`.haft/commands/${name}`]: text });

    expect(problemsIn(loaded)).toEqual([expect.stringContaining(says)]);
  });

  test("whose ceiling cannot be read cannot be run", async () => {
    const text = "---\nallowed-tools: 5\n---\nA";

    expect((await load({ ".haft/commands/a.md": text })).commands.size).toBe(0);
  });

  test("take a ceiling as a list or as a text", async () => {
    const both = ["Bash(git add *)", "Read"];
    expect(await ceilingOf("Bash(git add *), Read")).toEqual(both);
    expect(await ceilingOf('["Bash(git add *)", "Read"]')).toEqual(both);
  });
});

describe("a prompt", () => {
  test.each([
    ["Fix $ARGUMENTS.", "a b", "Fix a b."],
    ["Fix $1 then $2.", '"a b" c', "Fix a b then c."],
    ["Fix $0 then $1.", "a b", "Fix a then b."],
    ["Fix $ARGUMENTS[1].", "a b", "Fix b."],
    ["Costs \\$5 for $1.", "a", "Costs $5 for a."],
    [
      "---\narguments: [file, line]\n---\nSee $file at $line, $other.",
      "a 7",
      "See a at 7, $other.",
    ],
    ["Fix it.", "now", "Fix it.\n\nnow\n"],
    ["Ask @alice.", "", "Ask @alice."],
  ])("%s with %s is %s", async (text, given, prompt) => {
    expect((await expanded(text, given)).prompt).toBe(prompt);
  });

  test("inserts the output of programs and files", async () => {
    const { prompt, asked } = await expanded("Now: !`git diff $1`\nIn @src/a.ts", "main");

    expect(asked).toEqual(["$ git diff main", "src/a.ts"]);
    expect(prompt).toBe("Now: out\nIn src/a.ts:\ncontent");
  });

  test("gets no insertion from an argument", async () => {
    const { prompt, asked } = await expanded("Fix $ARGUMENTS", "!`rm x` @secret.txt");

    expect(asked).toEqual([]);
    expect(prompt).toBe("Fix !`rm x` @secret.txt");
  });

  test("of TOML quotes its arguments in a shell", async () => {
    const body = "Now {{args}}: !{grep {{args}} .} @{a.txt}";
    const { prompt, asked } = await expanded("", "x; rm 'y'", { syntax: "toml", body });

    expect(asked).toEqual(["$ grep 'x; rm '\\''y'\\''' .", "a.txt"]);
    expect(prompt).toBe("Now x; rm 'y': out a.txt:\ncontent");
  });
});
