import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { commandFile } from "../../scripts/install-on-demand.ts";
import { peerFolder } from "./load-peer.ts";
import { startMcpPeer, type McpPeer } from "./mcp-client.ts";
import type { Subject } from "./subject.ts";

export async function openDesktopCommander(workspace: string): Promise<Subject> {
  const file = await commandFile(await peerFolder("desktop-commander"), "desktop-commander");
  // Its settings, telemetry off, stay out of the person's home.
  const home = path.resolve(".cache", "corpus-home");
  const settings = path.join(home, ".claude-server-commander");
  await mkdir(settings, { recursive: true });
  await writeFile(
    path.join(settings, "config.json"),
    JSON.stringify({ telemetryEnabled: false, allowedDirectories: [], blockedCommands: [] }),
  );
  const server = await startMcpPeer([process.execPath, file], { HOME: home });
  return {
    pid: server.pid,
    grep: async (pattern) => search(server, { path: workspace, pattern, searchType: "content" }),
    glob: async () => search(server, { path: workspace, pattern: "*.ts", searchType: "files" }),
    read: async (at, { offset, limit }) =>
      server.call("read_file", { path: at, offset: offset - 1, length: limit }),
    edit: async (at, { from, to }) =>
      server.call("edit_block", { file_path: at, old_string: from, new_string: to }),
    // It has no folder of its own to start commands in.
    bash: async (command) =>
      server.call("start_process", {
        command: `cd '${workspace}' && ${command}`,
        timeout_ms: 60_000,
      }),
    close: async () => server.close(),
  };
}

/** A search runs on by itself and is asked until it says that it is done or has a page of results. */
async function search(server: McpPeer, input: object): Promise<string> {
  const started = await server.call("start_search", { ...input, maxResults: 250 });
  const sessionId = /search_\w+/u.exec(started)?.[0] ?? "";
  for (;;) {
    const text = await server.call("get_more_search_results", {
      sessionId,
      offset: 0,
      length: 250,
    });
    if (/Status: (?:COMPLETED|ERROR)|✅|Search completed/u.test(text)) return text;
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  }
}
