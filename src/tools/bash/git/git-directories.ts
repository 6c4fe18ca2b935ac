import { isNotFound, joinPath, parentPath } from "../../../text/index.ts";
import { type Host } from "../../../core/index.ts";
import { linkText } from "../links/link-text.ts";

/** Maximum bytes of a small file of a repository; a larger file is not a configuration. */
const maxBytes = 1_000_000;

/** Directory that git may use as a repository. */
export interface GitDirectory {
  readonly own: string;
  /** Directory with the data that all worktrees of one repository share. */
  readonly common: string;
  /** Directory in which the repository was found. */
  readonly top: string;
}

/** Nearest certain repository at or above a directory, preceded by everything git may treat as a repository. */
export async function gitDirectories(host: Host, folder: string): Promise<readonly GitDirectory[]> {
  const found: GitDirectory[] = [];
  for (let at = folder; ; at = parentPath(at)) {
    const link = joinPath(at, ".git");
    const kind = await kindOf(host, link);
    if (kind === "file") {
      const text = (await textOf(host, link)) ?? "";
      const target = /^gitdir: (?<path>[^\r\n]+)[\r\n]*$/u.exec(text)?.groups?.["path"];
      if (target === undefined) throw new Error(`${link} names no directory`);
      const own = await host.fs.canonical(target, { base: at });
      return [...found, { own, common: await commonOf(host, own), top: at }];
    }
    if (kind !== undefined && kind !== "directory") throw new Error(`${link} is a ${kind}`);
    // The content of a directory makes it a repository, not its name; otherwise git continues upwards.
    for (const own of kind === "directory" ? [link, at] : [at]) {
      const directory = { own, common: await commonOf(host, own), top: at };
      const looks = await looksLikeRepository(host, directory);
      if (looks !== "no" || own === link) found.push(directory);
      if (looks === "yes") return found;
    }
    if (at === "/") return found;
  }
}

async function looksLikeRepository(
  host: Host,
  { own, common }: GitDirectory,
): Promise<"yes" | "maybe" | "no"> {
  const head = joinPath(own, "HEAD");
  // git may accept a link as HEAD regardless of its target.
  const kind = await linkKindOf(host, head);
  const objects = await kindOf(host, joinPath(common, "objects"));
  if (kind === undefined || objects === undefined) return "no";
  if (kind !== "file" || objects !== "directory") return "maybe";
  if ((await kindOf(host, joinPath(common, "refs"))) !== "directory") return "maybe";
  const text = (await textOf(host, head)) ?? "";
  return /^(?:ref: refs\/\S|[\da-f]{40})/u.test(text) ? "yes" : "maybe";
}

async function commonOf(host: Host, own: string): Promise<string> {
  const named = (await textOf(host, joinPath(own, "commondir")))?.replace(/[\r\n]+$/u, "");
  return named === undefined ? own : await host.fs.canonical(named, { base: own });
}

/** Kind of the entry itself, without following a link: git may accept a link as HEAD regardless of its target. */
export async function linkKindOf(host: Host, path: string): Promise<string | undefined> {
  try {
    if ((await linkText(host, path)) !== undefined) return "symlink";
    return (await host.fs.stat(path)).kind;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function kindOf(host: Host, path: string): Promise<string | undefined> {
  try {
    return (await host.fs.stat(await host.fs.canonical(path))).kind;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

export async function textOf(host: Host, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await host.fs.readFile(await host.fs.canonical(path), { maxBytes });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Maximum bytes of an index that is read, with the names of about a million files. */
const maxIndexBytes = 100_000_000;

/** Index of a repository; undefined without one. */
export async function indexBytes(host: Host, own: string): Promise<Uint8Array | undefined> {
  try {
    const path = await host.fs.canonical(joinPath(own, "index"));
    return (await host.fs.readFile(path, { maxBytes: maxIndexBytes })).bytes;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
