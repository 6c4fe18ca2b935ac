import { expect, test } from "vitest";
import { parseWords } from "./parse-arguments.ts";

const options = {
  mode: { type: "string", short: "m" },
  workspace: { type: "string", short: "C" },
  allow: { type: "string", multiple: true },
  yes: { type: "boolean", short: "y" },
  json: { type: "boolean" },
} as const;

const lines: readonly {
  readonly line: readonly string[];
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
  readonly because: string;
}[] = [
  {
    line: ["Read", "a=1", "--json", "b=2"],
    words: ["Read", "a=1", "b=2"],
    values: { json: true },
    because: "options may stand anywhere, words keep their order",
  },
  {
    line: ["Grep", "-C:=3", "-C", "dir"],
    words: ["Grep", "-C:=3"],
    values: { workspace: "dir" },
    because: "-C:=3 is Grep's context, -C dir the workspace",
  },
  {
    line: ["-m", "plan", "--allow", "a=b", "--allow=c=d"],
    words: [],
    values: { mode: "plan", allow: ["a=b", "c=d"] },
    because: "the value of an option is never a key of the call",
  },
  {
    line: ["--mode", "-odd"],
    words: [],
    values: { mode: "-odd" },
    because: "a value may begin with a dash; whether it fits is said later",
  },
  {
    line: ["Read", "--", "--json", "-y"],
    words: ["Read", "--json", "-y"],
    values: {},
    because: "after -- everything is a word",
  },
  {
    line: ["Read", "-", "-y"],
    words: ["Read", "-"],
    values: { yes: true },
    because: "- alone is standard input",
  },
  {
    line: ["-ym", "plan", "x"],
    words: ["x"],
    values: { yes: true, mode: "plan" },
    because: "short options may be joined, the last with a value",
  },
  {
    line: ["fix", "x=1", "in", "a.ts"],
    words: ["fix", "x=1", "in", "a.ts"],
    values: {},
    because: "a task keeps its words as they came",
  },
];

test.each(lines)("$line: $because", ({ line, words, values }) => {
  const parsed = parseWords(line, options);

  expect(parsed.words).toEqual(words);
  expect({ ...parsed.values }).toEqual(values);
});

test.each([
  [["--jsn"], "There is no option --jsn here. Did you mean --json?"],
  [["--work", "x"], "There is no option --work here. Did you mean --workspace?"],
  [["--entirely-new"], "There is no option --entirely-new here."],
  [["-z"], "There is no option -z here."],
  [["--mode"], "Option '-m, --mode <value>' argument missing."],
  [["--json=yes"], "Option '--json' does not take an argument."],
])("%j: %s", (line, message) => {
  expect(() => parseWords(line, options)).toThrow(message);
});
