import type { Host } from "../../core/index.ts";
import type { LoadedPlugins } from "../plugins/plugin.ts";

/** Directories of commands, below the workspace and the home directory; a name in an earlier one hides a later one. */
export const commandDirectories: readonly string[] = [
  ".haft/commands",
  ".claude/commands",
  ".gemini/commands",
];

/** Whether a model could be offered a command: a directory of the user, a trusted workspace or a plugin exists. */
export async function hasCommandFiles({
  host,
  workspace,
  home,
  trusted,
  plugins,
}: {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  readonly home: string;
  readonly trusted: boolean;
  readonly plugins: LoadedPlugins | undefined;
}): Promise<boolean> {
  if (plugins?.all.some(({ commands, needsTrust }) => commands.length > 0 && !needsTrust))
    return true;
  const bases = trusted ? [workspace, home] : [home];
  const found = await Promise.all(
    bases.flatMap((base) =>
      commandDirectories.map(
        async (name) => await host.fs.stat(`${base}/${name}`).catch(() => undefined),
      ),
    ),
  );
  // A link may lead to one.
  return found.some((each) => each?.kind === "directory" || each?.kind === "symlink");
}
