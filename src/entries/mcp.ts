/** Entry `haft/mcp`: the tools of a kit as an MCP server. */
export {
  serveStdio,
  type McpLibrary,
  type McpPrompt,
  type McpPromptRequest,
  type McpPromptText,
  type McpResource,
  type McpResourceContent,
  type McpResourceTemplate,
  type McpToolkit,
  type ProtocolOptions,
  type StdioOptions,
} from "../mcp/index.ts";
