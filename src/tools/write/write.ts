import { z } from "zod";
import {
  defineTool,
  seenFiles,
  ToolError,
  type Effect,
  type EffectContext,
  type FileView,
  type HostFile,
  type ToolContext,
} from "../../core/index.ts";
import { parentPath } from "../../text/index.ts";
import { byteSize, counted, displayPath } from "../files/paths/display-path.ts";
import { statOrMissing } from "../files/paths/missing-path.ts";
import { isAsSeen, textSeen, viewAfter } from "../files/seen/seen-file.ts";
import { firstUnseen } from "../files/seen/seen-lines.ts";
import { refuseStrayName } from "../files/paths/suspicious-name.ts";
import { encodeText, type EncodedText, type NoText } from "../files/encodings/text-encoding.ts";
import { byteOrderMarkText } from "../files/encodings/text-format.ts";
import { lineCount, unifiedDiff } from "../files/unified-diff.ts";
import { omissionIn } from "./placeholder-line.ts";
import { isDirectory, notDirectory, notRegularFile } from "../files/paths/wrong-kind.ts";
import { changedSinceRead } from "../files/seen/not-as-read.ts";

/** Maximum size in bytes of the present content, which is held in memory for the comparison. */
const maxComparedBytes = 64_000_000;
/** Size in bytes below which a file may lose more than half of its content without a question. */
const shrinkFloorBytes = 400;

const Input = z.strictObject({
  file_path: z.string().min(1).describe("Absolute, or relative to the working directory."),
  content: z.string().describe("The complete content."),
  overwrite: z
    .boolean()
    .optional()
    .describe(
      "Overwrite what was not read or is binary, cut it to less than half, or write what looks like a placeholder for omitted code.",
    ),
});

type Input = z.infer<typeof Input>;

export const write = defineTool({
  name: "Write",
  displayName: "Write file",
  description: [
    "Create or overwrite a file, and its directories.",
    "An existing file must have been read, and not changed since.",
    "Never leave parts out.",
    "For a part of it use Edit.",
  ].join(" "),
  category: "files",
  aliases: ["FileWrite"],
  searchHint: "create make new save store file overwrite replace text",
  input: Input,
  inputAliases: { file_path: ["path", "filePath", "file"], content: ["contents", "text"] },
  freeText: ["content"],
  touches: ["read", "write"],
  staged: "files",
  needs: [seenFiles],
  effects: ({ file_path }, context) => writingEffects(file_path, context),
  signature: ({ file_path }) => `Write ${file_path}`,

  reconcile: async (input, context) => ((await isWritten(input, context)) ? "done" : "not-done"),

  async run(input, context) {
    const target = await openTarget(input, context);
    const { path, shown, current, text } = target;
    const state = context.service(seenFiles);
    if (current !== undefined && target.before === text) {
      state.saw(path, knownThen(target, current.hash));
      return {
        content: `${shown} already has exactly this content; nothing was written.`,
        title: `Wrote ${shown}`,
        summary: "no change",
        metadata: { path, change: "none", diff: "", added: 0, removed: 0 },
      };
    }
    refuseSurprises(target, input, context);
    if (current === undefined) await makeFolders(path, context);
    const written = await context.host.fs.writeAtomic(path, target.bytes, {
      ifMatch: current?.hash ?? null,
      signal: context.signal,
    });
    state.saw(path, knownThen(target, written.hash));
    return answer(target, written.size);
  },
});

/** Whether the file has the content that the call would write. */
async function isWritten(input: Input, context: ToolContext): Promise<boolean> {
  const { current, before, text } = await openTarget(input, context);
  return current !== undefined && before === text;
}

/**
 * Effects on the file itself, which is also read for the comparison; creating its directories is part of creating it.
 */
async function writingEffects(path: string, context: EffectContext): Promise<readonly Effect[]> {
  const { host, cwd, signal } = context;
  await refuseStrayName(path, context);
  const canonical = await host.fs.canonical(path, { base: cwd, signal });
  const exists = (await statOrMissing(canonical, context)) !== undefined;
  return [
    { kind: "read", path, scope: "file" },
    { kind: "write", path, scope: "file", change: exists ? "modify" : "create" },
  ];
}

