import { describe, expect, test } from "vitest";
import type { Kit } from "../../src/index.ts";
import { hookWorld, type GivenHooks } from "./hook-world.ts";

// Parts of a project that are wrong or hostile, one by one: what a call gets, and what `haft config check` says.

type Failure = readonly [code: string, message: string, hint: string];

interface Case {
  readonly bad: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly hooks?: GivenHooks;
  readonly call: Parameters<Kit["call"]>[0];
  /** Code, sentence and hint of the failure of the call; absent where the call is not affected. */
  readonly fails?: Failure;
  /** Problems by file: severity, line, sentence and hint. */
  readonly finds?: Readonly<
    Record<string, readonly (readonly [string, number | undefined, string, string])[]>
  >;
}

const read = { name: "Read", input: { file_path: "a.txt" } };
const use = (skill: string) => ({ name: "Skill", input: { skill } });
const skill = (name: string, fields = "", body = "Do it.") =>
  `---\nname: ${name}\ndescription: Does it.\n${fields}---\n${body}\n`;
const good = { ".claude/skills/good/SKILL.md": skill("good") };
const hook = (command: string, more: object = {}): GivenHooks => ({
  PreToolUse: [{ hooks: [{ type: "command", command, ...more }] }],
});

/** Fields that a parser which follows aliases would expand to a gigabyte. */
const expanding = Array.from({ length: 30 }, (_each, level) =>
  level === 0 ? "a0: &a0 [x, x]\n" : `a${level}: &a${level} [*a${level - 1}, *a${level - 1}]\n`,
).join("");

const settings = ".haft/settings.json";
const megabytes = (count: number): string => "x".repeat(count * 1_000_000);
const needsApproval = (place: string): Failure => [
  "APPROVAL_REQUIRED",
  `Read needs approval, and no user is available to give it: * (${place}) asks about this.`,
  "Run it where the user can answer, or in a mode that allows it.",
];
const blocked = (why: string): Failure => [
  "BLOCKED_BY_HOOK",
  `A hook blocked Read: The hook PreToolUse ${why}.`,
  "Do something else, or ask the user to change the hook.",
];
const unusable = (name: string, why: string, line?: number): Failure => [
  "UNAVAILABLE",
  `The skill "${name}" cannot be used${line === undefined ? "" : ` (<workspace>/.claude/skills/${name}/SKILL.md:${line})`}: ${why}`,
  "The user can correct the file; haft config check names all of its problems.",
];
const asked = "Until it is corrected every call is asked about.";
const correct = "Until it is corrected, the skill is not used.";
const anchors = "Anchors and aliases are not allowed in fields; write the value out";
const notAName = "is not 1 to 64 lowercase letters, digits and single hyphens.";

