import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { replay } from "../support/replay.ts";
import { readTrajectory } from "../support/trajectory.ts";

const directory = path.join(import.meta.dirname, "../cases/trajectories");
const files = readdirSync(directory);

const counts: Readonly<Record<string, object>> = {
  "anthropic.jsonl": { turns: 3, calls: 3 },
  "openai-chat.jsonl": { turns: 5, calls: 4 },
  "openai-responses.jsonl": { turns: 9, calls: 8 },
  "repeated-ids.jsonl": { turns: 12, calls: 36 },
};

test.each(files)("%s runs each call once, in order, and keeps each result", async (file) => {
  const tasks = readTrajectory(readFileSync(path.join(directory, file), "utf8"));

  expect(await replay(tasks)).toEqual({ ...counts[file], differences: [] });
});

test("a replay reports calls and results that differ from the recording", async () => {
  const call = { id: "c1", name: "Count", input: '{"n":1}' };
  const list = { id: "c2", name: "Count", input: "[1]" };
  const result = { text: "one", isError: false };

  const { differences } = await replay([
    { text: "go", turns: [{ text: "", calls: [call, list], results: [result, result] }] },
  ]);

  expect(differences).toEqual([
    "Call 2 (Count) did not run.",
    expect.stringContaining("Call 2 (Count) has another result"),
  ]);
});

test.each([
  { line: "[]", says: "Line 1 is not an object." },
  { line: '{"role":"wizard"}', says: "Line 1 has an unknown form" },
  { line: '{"role":"tool","tool_call_id":"x","content":""}', says: "The result x has no call" },
])("a line that is not a message is refused: $line", ({ line, says }) => {
  expect(() => readTrajectory(line)).toThrow(says);
});
