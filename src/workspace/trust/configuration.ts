import { inBatches } from "../../text/index.ts";
import type { StartedProgram } from "./commands/command-words.ts";
import { hashFiles, type FileHashes, type HashOptions } from "./hash-files.ts";

/** Files and directories of a workspace that run code or widen what a session may do. */
export const trustedConfiguration: readonly string[] = [
  ...[".haft", ".claude"].flatMap((folder) =>
    [
      "settings.json",
      "settings.local.json",
      "agents",
      "commands",
      "hooks",
      "plugins",
      "skills",
      "tools",
    ].map((name) => `${folder}/${name}`),
  ),
  ".mcp.json",
  ".agents/skills",
  ".agents/plugins",
  "skills-lock.json",
  ".haft/skills-lock.json",
];

/** Configuration of a workspace, and what it starts. */
export interface WorkspaceConfiguration {
  /** A hash of each file, or only a sign that it exists. */
  readonly hashes: FileHashes;
  /** Commands that it starts. */
  readonly programs: readonly StartedProgram[];
}

/** Reads the configuration of the workspace, with the files that its commands run. */
export async function readConfiguration(
  options: Pick<HashOptions, "host" | "workspace">,
  of: "name" | "content" = "content",
): Promise<WorkspaceConfiguration> {
  const texts: (readonly [name: string, text: string])[] = [];
  const onText = {
    wants: (name: string) => startingFiles.test(name),
    read: (name: string, text: string) => void (mayStart.test(text) && texts.push([name, text])),
  };
  if (of === "name") {
    return { hashes: await hashFiles(trustedConfiguration, { ...options, of }), programs: [] };
  }
  const hashes = await hashFiles(trustedConfiguration, { ...options, onText });
  if (texts.length === 0) return { hashes, programs: [] };
  // Loaded with the first workspace that starts something.
  const { programsIn } = await import("./commands/started-programs.ts");
  const { filesOfProgram, maxLookups } = await import("./commands/program-files.ts");
  const found = await inBatches(texts, async ([name, text]) => await programsIn(name, text));
  const programs = found.flat();
  const where = { ...options, stats: new Map(), lookups: { left: maxLookups } };
  const files = await inBatches(programs, async (each) => await filesOfProgram(each, where));
  const run = await hashFiles(files.flat(), options);
  return { hashes: new Map([...hashes, ...run]), programs };
}

/** Files whose fields may have commands: settings, servers, skills and agents. */
const startingFiles = /\/settings(?:\.local)?\.json$|^\.mcp\.json$|\/SKILL\.md$|\/agents\/.*\.md$/u;

/** A text that may have the key of a command, which can be written with escapes. */
const mayStart = /command|\\[ux]/iu;
