/** Entry `haft/mcp`: the tools of a kit as an MCP server. */
export {
  serveStdio,
  type McpToolkit,
  type ProtocolOptions,
  type StdioOptions,
} from "../mcp/index.ts";
