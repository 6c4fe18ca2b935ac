import { joinPath } from "../../../text/index.ts";
import type { Effect, Host } from "../../../core/index.ts";
import type { CommandAnalysis, Invocation } from "../../../shell/index.ts";
import { linkText } from "../links/link-text.ts";
import { configOf } from "./git-config.ts";
import { gitDirectories, indexBytes } from "./git-directories.ts";
import { hashBytesOf, namesIn } from "./git-index.ts";

/** Maximum number of tracked directories that are looked at. */
const maxDirectories = 50_000;
/** Number of directories that are looked at together. */
const together = 64;

/**
 * Reads of git through tracked directories that are links in the working tree: `git grep` and `git blame` open the
 * names of the index there, wherever the links lead.
 */
export async function trackedLinks(
  { invocations, effects }: Pick<CommandAnalysis, "invocations" | "effects">,
  host: Host,
): Promise<readonly Effect[]> {
  const found: Effect[] = [];
  for (const { name, argv, span } of invocations) {
    const opens = argv.some(
      (word) => typeof word === "string" && /^(?:grep|blame|annotate)$/u.test(word),
    );
    if (name !== "git" || !opens) continue;
    const at = { span, by: span };
    const because = "the directories in the index of the repository are not known";
    const unknown: Effect = { kind: "unknown", because, origin: "git", ...at };
    // git may work in another directory than the one in which it starts.
    const folders = effects.flatMap((effect) =>
      effect.kind === "read" && effect.scope === "tree" && isSame(effect.by, span)
        ? [effect.path]
        : [],
    );
    if (folders.length === 0) found.push(unknown);
    for (const folder of new Set(folders)) {
      const links = await linksFrom(host, folder);
      if (links === undefined) found.push(unknown);
      for (const path of links ?? []) found.push({ kind: "read", path, scope: "tree", ...at });
    }
  }
  return found;
}

function isSame(one: Invocation["span"] | undefined, other: Invocation["span"]): boolean {
  return one?.start === other.start && one.end === other.end;
}

/** Where tracked directories of the repositories around a directory lead that are links; undefined if unknown. */
async function linksFrom(host: Host, folder: string): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  try {
    for (const directory of await gitDirectories(host, await host.fs.canonical(folder))) {
      const index = await indexBytes(host, directory.own);
      if (index === undefined) continue;
      const config = await configOf(host, directory);
      if (config.kind === "unclear") return undefined;
      const names = namesIn(index, hashBytesOf(config.settings));
      const directories = names && directoriesOf(names);
      if (directories === undefined) return undefined;
      found.push(...(await targetsOf(host, directory.top, directories)));
    }
    return found;
  } catch {
    return undefined;
  }
}

/** Directories of names in the order of their depth; undefined if there are too many. */
function directoriesOf(names: Iterable<string>): readonly string[] | undefined {
  const found = new Set<string>();
  for (const name of names) {
    let end = name.lastIndexOf("/");
    while (end > 0 && !found.has(name.slice(0, end))) {
      found.add(name.slice(0, end));
      end = name.lastIndexOf("/", end - 1);
    }
    if (found.size > maxDirectories) return undefined;
  }
  return [...found];
}

async function targetsOf(
  host: Host,
  top: string,
  directories: readonly string[],
): Promise<readonly string[]> {
  const targets = new Set<string>();
  for (let at = 0; at < directories.length; at += together) {
    const some = directories.slice(at, at + together).map(async (directory) => {
      const path = joinPath(top, directory);
      // A path behind a link cannot be read on some hosts.
      const text = await linkText(host, path).catch(() => "");
      if (text === undefined) return;
      targets.add(await host.fs.canonical(path).catch(() => path));
    });
    await Promise.all(some);
  }
  return [...targets];
}
