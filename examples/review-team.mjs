/* oxlint-disable no-console, unicorn/no-thenable -- a program for the terminal; `then` is a word of scripts */
// Two workers write a file each, at the same time, and a reviewer reads what they wrote. The model is scripted, so that
// no key is needed: node examples/review-team.mjs DIRECTORY
import { createToolkit } from "haft";
import { scriptedModel } from "haft/agent";

const agent = (prompt, tools) => ({ name: "Agent", input: { prompt, description: prompt, tools } });
const file = { file_path: "{{name}}.txt" };
const model = scriptedModel({
  format: 1,
  name: "review team",
  rules: [
    {
      when: { taskMatches: "^Write (?<name>\\w+)", lastResultOf: "Write" },
      then: { text: "Wrote {{name}}.txt." },
    },
    {
      when: { taskMatches: "^Write (?<name>\\w+)" },
      then: { calls: [{ name: "Write", input: { ...file, content: "by {{name}}\n" } }] },
    },
    { when: { taskMatches: "^Review", lastResultOf: "Grep" }, then: { text: "Both are there." } },
    {
      when: { taskMatches: "^Review" },
      then: { calls: [{ name: "Grep", input: { pattern: "by" } }] },
    },
  ],
  turns: [
    { calls: [agent("Write one"), agent("Write two")] },
    { calls: [agent("Review the files", ["Read", "Grep"])] },
    { text: "Written and reviewed." },
  ],
});

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits", model });
const { text } = await kit.run({ task: "Have two files written and reviewed." }).result;
for (const { description, status, calls } of (await kit.agents.list()).toReversed())
  console.log(`${description}: ${status}, ${calls} call`);
console.log(text);
await kit.dispose();
