import type { Host } from "../../core/index.ts";

/** Directories of definitions, below the workspace and the user's home; a name in an earlier one hides a later one. */
export const agentDirectories: readonly string[] = [".haft/agents", ".claude/agents"];

/** Whether there may be agents with hooks: a directory of definitions exists in one of these places. */
export async function hasAgentFiles(
  bases: readonly string[],
  host: Pick<Host, "fs">,
): Promise<boolean> {
  const found = await Promise.all(
    bases.flatMap((base) =>
      agentDirectories.map(
        async (name) => await host.fs.stat(`${base}/${name}`).catch(() => undefined),
      ),
    ),
  );
  // A link may lead to one.
  return found.some((each) => each?.kind === "directory" || each?.kind === "symlink");
}