const cases: readonly Case[] = [
  {
    bad: "settings that are a number",
    files: { [settings]: "5" },
    call: read,
    fails: needsApproval(`<workspace>/${settings}:1`),
    finds: { [settings]: [["error", 1, "Settings must be an object.", asked]] },
  },
  {
    bad: "a deny list that is a number",
    files: { [settings]: '{\n"permissions": { "deny": 5 } }' },
    call: read,
    fails: needsApproval(`<workspace>/${settings}:2`),
    finds: { [settings]: [["error", 2, "`permissions.deny` must be a list of rules.", asked]] },
  },
  {
    bad: "settings that end too early",
    files: { [settings]: '{"permissions": ' },
    call: read,
    fails: needsApproval(`<workspace>/${settings}:1`),
    finds: {
      [settings]: [
        [
          "error",
          1,
          "This is not JSON (value expected), so what it denies may be lost.",
          "Correct it; until then every call is asked about and what it allows is ignored.",
        ],
      ],
    },
  },
  {
    bad: "settings nested too deep",
    files: { [settings]: "[".repeat(5000) },
    call: read,
    fails: needsApproval(`<workspace>/${settings}:1`),
    finds: {
      [settings]: [
        [
          "error",
          1,
          "This is not JSON (more than 100 brackets in one another), so what it denies may be lost.",
          "Correct it; until then every call is asked about and what it allows is ignored.",
        ],
      ],
    },
  },
  {
    bad: "settings of 50 MB",
    files: { [settings]: `{"a":"${megabytes(50)}"}` },
    call: read,
    fails: needsApproval(`<workspace>/${settings}`),
    finds: {
      [settings]: [
        [
          "error",
          undefined,
          `This file is there and cannot be read, so what it denies is not known. <workspace>/${settings} has 50000008 bytes; at most 4000000 are read here.`,
          "Make it readable or remove it; until then every call is asked about.",
        ],
      ],
    },
  },
  {
    bad: "a key that only looks like one, and denies",
    files: { [settings]: '{ "p\u0435rmissions": { "deny": ["Read"] } }' },
    call: read,
    fails: needsApproval(`<workspace>/${settings}:1`),
    finds: {
      [settings]: [
        [
          "error",
          1,
          String.raw`Settings have no key "p\u{0435}rmissions".`,
          `${asked} Did you mean "permissions"?`,
        ],
      ],
    },
  },
  {
    bad: "a key that differs by case, and denies",
    files: { [settings]: '{ "Permissions": { "deny": ["Read"] } }' },
    call: read,
    fails: needsApproval(`<workspace>/${settings}:1`),
    finds: {
      [settings]: [
        ["error", 1, 'Settings have no key "Permissions".', `${asked} Did you mean "permissions"?`],
      ],
    },
  },
  {
    bad: "a skill of 50 MB",
    files: { ...good, ".claude/skills/big/SKILL.md": skill("big", "", megabytes(50)) },
    call: use("big"),
    fails: unusable(
      "big",
      "<workspace>/.claude/skills/big/SKILL.md has 50000041 bytes; at most 262144 are read here.",
    ),
    finds: {
      ".claude/skills/big/SKILL.md": [
        [
          "error",
          undefined,
          "It cannot be read. <workspace>/.claude/skills/big/SKILL.md has 50000041 bytes; at most 262144 are read here.",
          "Make it a file of at most 262144 bytes that can be read.",
        ],
      ],
    },
  },
  {
    bad: "a skill whose fields expand",
    files: { ...good, ".claude/skills/odd/SKILL.md": skill("odd", expanding) },
    call: use("odd"),
    fails: unusable("odd", `${anchors}.`, 5),
    finds: {
      ".claude/skills/odd/SKILL.md": [
        ["error", 5, `${anchors}.`, correct],
        ["error", 6, `${anchors}.`, correct],
        ["error", 7, `${anchors} (and 26 more lines).`, correct],
      ],
    },
  },
  {
    bad: "a skill whose name differs by case",
    files: { ...good, ".claude/skills/Good/SKILL.md": skill("Good") },
    call: use("Good"),
    fails: unusable("Good", `The name "Good" ${notAName}`, 2),
    finds: {
      ".claude/skills/Good/SKILL.md": [["error", 2, `The name "Good" ${notAName}`, correct]],
    },
  },
  {
    bad: "a skill whose name looks like another one",
    files: { ...good, ".claude/skills/g\u043E\u043Ed/SKILL.md": skill("g\u043E\u043Ed") },
    call: use("g\u043E\u043Ed"),
    fails: ["NOT_FOUND", 'There is no skill "g\u043E\u043Ed".', "The skills are good."],
    finds: {
      ".claude/skills/g\u043E\u043Ed/SKILL.md": [
        ["error", 2, String.raw`The name "g\u{043e}\u{043e}d" ${notAName}`, correct],
      ],
    },
  },
  {
    bad: "commands whose names differ by case or look alike",
    files: {
      ".claude/commands/Notes.md": "Do it.",
      ".claude/commands/notes.md": "Do another thing.",
      ".claude/commands/n\u043Etes.md": "Do harm.",
    },
    call: { name: "SlashCommand", input: { command: "/n\u043Etes" } },
    fails: [
      "UNAVAILABLE",
      '/n\u043Etes cannot be used (<workspace>/.claude/commands/n\u043Etes.md:1): "n\\u{043e}tes" is not a name for a command.',
      "The user can correct the file; haft config check names all of its problems.",
    ],
    finds: {
      ".claude/commands/notes.md": [
        [
          "warning",
          undefined,
          "<workspace>/.claude/commands/Notes.md has the same name, whatever the case, and is used.",
          "Rename one of them.",
        ],
      ],
      ".claude/commands/n\u043Etes.md": [
        [
          "error",
          1,
          String.raw`"n\u{043e}tes" is not a name for a command.`,
          "Use letters without accents, digits, `-`, `_` and `.`.",
        ],
      ],
    },
  },
  {
    bad: "instructions that import each other",
    files: { "AGENTS.md": "@b.md", "b.md": "@AGENTS.md" },
    call: read,
    finds: {
      "b.md": [
        [
          "warning",
          1,
          "<workspace>/AGENTS.md is imported by itself, through <workspace>/b.md.",
          "Remove one of the imports; the file is used once.",
        ],
      ],
    },
  },
  {
    bad: "a hook that prints a gigabyte",
    hooks: hook("head -c 1000000000 /dev/zero"),
    call: read,
    fails: blocked(
      "head -c 1000000000 /dev/zero in <workspace>/.claude/settings.json:6 failed: it printed more than 1048576 bytes",
    ),
  },
  {
    bad: "a hook that prints a gigabyte of errors",
    hooks: hook("head -c 1000000000 /dev/zero >&2"),
    call: read,
    fails: blocked(
      "head -c 1000000000 /dev/zero >&2 in <workspace>/.claude/settings.json:6 failed: it printed more than 1048576 bytes",
    ),
  },
  {
    bad: "a hook that never reads its input, and does not end",
    hooks: hook("sleep 60", { timeout: 0.3 }),
    call: { name: "Write", input: { file_path: "b.txt", content: megabytes(4) } },
    fails: [
      "BLOCKED_BY_HOOK",
      "A hook blocked Write: The hook PreToolUse sleep 60 in <workspace>/.claude/settings.json:6 failed: it did not end within 0.3 s.",
      "Do something else, or ask the user to change the hook.",
    ],
  },
  {
    bad: "a hook that closes its input, and ends well",
    hooks: hook("exec 0<&-; exit 0"),
    call: { name: "Write", input: { file_path: "b.txt", content: megabytes(4) } },
  },
];

describe("bad input of a project", () => {
  test.each(cases)("$bad", async ({ files = {}, hooks = {}, call, fails, finds = {} }) => {
    await using world = await hookWorld(hooks, { "a.txt": "alpha\n", ...files });
    await using kit = await world.open({ mode: "acceptEdits" });
    const shown = (text: string | undefined) => text?.replaceAll(world.workspace, "<workspace>");

    const { error } = await kit.call(call);
    const checked = await kit.settings.check();

    const failure = error && [error.code, shown(error.message), shown(error.hint)];
    expect(failure).toEqual(fails);
    const found = checked.flatMap(({ path, problems }) =>
      problems.length === 0
        ? []
        : [
            [
              path.slice(world.workspace.length + 1),
              problems.map(({ severity, line, message, hint }) => [
                severity,
                line,
                shown(message),
                shown(hint),
              ]),
            ],
          ],
    );
    expect(Object.fromEntries(found)).toEqual(finds);
  });
});
