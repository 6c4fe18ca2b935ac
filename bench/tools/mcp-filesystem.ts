import path from "node:path";
import { commandFile } from "../../scripts/install-on-demand.ts";
import { peerFolder } from "./load-peer.ts";
import { startMcpPeer } from "./mcp-client.ts";
import type { Subject } from "./subject.ts";

/** Has neither grep nor a shell, and reads only the head of a file. */
export async function openMcpFilesystem(workspace: string): Promise<Subject> {
  const file = await commandFile(await peerFolder("mcp-filesystem"), "mcp-server-filesystem");
  const server = await startMcpPeer([process.execPath, file, workspace, path.resolve(".cache")]);
  return {
    pid: server.pid,
    glob: async (pattern) => server.call("search_files", { path: workspace, pattern }),
    read: async (at, { offset, limit }) =>
      server.call("read_text_file", { path: at, head: offset - 1 + limit }),
    edit: async (at, { from, to }) =>
      server.call("edit_file", { path: at, edits: [{ oldText: from, newText: to }] }),
    close: async () => server.close(),
  };
}
