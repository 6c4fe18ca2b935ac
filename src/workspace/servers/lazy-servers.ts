import { pathExists } from "../../text/index.ts";
import type { FoundServer, LoadServersOptions } from "./load-servers.ts";

/** Finds the MCP servers, with the reader loaded only where there may be some. */
export async function loadServers(options: LoadServersOptions): Promise<readonly FoundServer[]> {
  const { host, workspace, settings, files, plugins } = options;
  const isConfigured = settings.layers.some(
    ({ read: { values } }) =>
      values.mcpServers !== undefined || values.directMcpServers !== undefined,
  );
  if (!isConfigured && plugins.every(({ kind }) => kind !== "mcp")) {
    if (!files) return [];
    if (!(await pathExists(host.fs, `${workspace}/.mcp.json`))) return [];
  }
  const { findServers } = await import("./load-servers.ts");
  return await findServers(options);
}
