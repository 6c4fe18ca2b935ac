import {
  seenFiles,
  limits,
  ToolError,
  type SeenFiles,
  type FileView,
  type HostFile,
  type SeenEncoding,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { byteSize } from "../files/paths/display-path.ts";
import { asUtf8, decodeText } from "../files/encodings/codec.ts";
import { type TextForm } from "../files/encodings/detect.ts";
import { LineIndexes } from "./line-index.ts";
import type { Page, PageRequest } from "./page.ts";
import { pageOf, takePage } from "./build-page.ts";
import { formOf } from "../files/encodings/text-form.ts";
import { pageRequest, requireLines } from "./page-request.ts";
import { namesLines } from "./read-input.ts";
import type { ReadTarget } from "./whole-file.ts";
import { textAnswer } from "./text-answer.ts";

/** Reads a page of a text file. Of a file too large to hold in memory, no more is read than the page needs. */
export function readText(
  target: ReadTarget,
  context: ToolContext,
): ToolResult | Promise<ToolResult> {
  const { stat, shown, input, file } = target;
  const { read } = context.service(limits);
  const isHuge = stat.size > read.wholeBytes;
  if (isHuge && !namesLines(input)) {
    throw new ToolError(
      "TOO_LARGE",
      `${shown} has ${byteSize(stat.size)}, too much to read whole.`,
      {
        hint: "Read a page of it with offset and limit, or find the lines you need with Grep.",
        data: { size: stat.size },
      },
    );
  }
  const reading = { target, request: pageRequest(input, read), context };
  // Most files are in memory completely; the result is then synchronous.
  if (file !== undefined && !isHuge) return answer(pageOfWhole(file, reading), reading);
  return isHuge ? answerOfHuge(reading) : answerOfWhole(reading);
}

async function answerOfHuge(reading: Reading): Promise<ToolResult> {
  const { request, target, context } = reading;
  return answer(await pageOfHuge(request, target, context), reading);
}

async function answerOfWhole(reading: Reading): Promise<ToolResult> {
  const { host, signal } = reading.context;
  const file = await host.fs.readFile(reading.target.stat.path, { signal });
  return answer(pageOfWhole(file, reading), reading);
}

interface Reading {
  readonly target: ReadTarget;
  readonly request: PageRequest;
  readonly context: ToolContext;
}

function answer(
  { page, hash, form }: HashedPage,
  { target, request, context }: Reading,
): ToolResult {
  const { stat, shown } = target;
  requireLines(page, shown);
  // File state merges pages of the same content, so that a file read in parts counts as seen.
  context.service(seenFiles).saw(stat.path, viewOf(page, hash, form));
  return textAnswer({
    page,
    request,
    shown,
    path: stat.path,
    size: stat.size,
    notes: encodingNotes(form),
    metadata: { encoding: form.encoding },
  });
}

function encodingNotes({ encoding, isSure, trust }: TextForm): readonly string[] {
  if (encoding === "utf-8") return [];
  if (isSure) return [`Decoded from ${encoding}.`];
  return trust === "none"
    ? [`Decoded from ${encoding}, which is a guess; to change the file, read it with encoding.`]
    : [`Decoded from ${encoding}, as its bytes suggest; encoding reads it as another.`];
}

interface HashedPage {
  readonly page: Page;
  readonly hash: string;
  readonly form: TextForm;
}

function pageOfWhole({ bytes, hash }: HostFile, { request, target }: Reading): HashedPage {
  const { shown, input } = target;
  const form = formOf(bytes, { shown, encoding: input.encoding, size: bytes.length });
  if (form.encoding === "utf-8") {
    return { page: pageOf(bytes.subarray(form.markBytes), request), hash, form };
  }
  const { text, lossy } = decodeText(bytes, form);
  const page = pageOf(Buffer.from(text), request);
  return { page: lossy ? { ...page, lossy } : page, hash, form };
}

/** Starts at the nearest known line start before the page, and stops with the page. */
async function pageOfHuge(
  request: PageRequest,
  { stat, shown, input, head }: ReadTarget,
  context: ToolContext,
): Promise<HashedPage> {
  const { fs } = context.host;
  const { signal } = context;
  const form = formOf(head, { shown, encoding: input.encoding, size: stat.size });
  const hash = `version:${stat.version}`;
  const isUtf8 = form.encoding === "utf-8";
  // Offsets in the decoded bytes equal those in the file only if the bytes are not transcoded.
  const index = isUtf8
    ? indexesOf(context.service(seenFiles)).of(stat.path, stat.version)
    : undefined;
  const start = index?.before(request.ranges[0]?.first ?? 1);
  const offset = Math.max(start?.offset ?? 0, form.markBytes);
  const chunks = fs.open(stat.path, { offset, reuse: true, signal });
  const page = await takePage(isUtf8 ? chunks : asUtf8(chunks, form.encoding), {
    ...request,
    countAll: false,
    startLine: start?.line ?? 1,
    onLineStart: (line, distance) => index?.add(line, offset + distance),
  });
  return { page, hash, form };
}

/** Line indexes last as long as the file state of their session. */
const indexes = new WeakMap<SeenFiles, LineIndexes>();

function indexesOf(state: SeenFiles): LineIndexes {
  const known = indexes.get(state) ?? new LineIndexes();
  indexes.set(state, known);
  return known;
}

function viewOf(page: Page, hash: string, form: TextForm): FileView {
  const [first] = page.shown;
  const isWhole =
    page.fullBecause === undefined &&
    !page.isPartial &&
    (page.totalLines === 0 || (first?.first === 1 && first.last === page.totalLines));
  const encoding = seenEncoding(form);
  return {
    hash,
    ...(isWhole ? {} : { ranges: page.shown.map(({ first: from, last }) => [from, last]) }),
    ...(encoding === undefined ? {} : { encoding }),
  };
}

/**
 * Encoding in which to write a change of the file, if its own bytes do not show it and it is known with sufficient
 * confidence.
 */
function seenEncoding({ encoding: name, markBytes, trust }: TextForm): SeenEncoding | undefined {
  if (name === "utf-8" || trust === "none") return undefined;
  if (name.startsWith("utf-16") && markBytes > 0) return undefined;
  return trust === "known" ? { name, isConcluded: true } : { name };
}
