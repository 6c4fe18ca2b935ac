import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount } from "ai";
import { createToolkit } from "haft";
import { toAISDKTools } from "haft/ai-sdk";

const kit = await createToolkit({ workspace: process.argv[2] ?? "." });
const tools = await toAISDKTools(kit);
const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat("gpt-5");
const messages = [{ role: "user", content: "Note the date in NOTES.md." }];

for (;;) {
  const result = await generateText({ model, tools, messages, stopWhen: isStepCount(20) });
  messages.push(...result.response.messages);
  const requests = result.content.filter(({ type }) => type === "tool-approval-request");
  if (requests.length === 0) {
    console.log(result.text);
    break;
  }
  // A program for users would ask here.
  for (const { toolCall } of requests) console.log(`Approved: ${toolCall.toolName}`);
  const content = requests.map(({ approvalId }) => ({
    type: "tool-approval-response",
    approvalId,
    approved: true,
  }));
  messages.push({ role: "tool", content });
}
await kit.dispose();
