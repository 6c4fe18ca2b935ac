import { tool } from "@langchain/core/tools";
import { createToolkit } from "haft";
import { fromLangChainTools, toLangChainTools } from "haft/interop";
import { z } from "zod";

// A tool of LangChain in the kit: what it touches is not known, so a rule allows it.
const count = tool(async ({ text }) => `${text.split(/\s+/u).length} words`, {
  name: "count_words",
  description: "Count the words of a text.",
  schema: z.object({ text: z.string() }),
});
const kit = await createToolkit({
  workspace: process.argv[2] ?? ".",
  mode: "acceptEdits",
  tools: { extra: await fromLangChainTools([count]) },
  rules: { allow: ["count_words"] },
});
const counted = await kit.call({ name: "count_words", input: { text: "a b c" } });
console.log(`${counted.tool}: ${counted.status}, ${counted.text}`);

// The kit's tools in LangChain: `createAgent({ model, tools })` and ToolNode take them.
const tools = await toLangChainTools(kit, tool);
const write = tools.find(({ name }) => name === "Write");
const args = { file_path: "NOTES.md", content: "today\n" };
const message = await write.invoke({ type: "tool_call", id: "call_1", name: "Write", args });
console.log(`${message.name}: ${message.artifact.status}, ${message.artifact.summary}`);
await kit.dispose();
