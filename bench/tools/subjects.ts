import path from "node:path";
import type { Subject } from "./subject.ts";

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