interface Target {
  readonly path: string;
  readonly shown: string;
  /** Present file. */
  readonly current: HostFile | undefined;
  /** View of the present content, if it was read. */
  readonly view: FileView | undefined;
  /** Present text, undefined if it is not text that can be preserved. */
  readonly before: string | undefined;
  /** Reason why it is not text. */
  readonly because: string | undefined;
  /** Text to write. */
  readonly text: string;
  readonly encoding: EncodedText["encoding"];
  /** `text` in its encoding. */
  readonly bytes: Uint8Array;
  /** Properties of the file that are preserved. */
  readonly kept: readonly string[];
}

async function openTarget(input: Input, context: ToolContext): Promise<Target> {
  const { file_path } = input;
  const { host, cwd, signal } = context;
  const path = await host.fs.canonical(file_path, { base: cwd, signal });
  const shown = displayPath(path, cwd);
  const stat = await statOrMissing(path, context);
  if (stat === undefined) {
    return { path, shown, current: undefined, view: undefined, ...newContent(input, undefined) };
  }
  if (stat.kind === "directory") {
    throw isDirectory(shown, "Give the path of a file in it.");
  }
  if (stat.kind !== "file") {
    throw notRegularFile(shown, stat.kind, "Write to another path.");
  }
  if (stat.size > maxComparedBytes) {
    throw new ToolError(
      "TOO_LARGE",
      `${shown} has ${byteSize(stat.size)}; Write replaces files of at most 64 MB.`,
      { hint: "Remove it first, or write to another path.", data: { size: stat.size } },
    );
  }
  // A change made in the meantime is refused when the file is written.
  const current = await host.fs.readFile(path, { asCaptured: true, signal });
  const known = context.service(seenFiles).view(path);
  const view = known !== undefined && isAsSeen(known, current) ? known : undefined;
  const there = await textSeen(current, view, shown);
  return { path, shown, current, view, ...newContent(input, there) };
}

/** View after writing: the whole file is known, in the encoding in which it was seen if that still applies. */
function knownThen({ encoding, view }: Target, hash: string): FileView {
  return viewAfter(typeof encoding === "string" ? {} : (view ?? {}), { hash, ranges: undefined });
}

/** New content in place of the present text, if any, in the same format and encoding. */
function newContent(
  { content, overwrite }: Input,
  there: EncodedText | NoText | undefined,
): Omit<Target, "path" | "shown" | "current" | "view"> {
  const isText = there !== undefined && "text" in there;
  const before = isText ? there.text : undefined;
  const because = there === undefined || isText ? undefined : there.because;
  const { text, kept } = inTheFormOf(before, content);
  const { encoding, bytes } = encoded(text, isText ? there.encoding : "UTF-8", overwrite === true);
  const name = typeof encoding === "string" ? encoding : encoding.name;
  const form = name === "UTF-8" ? kept : [...kept, `encoding, ${name}`];
  return { before, because, text, encoding, bytes, kept: form };
}

/**
 * Encodes the text. A caller that allows everything to be replaced gets UTF-8 if the present encoding cannot represent
 * the text.
 */
function encoded(
  text: string,
  encoding: EncodedText["encoding"],
  overwrite: boolean,
): Pick<Target, "encoding" | "bytes"> {
  try {
    return { encoding, bytes: encodeText({ text, encoding }) };
  } catch (error) {
    if (!overwrite || typeof encoding === "string" || !ToolError.is(error)) throw error;
    return { encoding: "UTF-8", bytes: encodeText({ text, encoding: "UTF-8" }) };
  }
}

/**
 * Applies the format of the present file. Read shows neither carriage returns nor a byte order mark, so a file that has
 * them keeps them.
 */
function inTheFormOf(before: string | undefined, content: string): Pick<Target, "text" | "kept"> {
  const kept: string[] = [];
  let text = content;
  if (before === undefined) return { text, kept };
  const isCrlf = before.includes("\r\n") && !/(?<!\r)\n/u.test(before);
  if (isCrlf && text.includes("\n") && !text.includes("\r")) {
    text = text.replaceAll("\n", "\r\n");
    kept.push("CRLF line endings");
  }
  if (before.startsWith(byteOrderMarkText) && !text.startsWith(byteOrderMarkText)) {
    text = byteOrderMarkText + text;
    kept.push("byte order mark");
  }
  return { text, kept };
}

