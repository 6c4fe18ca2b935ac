import { parentPath, pathBelow } from "../../text/index.ts";
import {
  ToolError,
  type HostFile,
  type HostFs,
  type HostStat,
  type PreviewChange,
  type StagedChange,
  type StagedChanges,
  type StagedEntry,
} from "../../core/index.ts";
import { readableTexts, type DecodeOlder, type ReadableText } from "./decode-sides.ts";
import { textDiff } from "./staged-diff.ts";

export interface StagedPreviewOptions {
  /** Real tree. */
  readonly before: Pick<HostFs, "stat" | "readFile" | "readLink">;
  /** Files from which the sources of staged files are read. */
  readonly staged: Pick<HostFs, "readFile">;
  /** Paths below this directory are relative in diffs. */
  readonly cwd: string;
  readonly isProtected?: (path: string) => boolean;
  /** Decodes texts in legacy encodings; omitted, they are shown as binary. */
  readonly decodeOlder?: DecodeOlder | undefined;
  readonly limits?: Partial<StagedPreviewLimits>;
}

export interface StagedPreviewLimits {
  /** Maximum number of changes listed. Default 500. */
  readonly changes: number;
  /** Maximum number of files shown with a diff. Default 100. */
  readonly diffs: number;
  /** Maximum number of characters of one diff. Default 60,000. */
  readonly diffChars: number;
  /** Maximum size in bytes of a file that is compared line by line. Default 4 MiB. */
  readonly textBytes: number;
  /** Maximum number of entries of a new directory that are listed one by one. Default 20. */
  readonly listedBelow: number;
}

export interface StagedPreview {
  /** Sorted by path. */
  readonly changes: readonly PreviewChange[];
  /** Number of changes beyond those listed. */
  readonly moreChanges: number;
}

const defaultLimits: StagedPreviewLimits = {
  changes: 500,
  diffs: 100,
  diffChars: 60_000,
  textBytes: 4 * 1024 * 1024,
  listedBelow: 20,
};
/** Maximum size of a file that is read; a larger one counts as changed. */
const maxHashedBytes = 64 * 1024 * 1024;

/**
 * Preview of staged changes: text files with their diff, trees created or deleted as a whole as one entry. Protected
 * paths are always listed. Reads both sides and changes nothing.
 */
export async function previewStaged(
  { changes }: StagedChanges,
  options: StagedPreviewOptions,
): Promise<StagedPreview> {
  const limits = { ...defaultLimits, ...options.limits };
  const seen: SeenChange[] = [];
  for (const change of changes) {
    seen.push({ ...change, was: await snapshotPath(options.before, change.path) });
  }
  const trees = wholeTrees(seen, limits.listedBelow);
  const isProtected = options.isProtected ?? (() => false);
  const listed = seen.filter(({ path }) => isProtected(path) || !isBelow(path, trees));
  const shown: PreviewChange[] = [];
  let diffs = 0;
  for (const each of listed.slice(0, limits.changes)) {
    const may = diffs < limits.diffs ? limits : { ...limits, textBytes: 0 };
    const change = await changeOf(each, options, may);
    if (change === undefined) continue;
    if (change.diff !== undefined) diffs += 1;
    const below = trees.get(each.path);
    shown.push({
      ...change,
      ...(below === undefined ? {} : { below }),
      ...(isProtected(each.path) ? { isProtected: true } : {}),
    });
  }
  return { changes: shown, moreChanges: Math.max(0, listed.length - limits.changes) };
}

interface SeenChange extends StagedChange {
  readonly was: Seen | undefined;
}

interface Seen {
  readonly stat: HostStat;
  /** Present for a link. */
  readonly target: string | undefined;
}

async function snapshotPath(
  fs: StagedPreviewOptions["before"],
  path: string,
): Promise<Seen | undefined> {
  try {
    const stat = await fs.stat(path);
    return { stat, target: stat.kind === "symlink" ? await fs.readLink(path) : undefined };
  } catch (error) {
    if (ToolError.is(error) && missing.has(error.code)) return undefined;
    throw error;
  }
}

/** A path behind a link does not exist: the path itself has no links. */
const missing: ReadonlySet<string> = new Set(["NOT_FOUND", "NOT_A_DIRECTORY", "PATH_CHANGED"]);

interface Below {
  readonly entries: number;
  readonly bytes: number;
}

/** The outermost deleted directories, and new directories with many entries, with the count of entries below each. */
function wholeTrees(seen: readonly SeenChange[], listedBelow: number): ReadonlyMap<string, Below> {
  const counts = new Map<string, { entries: number; bytes: number; readonly goes: boolean }>();
  for (const { path, to, was } of seen) {
    if (to.kind === "absent" && was?.stat.kind === "directory") {
      counts.set(path, { entries: 0, bytes: 0, goes: true });
    } else if (to.kind === "directory" && was === undefined) {
      counts.set(path, { entries: 0, bytes: 0, goes: false });
    }
  }
  for (const { path, to, was } of seen) {
    const size = to.kind === "file" ? to.size : (was?.stat.size ?? 0);
    for (let at = parentPath(path); at !== "/"; at = parentPath(at)) {
      const count = counts.get(at);
      if (count === undefined) continue;
      count.entries += 1;
      count.bytes += to.kind === "absent" && was?.stat.kind !== "file" ? 0 : size;
    }
  }
  const trees = new Map<string, Below>();
  for (const [path, { goes, ...below }] of counts) {
    if (goes ? below.entries > 0 : below.entries > listedBelow) trees.set(path, below);
  }
  for (const path of trees.keys()) if (isBelow(path, trees)) trees.delete(path);
  return trees;
}

