import type { Effect, Host } from "../../core/index.ts";
import { interpreters, scriptOf } from "./script-text.ts";

/** Expressions in a program's text that rename a file or directory. */
const renaming = /\brename(?:Sync|s|at2?)?\b|\bos\.replace\b/u;
/** Options of git that take the next argument. */
const takesWord: ReadonlySet<string | undefined> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
]);

/**
 * Whether a program is known to move a directory in one step, which an overlay mounted by an unprivileged user refuses;
 * `mv` then copies, most others fail. Reads a script if its path is in the workspace.
 */
export async function movesDirectories(
  effects: readonly Effect[],
  { host, workspace }: { readonly host: Pick<Host, "fs">; readonly workspace: string },
): Promise<boolean> {
  for (const effect of effects) {
    if (effect.kind !== "execute") continue;
    const [name, ...words] = effect.argv.map((word) => (typeof word === "string" ? word : ""));
    if (name === undefined) continue;
    if (/(?:^|\/)git$/u.test(name) && subcommandOf(words) === "mv") return true;
    if (!interpreters.test(name)) continue;
    if (words.some((word) => renaming.test(word))) return true;
    if (renaming.test(await scriptOf(words, { host, workspace }))) return true;
  }
  return false;
}

function subcommandOf(words: readonly string[]): string | undefined {
  return words.find((word, at) => !word.startsWith("-") && !takesWord.has(words[at - 1]));
}