async function makeFolders(path: string, { host, cwd, signal }: ToolContext): Promise<void> {
  try {
    await host.fs.mkdir(parentPath(path), { signal });
  } catch (error) {
    const isTaken =
      ToolError.is(error) && (error.code === "ALREADY_EXISTS" || error.code === "NOT_A_DIRECTORY");
    if (!isTaken) throw error;
    const folder = displayPath(parentPath(path), cwd);
    throw notDirectory(folder, {
      hint: "Give a path whose parents are directories.",
      cause: error,
    });
  }
}

function refuseSurprises(target: Target, { overwrite }: Input, context: ToolContext): void {
  const { shown, current, before, because, text, bytes } = target;
  if (current !== undefined) refuseUnseen(target, overwrite === true, context);
  if (overwrite === true) return;
  if (because !== undefined) {
    throw new ToolError(
      "BINARY_FILE",
      `${shown} cannot be edited as text: it contains ${because}.`,
      {
        hint: "To replace it with UTF-8 text anyway, set overwrite to true.",
        data: { because },
      },
    );
  }
  const omission = omissionIn(text, before ?? "");
  if (omission !== undefined) {
    throw new ToolError(
      "INVALID_INPUT",
      `Line ${omission.line} of the content is a placeholder for omitted text: ${omission.text}`,
      {
        hint: "Write the complete content, or change the part with Edit. If the line is meant literally, set overwrite to true.",
        data: { line: omission.line },
      },
    );
  }
  const size = current?.bytes.length ?? 0;
  const newSize = bytes.length;
  if (size >= shrinkFloorBytes && newSize * 2 < size) {
    throw new ToolError(
      "INVALID_INPUT",
      `This would shrink ${shown} from ${byteSize(size)} to ${byteSize(newSize)}.`,
      {
        hint: "Use Edit to change part of it. If the file is really meant to shrink, set overwrite to true.",
        data: { size, newSize },
      },
    );
  }
}

/** Refuses a file that was not read. `overwrite` replaces a missing read; a view that is outdated is refused anyway. */
function refuseUnseen(
  { path, shown, current, before }: Target,
  overwrite: boolean,
  context: ToolContext,
): void {
  if (current === undefined || current.bytes.length === 0) return;
  const view = context.service(seenFiles).view(path);
  if (view === undefined) {
    if (overwrite) return;
    throw new ToolError("NOT_READ", `${shown} exists and was not read in this session.`, {
      hint: "Read it first, then write; or set overwrite to true to replace it unseen.",
    });
  }
  if (view.hash !== current.hash && view.hash !== `version:${current.stat.version}`) {
    throw changedSinceRead(shown, "write");
  }
  const total = lineCount(before ?? "");
  const unseen = firstUnseen(view, [1, total]);
  if (unseen === undefined || overwrite) return;
  const [first, last] = unseen;
  throw new ToolError("NOT_READ", `Lines ${first} to ${last} of ${shown} were not read.`, {
    hint: `Read the file with offset ${first}, or change the part you know with Edit.`,
    data: { firstLine: first, lastLine: last },
  });
}

function diffOf({ shown, before, text, current }: Target) {
  return current !== undefined && before === undefined
    ? { text: "(the content before was not text)\n", added: lineCount(text), removed: 0 }
    : unifiedDiff({ path: shown, before: before ?? "", after: text });
}

function answer(target: Target, size: number) {
  const { path, shown, current, text, kept } = target;
  const { text: diff, added, removed } = diffOf(target);
  const lines = counted(lineCount(text), "line");
  const verb = current === undefined ? "Created" : "Replaced";
  const changed = current === undefined ? "" : ` ${added} added, ${removed} removed.`;
  const form = kept.length === 0 ? "" : ` Kept its ${kept.join(" and ")}.`;
  return {
    content: `${verb} ${shown} (${lines}, ${byteSize(size)}).${changed}${form}`,
    title: `${verb} ${shown}`,
    summary: current === undefined ? lines : `${added} added, ${removed} removed`,
    metadata: {
      path,
      change: current === undefined ? "created" : "modified",
      size,
      diff,
      added,
      removed,
    },
  };
}
