import Anthropic from "@anthropic-ai/sdk";
import { createToolkit, toResult } from "haft";

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits" });
const client = new Anthropic();
const messages = [{ role: "user", content: "Note the date in NOTES.md." }];

for (;;) {
  const { tools } = await kit.definitions("anthropic");
  const answer = await client.messages.create({
    model: "claude-sonnet-5",
    max_tokens: 4096,
    tools,
    messages,
  });
  messages.push({ role: "assistant", content: answer.content });
  const calls = answer.content.filter((block) => block.type === "tool_use");
  if (calls.length === 0) {
    console.log(answer.content.map((block) => block.text ?? "").join(""));
    break;
  }
  const outcomes = await kit.callAll(calls);
  for (const { tool, status, summary } of outcomes) console.log(`${tool}: ${status}, ${summary}`);
  messages.push({
    role: "user",
    content: outcomes.map((outcome) => toResult(outcome, "anthropic")),
  });
}
await kit.dispose();
