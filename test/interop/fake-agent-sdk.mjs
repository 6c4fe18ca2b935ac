// The part of the Claude Agent SDK that a program with tools uses; the real package brings an agent of 200 MB.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

export function createSdkMcpServer({ name, version = "1.0.0", tools }) {
  const instance = new McpServer({ name, version });
  for (const { name: tool, description, inputSchema, annotations, handler } of tools) {
    instance.registerTool(tool, { description, inputSchema, annotations }, handler);
  }
  return { type: "sdk", name, instance };
}

export async function* query({ options: { mcpServers } }) {
  const [end, serverEnd] = InMemoryTransport.createLinkedPair();
  await mcpServers.haft.instance.connect(serverEnd);
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(end);
  const { tools } = await client.listTools();
  const input = { file_path: "NOTES.md", content: "today\n" };
  const { isError } = await client.callTool({ name: "Write", arguments: input });
  await client.close();
  yield { type: "assistant" };
  yield { type: "result", result: `${tools.length} tools; Write: ${isError ? "failed" : "ok"}` };
}
