import {
  baseName,
  ToolError,
  type GrepEvent,
  type GrepQuery,
  type HostFs,
  type HostOptions,
} from "../../core/index.ts";
import { fileError } from "../file-error.ts";
import { filesFilter } from "./glob-filter.ts";
import { countMatches, grepText, type GrepTextOptions } from "./grep-text.ts";
import { searchPattern } from "./search-pattern.ts";
import { searchableText } from "./searchable-text.ts";
import { VisibleFiles, type VisibleFile } from "./visible-files.ts";

/** A file above this is left out and named in the notes: it would be held in memory whole. */
const maxBytes = 67_108_864;
const maxNotes = 5;

export async function* grepFiles(
  fs: HostFs,
  query: GrepQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GrepEvent> {
  const regex = searchPattern(query);
  const notes: string[] = [];
  let excluded = 0;
  let unread = 0;
  for await (const { path } of searchedFiles(fs, query, { options, notes })) {
    if (query.isExcluded?.(path) === true) {
      excluded += 1;
      continue;
    }
    const bytes = await bytesOf(fs, path, options);
    if (ToolError.is(bytes)) {
      unread += 1;
      if (notes.length < maxNotes) notes.push(bytes.message);
      continue;
    }
    yield* eventsOf(bytes, query, { path, regex });
  }
  yield { kind: "end", excluded, partial: unread > 0 || notes.length > 0, notes };
}

interface Walk {
  readonly options: HostOptions | undefined;
  readonly notes: string[];
}

async function* searchedFiles(
  fs: HostFs,
  query: GrepQuery,
  { options, notes }: Walk,
): AsyncGenerator<VisibleFile> {
  const { root } = query;
  const wanted = filesFilter(query.globs, query.types);
  const { kind } = await fs.stat(root, options);
  if (kind === "file") {
    yield { path: root, below: baseName(root) };
    return;
  }
  if (kind !== "directory") throw fileError(kind === "symlink" ? "ELOOP" : "ENODEV", root);
  const includeIgnored = query.includeIgnored === true;
  const files = new VisibleFiles(fs, { root, includeIgnored, leaveOut: [".git"] }, options);
  for await (const file of files.walk()) {
    if (wanted?.(file.below) !== false) yield file;
  }
  for (const path of files.unreadable.slice(0, maxNotes)) notes.push(`${path} cannot be listed.`);
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

function* eventsOf(
  bytes: Uint8Array,
  query: GrepQuery,
  file: { readonly path: string; readonly regex: RegExp },
): Generator<GrepEvent> {
  const { text, isBinary } = searchableText(bytes);
  const textOptions: GrepTextOptions = {
    ...file,
    multiline: query.multiline === true,
    before: query.before ?? 0,
    after: query.after ?? 0,
  };
  if (query.countOnly !== true) {
    yield* grepText(text, textOptions);
    return;
  }
  const matches = isBinary ? 0 : countMatches(text, textOptions);
  if (matches > 0) yield { kind: "count", path: file.path, matches };
}
