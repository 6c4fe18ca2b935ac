import { joinPath, parentPath } from "../../text/index.ts";
import { ToolError, type Host } from "../../core/index.ts";

/** Configuration of a repository by dotted key, or the reason why it is unknown. */
export type RepositoryConfig =
  | { readonly kind: "known"; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: "unclear"; readonly because: string };

const nothing: RepositoryConfig = { kind: "known", settings: {} };
/** Maximum bytes of a configuration file; a larger file is not a configuration. */
const maxBytes = 1_000_000;

/**
 * Reads the configuration that git would read from the repository around `folder`, including a worktree's, without
 * starting git. The user's own configuration in their home directory is trusted and not read.
 */
export async function repositoryConfig(host: Host, folder: string): Promise<RepositoryConfig> {
  try {
    const settings: Record<string, string> = {};
    // git searches upwards from the canonical directory.
    for (const directory of await gitDirectories(host, await host.fs.canonical(folder))) {
      const config = await configOf(host, directory);
      if (config.kind === "unclear") return config;
      Object.assign(settings, config.settings);
    }
    return { kind: "known", settings };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return {
      kind: "unclear",
      because: `the repository's configuration cannot be read: ${because}`,
    };
  }
}

async function configOf(host: Host, directory: GitDirectory): Promise<RepositoryConfig> {
  const { own, common, top } = directory;
  const settings: Record<string, string> = {};
  for (const place of new Set([common, own])) {
    for (const name of ["config", "config.worktree"]) {
      const text = await textOf(host, joinPath(place, name));
      const read = text === undefined ? nothing : parse(text);
      if (read.kind === "unclear") return read;
      Object.assign(settings, read.settings);
    }
  }
  const known: RepositoryConfig = { kind: "known", settings };
  const elsewhere = await elsewhereOf(host, settings, directory);
  if (elsewhere !== undefined) return { kind: "unclear", because: elsewhere };
  const modules = await textOf(host, joinPath(top, ".gitmodules"));
  const written = modules === undefined ? nothing : parse(modules);
  if (!looksIntoSubmodules(written) && !looksIntoSubmodules(known)) return known;
  return { kind: "unclear", because: "its submodules have a configuration of their own" };
}

/** Reason why git works on files elsewhere than next to its directory; undefined if it does not. */
async function elsewhereOf(
  host: Host,
  settings: Readonly<Record<string, string>>,
  { own, top }: GitDirectory,
): Promise<string | undefined> {
  const [, named] = Object.entries(settings).find(([key]) => /^core\.worktree$/iu.test(key)) ?? [];
  if (named === undefined) return undefined;
  const path = named.replaceAll(/["\\]/gu, "");
  const there = await host.fs.canonical(path, { base: own });
  return there === top ? undefined : `the repository's configuration names the files of ${there}`;
}

/** Whether a submodule's own setting makes git inspect it, overriding the setting passed to the command. */
function looksIntoSubmodules(config: RepositoryConfig): boolean {
  if (config.kind === "unclear") return true;
  return Object.entries(config.settings).some(
    ([key, value]) => /^submodule\..*\.ignore$/isu.test(key) && !/^(?:all|dirty)$/u.test(value),
  );
}

interface GitDirectory {
  readonly own: string;
  /** Directory with the data that all worktrees of one repository share. */
  readonly common: string;
  /** Directory in which the repository was found. */
  readonly top: string;
}

/** Nearest certain repository at or above a directory, preceded by everything git may treat as a repository. */
async function gitDirectories(host: Host, folder: string): Promise<readonly GitDirectory[]> {
  const found: GitDirectory[] = [];
  for (let at = folder; ; at = parentPath(at)) {
    const link = joinPath(at, ".git");
    const kind = await kindOf(host, link);
    if (kind === "file") {
      const text = (await textOf(host, link)) ?? "";
      const target = /^gitdir: (?<path>[^\r\n]+)[\r\n]*$/u.exec(text)?.groups?.["path"];
      if (target === undefined) throw new Error(`${link} names no folder`);
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
async function linkKindOf(host: Host, path: string): Promise<string | undefined> {
  try {
    return (await host.fs.stat(path)).kind;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function kindOf(host: Host, path: string): Promise<string | undefined> {
  try {
    return (await host.fs.stat(await host.fs.canonical(path))).kind;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

async function textOf(host: Host, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await host.fs.readFile(await host.fs.canonical(path), { maxBytes });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return ToolError.is(error) && (error.code === "NOT_FOUND" || error.code === "NOT_A_DIRECTORY");
}

/** Parses the format of git-config(1): sections in brackets, subsections in quotes, `key = value` lines. */
function parse(text: string): RepositoryConfig {
  const settings: Record<string, string> = {};
  const lines = text.split(/\r?\n/u);
  let section = "";
  while (lines.length > 0) {
    let line = (lines.shift() ?? "").trimStart();
    // A line may contain several headers, and a key after the last one.
    for (;;) {
      const header = /^\[\s*(?<name>[\w.-]+)(?:\s+"(?<sub>(?:[^"\\]|\\.)*)")?\s*\]/u.exec(line);
      if (header?.groups === undefined) break;
      const { name = "", sub } = header.groups;
      section = sub === undefined ? name : `${name}.${sub}`;
      if (/^include(?:if)?(?:\.|$)/iu.test(name)) {
        return { kind: "unclear", because: "the repository's configuration includes another file" };
      }
      line = line.slice(header[0].length).trimStart();
    }
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[")) {
      return { kind: "unclear", because: "the repository's configuration cannot be understood" };
    }
    // Only a value can continue on the next line, and not after a comment has begun.
    while (goesOn(line) && lines.length > 0) line = `${line.slice(0, -1)}${lines.shift() ?? ""}`;
    const equals = line.indexOf("=");
    const key = (equals < 0 ? line : line.slice(0, equals)).trim();
    settings[`${section}.${key}`] = equals < 0 ? "true" : line.slice(equals + 1).trim();
  }
  return { kind: "known", settings };
}

/** Whether the value on this line ends with a backslash that joins it to the next line. */
function goesOn(line: string): boolean {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === "\\") {
      if (at === line.length - 1) return true;
      at++;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === "#" || character === ";")) return false;
  }
  return false;
}
