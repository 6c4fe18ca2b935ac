import {
  ToolError,
  type GrepEvent,
  type GrepQuery,
  type HostFs,
  type HostOptions,
} from "../../core/index.ts";
import { BoundedMatch, SlowPiece } from "./bounded-match.ts";
import { fileError } from "../files/file-error.ts";
import { filesFilter } from "./glob-filter.ts";
import { countMatches, grepText, type GrepTextOptions } from "./grep-text.ts";
import { searchPattern } from "./search-pattern.ts";
import { VisibleFiles, VisibleWalk } from "./visibility/visible-files.ts";

/**
 * Maximum file size in bytes; a larger file is skipped and listed in the notes, because it would have to be in memory
 * completely.
 */
const maxBytes = 67_108_864;
const maxNotes = 5;

export async function* grepFiles(
  fs: HostFs,
  query: GrepQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GrepEvent> {
  const regex = searchPattern(query);
  const skipped = new Skipped();
  let excluded = 0;
  for await (const path of searchedFiles(fs, query, { options, skipped })) {
    if (query.isExcluded?.(path) === true) {
      excluded += 1;
      continue;
    }
    const bytes = await bytesOf(fs, path, options);
    if (ToolError.is(bytes)) skipped.file(bytes);
    else yield* eventsInTime(bytes, query, { path, regex, skipped, signal: options?.signal });
  }
  yield { kind: "end", excluded, ...skipped.end() };
}

/** Files and directories that were not searched, or not completely. */
class Skipped {
  readonly #notes: string[] = [];
  #binary = 0;
  #tooLarge = 0;
  #unreadable = 0;

  file(error: ToolError): void {
    if (error.code === "TOO_LARGE") this.#tooLarge += 1;
    else this.#unreadable += 1;
    this.#note(error.message);
  }

  directories(paths: readonly string[]): void {
    this.#unreadable += paths.length;
    for (const path of paths) this.#note(`${path} cannot be listed.`);
  }

  binaryFile(): void {
    this.#binary += 1;
  }

  end() {
    const { binary, tooLarge, unreadable } = {
      binary: this.#binary,
      tooLarge: this.#tooLarge,
      unreadable: this.#unreadable,
    };
    const partial = tooLarge + unreadable > 0;
    const isAny = partial || binary > 0;
    const notes = this.#notes;
    return { partial, notes, ...(isAny ? { skipped: { binary, tooLarge, unreadable } } : {}) };
  }

  #note(text: string): void {
    if (this.#notes.length < maxNotes) this.#notes.push(text);
  }
}

interface Walk {
  readonly options: HostOptions | undefined;
  readonly skipped: Skipped;
}

async function* searchedFiles(
  fs: HostFs,
  query: GrepQuery,
  { options, skipped }: Walk,
): AsyncGenerator<string> {
  const { root } = query;
  const wanted = filesFilter(query.globs, query.types);
  const { kind } = await fs.stat(root, options);
  if (kind === "file") {
    yield root;
    return;
  }
  if (kind !== "directory") throw fileError(kind === "symlink" ? "ELOOP" : "ENODEV", root);
  const visible = new VisibleFiles(fs, query, options);
  const walk = new VisibleWalk(visible, root, { signal: options?.signal });
  const prefix = root === "/" ? 1 : root.length + 1;
  for await (const { path } of walk.files()) {
    if (wanted?.(path.slice(prefix)) !== false) yield path;
  }
  skipped.directories(walk.unreadable);
}

async function bytesOf(
  fs: HostFs,
  path: string,
  options: HostOptions | undefined,
): Promise<Uint8Array | ToolError> {
  try {
    return (await fs.readFile(path, { ...options, maxBytes })).bytes;
  } catch (error) {
    if (options?.signal?.aborted === true || !ToolError.is(error)) throw error;
    return error;
  }
}

interface Searched {
  readonly path: string;
  readonly regex: RegExp;
  readonly skipped: Skipped;
  readonly signal: AbortSignal | undefined;
}

/** Events of a file. Where a piece of it takes long to match, that is done in another thread. */
async function* eventsInTime(
  bytes: Uint8Array,
  query: GrepQuery,
  searched: Searched,
): AsyncGenerator<GrepEvent> {
  const bounded = new BoundedMatch(searched.regex);
  for (let shown = 0; ;) {
    let count = 0;
    try {
      for (const event of eventsOf(bytes, query, { ...searched, bounded })) {
        count += 1;
        if (count <= shown) continue;
        shown = count;
        yield event;
      }
      return;
    } catch (error) {
      if (!(error instanceof SlowPiece)) throw error;
      await bounded.matchElsewhere(error, searched.signal);
    }
  }
}

function* eventsOf(
  bytes: Uint8Array,
  query: GrepQuery,
  { path, bounded, skipped }: Searched & { readonly bounded: BoundedMatch },
): Generator<GrepEvent> {
  const { text, isBinary } = searchableText(bytes);
  const textOptions: GrepTextOptions = {
    path,
    bounded,
    multiline: query.multiline === true,
    before: query.before ?? 0,
    after: query.after ?? 0,
  };
  if (query.presenceOnly === true) {
    const whole = isBinary ? wholeText(bytes) : text;
    if (countMatches(whole, textOptions) === 0) return;
    yield isBinary ? { kind: "binary", path } : { kind: "count", path, matches: 1 };
    return;
  }
  const matches = isBinary || query.countOnly === true ? countMatches(text, textOptions) : 1;
  if (isBinary && matches > 0) skipped.binaryFile();
  bounded.restart();
  if (query.countOnly !== true) yield* grepText(text, textOptions);
  else if (!isBinary && matches > 0) yield { kind: "count", path, matches };
}

/** A file's text for a search, decoded by its byte order mark; the text of a binary file ends at its first NUL. */
function searchableText(bytes: Uint8Array): { text: string; isBinary: boolean } {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) {
    return { text: new TextDecoder("utf-16le").decode(bytes), isBinary: false };
  }
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return { text: new TextDecoder("utf-16be").decode(bytes), isBinary: false };
  }
  const end = bytes.indexOf(0);
  const kept = end === -1 ? bytes : bytes.subarray(0, end);
  return { text: wholeText(kept), isBinary: end !== -1 };
}

/** All bytes of a file, decoded as UTF-8. */
function wholeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
