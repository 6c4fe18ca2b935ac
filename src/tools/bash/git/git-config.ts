import { bothValues, isNotFound, isWithin, joinPath } from "../../../text/index.ts";
import type { Host } from "../../../core/index.ts";
import { namesFile } from "../../../shell/index.ts";
import {
  gitDirectories,
  indexBytes,
  linkKindOf,
  textOf,
  type GitDirectory,
} from "./git-directories.ts";
import { hashBytesOf, strayName } from "./git-index.ts";

/** Configuration of a repository by dotted key in lower case, with the values of `bothValues`, or the reason why it is unknown. */
export type RepositoryConfig =
  | { readonly kind: "known"; readonly settings: Readonly<Record<string, string>> }
  | { readonly kind: "unclear"; readonly because: string };

const nothing: RepositoryConfig = { kind: "known", settings: {} };

/**
 * Reads the configuration that git would read from the repository around `folder`, including a worktree's, without
 * starting git. The user's own configuration in their home directory is trusted and not read.
 */
export async function repositoryConfig(
  host: Host,
  folder: string,
  workspace: string,
): Promise<RepositoryConfig> {
  try {
    const settings: Record<string, string> = {};
    // git searches upwards from the canonical directory.
    const start = await host.fs.canonical(folder);
    for (const directory of await gitDirectories(host, start)) {
      const outside = await outsideOf(host, directory, workspace);
      if (outside !== undefined) {
        const because = `the repository in ${directory.top} has its data in ${outside}`;
        return { kind: "unclear", because };
      }
      const config = await configOf(host, directory);
      if (config.kind === "unclear") return config;
      const stray = await strayIn(host, directory.own, config.settings);
      if (stray !== undefined) {
        return { kind: "unclear", because: `the index of the repository has ${stray}` };
      }
      addSettings(settings, withFiles(config.settings, [directory.top, start]));
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

/** Adds settings without hiding earlier ones: git may read either repository, and some keys have several values. */
export function addSettings(
  settings: Record<string, string>,
  more: Readonly<Record<string, string>>,
): void {
  for (const [key, value] of Object.entries(more)) {
    settings[key] = bothValues(settings[key], value);
  }
}

/**
 * Settings with the relative names of files resolved: git reads them from the top of the working tree, and in a bare
 * repository from the directory in which it starts.
 */
function withFiles(
  settings: Readonly<Record<string, string>>,
  places: readonly string[],
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    const isRelative =
      namesFile.test(key) && value.split("\0").every((name) => relative.test(name));
    const names = value.split("\0").flatMap((name) => places.map((place) => joinPath(place, name)));
    found[key] = isRelative ? [...new Set(names)].join("\0") : value;
  }
  return found;
}

/** Name of a file that git takes as it is written. */
const relative = /^(?!.*\.\.(?:\/|$))[\w.-][\w./-]*$/u;

/** Configuration of one repository, from its own files. */
export async function configOf(host: Host, directory: GitDirectory): Promise<RepositoryConfig> {
  const { own, common, top } = directory;
  const settings: Record<string, string> = {};
  for (const place of new Set([common, own])) {
    for (const name of ["config", "config.worktree"]) {
      const text = await textOf(host, joinPath(place, name));
      const read = text === undefined ? nothing : parse(text);
      if (read.kind === "unclear") return read;
      addSettings(settings, read.settings);
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

/** Name in the index of a repository that leads out of its working tree. */
async function strayIn(
  host: Host,
  own: string,
  settings: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const index = await indexBytes(host, own);
  return index && strayName(index, hashBytesOf(settings));
}

/**
 * Place outside the workspace from which a repository inside takes its data; undefined if there is none. A worktree of
 * another repository has such a place by right: there git keeps a file that leads back to the worktree.
 */
async function outsideOf(
  host: Host,
  { own, common, top }: GitDirectory,
  workspace: string,
): Promise<string | undefined> {
  if (!isWithin(workspace, top)) return undefined;
  const real = await host.fs.canonical(own);
  if (!isWithin(workspace, real)) {
    const back = (await textOf(host, joinPath(real, "gitdir")))?.trim();
    const isLink = (await linkKindOf(host, joinPath(top, ".git"))) === "symlink";
    const isMutual =
      back !== undefined && (await host.fs.canonical(back)) === joinPath(top, ".git");
    return isMutual && !isLink ? undefined : real;
  }
  const shared = await host.fs.canonical(common);
  if (!isWithin(workspace, shared)) return shared;
  for (const folder of new Set([real, shared])) {
    for (const part of ["", "info", "objects/info"]) {
      const linked = await linkedPart(host, joinPath(folder, part), workspace);
      if (linked !== undefined) return linked;
    }
  }
  const others = (await textOf(host, joinPath(shared, "objects/info/alternates"))) ?? "";
  // A store that is named may name further ones.
  return others.split("\n").find((line) => !/^(?:#.*)?$/u.test(line));
}

/** Target outside the workspace of a link among the parts of a repository: git shows lines that it cannot read. */
async function linkedPart(
  host: Host,
  folder: string,
  workspace: string,
): Promise<string | undefined> {
  try {
    for await (const { name, kind } of host.fs.list(folder)) {
      if (kind !== "symlink") continue;
      const target = await host.fs.canonical(joinPath(folder, name));
      if (!isWithin(workspace, target)) return target;
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

/** Reason why git works on files elsewhere than next to its directory; undefined if it does not. */
async function elsewhereOf(
  host: Host,
  settings: Readonly<Record<string, string>>,
  { own, top }: GitDirectory,
): Promise<string | undefined> {
  const named = settings["core.worktree"];
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
    const value = equals < 0 ? "true" : line.slice(equals + 1).trim();
    addSettings(settings, { [`${section}.${key}`.toLowerCase()]: value });
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