function isBelow(path: string, trees: ReadonlyMap<string, Below>): boolean {
  if (trees.size === 0) return false;
  for (let at = parentPath(path); at !== "/"; at = parentPath(at)) if (trees.has(at)) return true;
  return false;
}

async function changeOf(
  { path, to, was }: SeenChange,
  options: StagedPreviewOptions,
  limits: StagedPreviewLimits,
): Promise<PreviewChange | undefined> {
  const base = { path, ...kindOf(to, was), ...sizeOf(to, was), ...modeOf(to, was) };
  if (to.kind === "symlink") {
    if (was?.target === to.target) return undefined;
    return { ...base, change: changeIn(to, was, false), target: to.target };
  }
  if (to.kind === "directory") {
    const change = changeIn(to, was, true);
    return change === "mode" && was?.stat.mode === to.mode ? undefined : { ...base, change };
  }
  const isFile = to.kind === "file" || was?.stat.kind === "file";
  if (!isFile) return { ...base, change: changeIn(to, was, false) };
  const contents = await contentsOf({ path, to, was }, options, limits);
  const change = changeIn(to, was, contents.isSame);
  if (change === "mode" && to.kind === "file" && was?.stat.mode === to.mode) return undefined;
  return { ...base, change, ...contents.shown };
}

function changeIn(
  to: StagedEntry,
  was: Seen | undefined,
  isSameContent: boolean,
): PreviewChange["change"] {
  if (was === undefined) return "created";
  if (to.kind === "absent") return "deleted";
  if (to.kind !== was.stat.kind) return "replaced";
  return isSameContent ? "mode" : "modified";
}

function kindOf(to: StagedEntry, was: Seen | undefined): Pick<PreviewChange, "kind"> {
  if (to.kind !== "absent") return { kind: to.kind };
  switch (was?.stat.kind) {
    case "file":
    case "directory":
    case "symlink":
      return { kind: was.stat.kind };
    case "fifo":
    case "socket":
    case "device":
      return { kind: "special" };
    case undefined:
      return {};
  }
}

function sizeOf(to: StagedEntry, was: Seen | undefined): Pick<PreviewChange, "size"> {
  if (to.kind === "file") return { size: to.size };
  return to.kind === "absent" && was?.stat.kind === "file" ? { size: was.stat.size } : {};
}

function modeOf(to: StagedEntry, was: Seen | undefined): Pick<PreviewChange, "mode"> {
  if (to.kind === "absent" || to.kind === "symlink") return {};
  const isKept = was?.stat.kind === to.kind && was.stat.mode === to.mode;
  return isKept ? {} : { mode: to.mode };
}

interface Contents {
  readonly isSame: boolean;
  readonly shown: Pick<
    PreviewChange,
    "encoding" | "hash" | "added" | "removed" | "diff" | "because"
  >;
}

/** Both sides of a file that is created, changed or deleted, if they can be read. */
async function contentsOf(
  { path, to, was }: SeenChange,
  { before, staged, cwd, decodeOlder }: StagedPreviewOptions,
  limits: StagedPreviewLimits,
): Promise<Contents> {
  const sizes = [to.kind === "file" ? to.size : 0, was?.stat.kind === "file" ? was.stat.size : 0];
  const largest = Math.max(...sizes);
  if (largest > maxHashedBytes) return { isSame: false, shown: { because: "It is too large." } };
  const old = was?.stat.kind === "file" ? await before.readFile(path) : undefined;
  const left = to.kind === "file" ? await staged.readFile(to.source) : undefined;
  const hash = left === undefined ? {} : { hash: left.hash };
  if (old !== undefined && old.hash === left?.hash) return { isSame: true, shown: hash };
  const [oldText, leftText] = await readableTexts([old?.bytes, left?.bytes], decodeOlder);
  const texts = { old: oldText, left: leftText };
  const encoding = texts.left?.encoding ?? texts.old?.encoding;
  const known = { ...hash, ...(encoding === undefined ? {} : { encoding }) };
  const difference =
    largest > limits.textBytes
      ? { because: "It is too large, or too much is shown before it." }
      : await differenceOf({ path: pathBelow(cwd, path) ?? path, old, left, texts }, limits);
  return { isSame: false, shown: { ...known, ...difference } };
}

interface Sides {
  readonly path: string;
  readonly old: HostFile | undefined;
  readonly left: HostFile | undefined;
  readonly texts: {
    readonly old: ReadableText | undefined;
    readonly left: ReadableText | undefined;
  };
}

async function differenceOf(
  { path, old, left, texts }: Sides,
  { diffChars }: StagedPreviewLimits,
): Promise<Pick<PreviewChange, "diff" | "added" | "removed" | "because">> {
  if (!isText(old, texts.old) || !isText(left, texts.left)) return { because: "It is not text." };
  const difference = await textDiff({
    path,
    before: texts.old?.text ?? "",
    after: texts.left?.text ?? "",
  });
  if (difference === undefined) return { because: "It is too different to show line by line." };
  const { diff, added, removed } = difference;
  if (diff.length > diffChars) return { added, removed, because: "Its difference is too long." };
  return { diff, added, removed };
}

function isText(file: HostFile | undefined, text: ReadableText | undefined): boolean {
  return file === undefined || text !== undefined;
}
