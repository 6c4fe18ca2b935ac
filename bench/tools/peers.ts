export interface Peer {
  readonly name: string;
  readonly version: string;
}

/** Published tools, installed on demand. */
export const peers: ReadonlyMap<string, Peer> = new Map([
  ["pi", { name: "@mariozechner/pi-coding-agent", version: "0.73.1" }],
  ["gemini", { name: "@google/gemini-cli-core", version: "0.61.0" }],
  ["mcp-filesystem", { name: "@modelcontextprotocol/server-filesystem", version: "2026.8.31" }],
  ["desktop-commander", { name: "@wonderwhy-er/desktop-commander", version: "0.2.52" }],
]);
