import {
  seenFiles,
  ToolError,
  type FileView,
  type HostFile,
  type HostStat,
  type ToolContext,
} from "../../../core/index.ts";
import { byteSize, displayPath } from "../paths/display-path.ts";
import { missingPath, statOrMissing } from "../paths/missing-path.ts";
import { readRegular } from "./read-regular.ts";
import { firstUnseen, type LineRange } from "./seen-lines.ts";
import { decodeText, type EncodedText, type NoText } from "../encodings/text-encoding.ts";
import { notUtf8 } from "../encodings/text-format.ts";
import { isDirectory, notRegularFile } from "../paths/wrong-kind.ts";
import { changedSinceRead, notRead } from "./not-as-read.ts";

/** Maximum size in bytes; the file and its new content are held in memory. */
const maxBytes = 64_000_000;
/** Size in bytes above which a file is identified by its version instead of a hash, as in Read. */
const maxHashedBytes = 10_000_000;

/** A text file that was read in this session and has not changed since. */
export interface SeenFile extends EncodedText {
  readonly path: string;
  /** Path in the form in which the model may use it. */
  readonly shown: string;
  readonly file: HostFile;
  readonly view: FileView;
}

/** Tool that opens the file: its name, and a verb for what it does. */
export interface Wanting {
  readonly name: string;
  readonly verb: string;
  /** Whether the copy stored for undo may be used: the file is only changed with `ifMatch`. */
  readonly asCaptured?: boolean;
}

/**
 * Opens a file that may be changed in part: a regular file with text that round-trips, read before and not changed
 * since.
 */
export async function openSeenFile(
  file: string,
  context: ToolContext,
  { name, verb, asCaptured = false }: Wanting,
): Promise<SeenFile> {
  const current = await readRegular(file, { maxBytes, asCaptured }, context);
  if (current === undefined) throw await notOpened(file, context, name);
  const { path } = current.stat;
  const shown = displayPath(path, context.cwd);
  const view = context.service(seenFiles).view(path);
  if (view === undefined) {
    throw notRead(shown, `Read it, or the lines to change, then ${verb}.`);
  }
  if (!isAsSeen(view, current)) throw changedSinceRead(shown, verb);
  return { path, shown, file: current, view, ...(await textOf(current, view, shown)) };
}

/** A file that is not text. If it was seen before, it has not changed since. */
export interface BinaryFile {
  readonly path: string;
  readonly shown: string;
  readonly hash: string;
  /** Reason why it is not text. */
  readonly because: string;
}

/**
 * Opens a file that is not text, in order to delete it; undefined for a text, and for a file that cannot be read
 * completely.
 */
export async function openBinaryFile(
  file: string,
  context: ToolContext,
): Promise<BinaryFile | undefined> {
  const current = await readRegular(file, { maxBytes, asCaptured: true }, context);
  if (current === undefined) return undefined;
  const { path } = current.stat;
  const shown = displayPath(path, context.cwd);
  const view = context.service(seenFiles).view(path);
  const decoded = await textSeen(current, view, shown);
  // Bytes that are merely not UTF-8 may be text in another encoding, which can be read with that encoding.
  if ("text" in decoded || decoded.because === notUtf8) return undefined;
  if (view !== undefined && !isAsSeen(view, current)) return undefined;
  return { path, shown, hash: current.hash, because: decoded.because };
}

/** Error that explains why a file cannot be opened, from what is at its path. */
async function notOpened(file: string, context: ToolContext, name: string): Promise<ToolError> {
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(file, { base: cwd, signal });
  const shown = displayPath(path, cwd);
  const stat = await statOrMissing(path, context);
  if (stat === undefined) return missingPath(path, context, file);
  if (stat.kind === "directory") {
    return isDirectory(shown, "Name a file; ListDir lists the directory.");
  }
  if (stat.kind !== "file") {
    return notRegularFile(shown, stat.kind, "Only regular files can be edited.");
  }
  return new ToolError(
    "TOO_LARGE",
    `${shown} has ${byteSize(stat.size)}; ${name} takes at most 64 MB.`,
    { hint: "Change it with a command such as sed.", data: { size: stat.size } },
  );
}

/** Whether a view shows the present content of the file: by its hash, or by its version if it is large. */
export function isAsSeen(view: FileView, { hash, stat }: HostFile): boolean {
  return view.hash === hash || view.hash === `version:${stat.version}`;
}

/** Identifier under which a file just written is remembered. */
export function knownAs(written: HostStat & { readonly hash: string }): string {
  return written.size > maxHashedBytes ? `version:${written.version}` : written.hash;
}

/** View of a file after a change, in the encoding in which it was seen. */
export function viewAfter(
  { encoding }: Pick<FileView, "encoding">,
  { hash, ranges }: { readonly hash: string; readonly ranges: readonly LineRange[] | undefined },
): FileView {
  return {
    hash,
    ...(ranges === undefined ? {} : { ranges }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

/**
 * Requires that the lines affected by a change were shown. Other lines need not be, so a page of a long file is
 * sufficient.
 */
export function requireLinesSeen(
  { view, shown }: SeenFile,
  touched: readonly LineRange[],
  verb: string,
): void {
  for (const range of touched) {
    const unseen = firstUnseen(view, range);
    if (unseen === undefined) continue;
    const [first, last] = unseen;
    const lines = first === last ? `Line ${first}` : `Lines ${first} to ${last}`;
    const were = first === last ? "was" : "were";
    throw new ToolError("NOT_READ", `${lines} of ${shown} ${were} not read in this session.`, {
      hint: `Read the file with offset ${first} and limit ${last - first + 1}, then ${verb}.`,
      data: { firstLine: first, lastLine: last },
    });
  }
}

/** Decodes a file in the encoding of its view, otherwise in the one detected from its bytes. */
export async function textSeen(
  { bytes }: HostFile,
  view: FileView | undefined,
  shown: string,
): Promise<EncodedText | NoText> {
  if (view?.encoding === undefined) return decodeText(bytes);
  const { seenText } = await import("../encodings/seen-text.ts");
  return seenText(bytes, view.encoding, shown);
}

async function textOf(file: HostFile, view: FileView, shown: string): Promise<EncodedText> {
  const decoded = await textSeen(file, view, shown);
  if ("text" in decoded) return decoded;
  const { because } = decoded;
  const isOther = because === notUtf8 || view.encoding !== undefined;
  throw new ToolError("BINARY_FILE", `${shown} cannot be edited as text: it contains ${because}.`, {
    hint: isOther
      ? "If it is text in another encoding, Read it with encoding, which names that. Convert it to UTF-8 first where it is in none, or use a program made for it."
      : "Changing it as text would damage it. Convert it to UTF-8 first, or use a program made for it.",
    data: { because },
  });
}
