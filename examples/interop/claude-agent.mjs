import { createSdkMcpServer, query } from "@anthropic-ai/claude-agent-sdk";
import { createToolkit } from "haft";
import { toClaudeAgentTools } from "haft/interop";

const kit = await createToolkit({ workspace: process.argv[2] ?? ".", mode: "acceptEdits" });
const tools = await toClaudeAgentTools(kit, { names: ["Read", "Write", "Edit", "Grep"] });
const haft = createSdkMcpServer({ name: "haft", tools });

const messages = query({
  prompt: "Note the date in NOTES.md.",
  options: {
    mcpServers: { haft },
    tools: [],
    allowedTools: tools.map(({ name }) => `mcp__haft__${name}`),
  },
});
for await (const message of messages) {
  if (message.type === "result") console.log(message.result);
}
await kit.dispose();
