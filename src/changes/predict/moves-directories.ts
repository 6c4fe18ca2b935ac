import type { Effect, Host } from "../../core/index.ts";
import { interpreters, scriptOf } from "./script-text.ts";

/** Ways to say in a program's own text that a file or directory gets another name. */
const renaming = /\brename(?:Sync|s|at2?)?\b|\bos\.replace\b/u;
/** Options of git that take the next word. */
const takesWord: ReadonlySet<string | undefined> = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
]);

/**
 * Whether a program is known to move a directory in one step, which an overlay that an ordinary user mounts refuses;
 * `mv` copies then, most others fail. A script is looked into where it is named from the workspace.
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
