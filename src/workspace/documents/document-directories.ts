import { agentDirectories } from "../agents/agent-directories.ts";
import { commandDirectories } from "../commands/command-directories.ts";
import { skillDirectories } from "../skills/skill-directories.ts";

/** Directories below a workspace or a home whose files a session obeys. */
export const documentDirectories: readonly string[] = [
  ...skillDirectories,
  ...agentDirectories,
  ...commandDirectories,
];
