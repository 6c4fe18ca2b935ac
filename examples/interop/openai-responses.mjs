import OpenAI from "openai";
import { createToolkit, toResult } from "haft";

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits" });
const client = new OpenAI();
const input = [{ role: "user", content: "Note the date in NOTES.md." }];

for (;;) {
  const { tools } = await kit.definitions("openai-responses");
  const answer = await client.responses.create({ model: "gpt-5", tools, input, store: false });
  input.push(...answer.output);
  const calls = answer.output.filter((item) => item.type === "function_call");
  if (calls.length === 0) {
    console.log(answer.output_text);
    break;
  }
  const outcomes = await kit.callAll(
    calls.map((item) => ({ id: item.call_id, name: item.name, input: item.arguments })),
  );
  for (const { tool, status, summary } of outcomes) console.log(`${tool}: ${status}, ${summary}`);
  input.push(...outcomes.map((outcome) => toResult(outcome, "openai-responses")));
}
await kit.dispose();
