import { baseName } from "../../text/index.ts";
import { ToolError, type Effect, type Host } from "../../core/index.ts";
import { interpreters, scriptOf } from "./script-text.ts";

/** Arguments that make programs delete their build output. */
const cleaning = /^(?:(?:dist)?clean(?:all)?(?:[:_-].+)?|clobber|mrproper|nuke|rimraf|del-cli)$/u;
/** Directories that are installed and not built: a cleaning command does not delete them unless its text says so. */
const installed = /^(?:node_modules|\.?venv)$/u;
/** Files in which a workspace defines the tasks of these programs. */
const taskFiles: ReadonlyMap<string, string> = new Map([
  ...["npm", "pnpm", "yarn", "bun"].map((name) => [name, "package.json"] as const),
  ...["make", "gmake"].map((name) => [name, "Makefile"] as const),
]);
/** Prefixes of commands whose arguments are package names. */
const packageNames =
  /^(?:npm|pnpm|yarn|bun) (?:i|install|add|r|rm|un|uninstall|remove|up|update|upgrade|view|info|why|ls|list|outdated)(?: |$)/u;
/** Expressions in a program's text that delete or rename a directory. */
const removing = /rmtree|\brm(?:dir)?(?:Sync)?\b|\brename(?:Sync)?\b|\bos\.replace\b|\brimraf\b/u;

/**
 * Returns the directories that a command is known to delete or move as a whole, which fails while they are bound into
 * an overlay; emptying them works. git reports a directory it could not delete and continues, so it is excluded.
 */
export async function removedThrough(
  effects: readonly Effect[],
  paths: readonly string[],
  { host, workspace }: { readonly host: Pick<Host, "fs">; readonly workspace: string },
): Promise<readonly string[]> {
  const removed = new Set<string>();
  for (const effect of effects) {
    if (effect.kind === "write" && effect.change === "delete") removed.add(effect.path);
    if (effect.kind !== "execute" || effect.consequences !== "open") continue;
    const [name, ...words] = effect.argv.map((word) => (typeof word === "string" ? word : ""));
    if (name === undefined || baseName(name) === "git") continue;
    const isNaming = packageNames.test(
      [baseName(name), ...words.filter((word) => !word.startsWith("-"))].join(" "),
    );
    if (!isNaming && words.some((word) => cleaning.test(word))) {
      const file = taskFiles.get(baseName(name));
      const tasks = file === undefined ? "" : await scriptOf([file], { host, workspace });
      const lines = [words.join(" "), ...tasks.split("\n")];
      for (const path of paths) {
        if (!installed.test(baseName(path)) || lines.some((line) => says(line, path)))
          removed.add(path);
      }
    }
    if (!interpreters.test(name)) continue;
    const texts = [...words, await scriptOf(words, { host, workspace })];
    for (const path of paths) if (texts.some((text) => says(text, path))) removed.add(path);
  }
  const found = paths.filter((path) => removed.has(path));
  const stand = await Promise.all(found.map(async (path) => await isBound(path, host)));
  return found.filter((_, index) => stand[index]);
}

function says(text: string, path: string): boolean {
  return removing.test(text) && text.includes(baseName(path));
}

/** Whether a path is bound into the overlay: a link to a bound directory is not. */
async function isBound(path: string, host: Pick<Host, "fs">): Promise<boolean> {
  try {
    const { kind } = await host.fs.stat(path);
    return kind === "directory" || kind === "file";
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}
