import path from "node:path";
import type { Subject } from "./subject.ts";

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

/** A subject with its tools acting in a workspace. */
export async function openSubject(name: string, workspace: string): Promise<Subject> {
  switch (name) {
    case "floor":
      return (await import("./floor.ts")).openFloor(workspace);
    case "floor-durable": {
      const { openDurableFloor } = await import("./floor-durable.ts");
      return openDurableFloor(path.resolve(".cache", "corpus-own", `durable-${process.pid}.log`));
    }
    case "haft":
      return (await import("./haft.ts")).openHaft(workspace);
    case "pi":
      return (await import("./pi.ts")).openPi(workspace);
    case "gemini":
      return (await import("./gemini.ts")).openGemini(workspace);
    case "mcp-filesystem":
      return (await import("./mcp-filesystem.ts")).openMcpFilesystem(workspace);
    case "desktop-commander":
      return (await import("./desktop-commander.ts")).openDesktopCommander(workspace);
    default:
      throw new TypeError(`There is no subject ${name}.`);
  }
}
