import OpenAI from "openai";
import { createToolkit, toResult } from "haft";

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits" });
const client = new OpenAI();
const messages = [{ role: "user", content: "Note the date in NOTES.md." }];

for (;;) {
  const { tools } = await kit.definitions("openai-chat");
  const { choices } = await client.chat.completions.create({ model: "gpt-5", tools, messages });
  const [{ message }] = choices;
  messages.push(message);
  const calls = message.tool_calls ?? [];
  if (calls.length === 0) {
    console.log(message.content);
    break;
  }
  const outcomes = await kit.callAll(
    calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input })),
  );
  for (const { tool, status, summary } of outcomes) console.log(`${tool}: ${status}, ${summary}`);
  messages.push(...outcomes.map((outcome) => toResult(outcome, "openai-chat")));
}
await kit.dispose();
