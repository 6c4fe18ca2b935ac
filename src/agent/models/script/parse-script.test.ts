import { expect, test } from "vitest";
import { parseScript } from "./parse-script.ts";

async function problemOf(source: string): Promise<string> {
  const error: unknown = await parseScript(source, "demo.json").catch((cause: unknown) => cause);
  return error instanceof Error ? error.message : "no error";
}

test("a script may have comments and trailing commas", async () => {
  const source = `{
    // its purpose
    "format": 1,
    "name": "x",
    "turns": [{ "text": "hi", },],
  }`;

  expect(await parseScript(source, "demo.json")).toEqual({
    format: 1,
    name: "x",
    turns: [{ text: "hi" }],
  });
});

const inTurn = (turn: string): string => `{
  "format": 1,
  "name": "x",
  "turns": [
    { "text": "fine" },
    ${turn}
  ]
}`;

test.each([
  { source: "", line: "demo.json:1: value expected" },
  { source: '{\n  "format": 1\n  "name": "x"\n}', line: "demo.json:3: comma expected" },
  { source: "[]", line: "demo.json:1: the script must be an object" },
  { source: '{\n "name": "x", "turns": []}', line: 'demo.json:1: the script lacks "format"' },
  { source: '{\n "format": 2, "name": "x", "turns": []}', line: "demo.json:2: format must be 1" },
  {
    source: '{"format":1,"name":"","turns":[]}',
    line: "demo.json:1: name must be a text that is not empty",
  },
  { source: '{"format":1,"name":"x","turns":{}}', line: "demo.json:1: turns must be a list" },
  {
    source: inTurn('{ "txt": "hi" }'),
    line: "demo.json:6: turns[1].txt is not known here; known are when, reasoning, text, calls, finish, usage, error",
  },
  { source: inTurn('{ "text": 3 }'), line: "demo.json:6: turns[1].text must be a text" },
  {
    source: inTurn('{ "calls": [\n{ "input": {} }] }'),
    line: 'demo.json:7: turns[1].calls[0] lacks "name"',
  },
  {
    source: inTurn('{ "calls": [{ "name": "A", "input": {}, "inputText": "" }] }'),
    line: "demo.json:6: turns[1].calls[0] has both input and inputText; keep one",
  },
  {
    source: inTurn('{ "calls": [{ "name": "A", "incomplete": "yes" }] }'),
    line: "demo.json:6: turns[1].calls[0].incomplete must be true or false",
  },
  {
    source: inTurn('{ "when": {\n\n"turn": -1 } }'),
    line: "demo.json:8: turns[1].when.turn must be a whole number",
  },
  {
    source: inTurn('{ "when": { "taskMatches": 1 } }'),
    line: "demo.json:6: turns[1].when.taskMatches must be a regular expression as text",
  },
  {
    source: inTurn('{ "finish": "over" }'),
    line: 'demo.json:6: turns[1].finish must be "stop" or "tool-calls" or "length" or "content-filter" or "error" or "interrupted" or "other"',
  },
  {
    source: inTurn('{ "usage": { "input": 1 } }'),
    line: 'demo.json:6: turns[1].usage lacks "output"',
  },
  { source: inTurn('{ "error": {} }'), line: 'demo.json:6: turns[1].error lacks "message"' },
  {
    source: '{"format":1,"name":"x","turns":[],\n"rules":[{"when":{}}]}',
    line: 'demo.json:2: rules[0] lacks "then"',
  },
])("$line", async ({ source, line }) => {
  expect(await problemOf(source)).toBe(`The script cannot be played.\n${line}`);
});

test("an expression that does not compile is named with its reason", async () => {
  expect(await problemOf(inTurn('{ "when": { "lastResultMatches": "(" } }'))).toMatch(
    /demo\.json:6: turns\[1\]\.when\.lastResultMatches is not a regular expression: .*Unterminated group/u,
  );
});

test("several problems are named together, five at most", async () => {
  const turns = Array.from({ length: 7 }, () => '{ "text": 1 }').join(",\n");

  const problem = await problemOf(`{"format":1,"name":"x","turns":[\n${turns}]}`);

  expect(problem.split("\n")).toHaveLength(6);
  expect(problem).toContain("demo.json:6: turns[4].text must be a text");
});
