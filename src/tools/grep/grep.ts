import {
  defineTool,
  type GrepEvent,
  type GrepQuery,
  type GrepSkipped,
  type Host,
  limits,
  type ToolContext,
  ToolError,
  type ToolResult,
} from "../../core/index.ts";
import { counted, displayPath } from "../files/paths/display-path.ts";
import {
  findIgnored,
  nothingIgnored,
  type IgnoredReport,
} from "../files/paths/ignored-directories.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/paths/missing-path.ts";
import { searchSettingsOf } from "../files/search-settings.ts";
import { contentLines, printContent, type ContentLine } from "./content-lines.ts";
import { answer, maxKept, type Search, type SearchEnd } from "./grep-answer.ts";
import { Input, inputAliases } from "./grep-input.ts";
import { keepShown, shownBefore, withMore, type Shown } from "./page-state.ts";
import { isInexact } from "../files/paths/undecodable-names.ts";
import { notRegularFile } from "../files/paths/wrong-kind.ts";

interface DatedFile {
  readonly path: string;
  readonly mtimeMs: number;
}

/** Number of files checked concurrently. */
const batchSize = 64;

/**
 * Existing files, most recently modified first; equal times by path, so that the order is stable. A file whose name is
 * not exact cannot be checked and comes last.
 */
async function newestFirst(
  paths: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const files: DatedFile[] = [];
  for (let start = 0; start < paths.length; start += batchSize) {
    const batch = paths.slice(start, start + batchSize);
    const dated = await Promise.all(batch.map(async (path) => dateOf(path, context)));
    for (const file of dated) if (file !== undefined) files.push(file);
  }
  return files
    .toSorted((one, other) => other.mtimeMs - one.mtimeMs || (one.path < other.path ? -1 : 1))
    .map(({ path }) => path);
}

async function dateOf(path: string, { host, signal }: ToolContext): Promise<DatedFile | undefined> {
  try {
    const { mtimeMs } = await host.fs.stat(path, { signal });
    return { path, mtimeMs };
  } catch (error) {
    // Deleted since it was found, or not accessible to this call.
    if (!ToolError.is(error) || error.code === "ABORTED") throw error;
    return isInexact(path) ? { path, mtimeMs: 0 } : undefined;
  }
}

export const grep = defineTool({
  name: "Grep",
  displayName: "Search in files",
  description: [
    "Search file contents with a regular expression.",
    "Lists the files that match; output_mode content shows the lines.",
    "What .gitignore names and git does not track is left out, as are node_modules, dist and the like.",
    "To find files by name use Glob.",
  ].join(" "),
  category: "search",
  searchHint: "rg ripgrep find text code regex occurrences usages references symbol",
  input: Input,
  inputAliases,
  freeText: ["pattern"],
  touches: ["read"],
  staged: "files",
  async effects({ path = "." }, context) {
    const [first, ...rest] = await readingEffects(path, context);
    if (first === undefined) return rest;
    const canonical = await context.host.fs.canonical(path, {
      base: context.cwd,
      signal: context.signal,
    });
    const stat = await statOrMissing(canonical, context);
    return [{ ...first, scope: stat?.kind === "file" ? "file" : "tree" }, ...rest];
  },
  signature: ({ pattern, path = "." }) => `Grep ${pattern} in ${path}`,

  async run(input, context) {
    const { host, cwd, signal } = context;
    const root = await host.fs.canonical(input.path ?? ".", { base: cwd, signal });
    const stat = await statOrMissing(root, context);
    if (stat === undefined) throw await missingPath(root, context, input.path ?? ".");
    if (stat.kind !== "file" && stat.kind !== "directory") {
      const hint = "Search a regular file or a directory.";
      throw notRegularFile(displayPath(root, cwd), stat.kind, hint);
    }
    const from = Math.max(1, input.offset ?? 1);
    const asked = input.head_limit ?? context.service(limits).grep.lines;
    const limit = asked === 0 ? maxKept : asked;
    const search = { input, root, from, limit, isFile: stat.kind === "file" };
    try {
      return input.output_mode === "content"
        ? await searchContent(search, context)
        : await searchFiles(search, context);
    } catch (error) {
      throw explained(error, input);
    }
  },
});

const nothingSkipped: GrepSkipped = { binary: 0, tooLarge: 0, unreadable: 0 };
const stoppedEarly: SearchEnd = {
  withheld: 0,
  isPartial: false,
  notes: [],
  skipped: nothingSkipped,
  isCut: true,
};

function queryOf({ input, root }: Search, context: ToolContext): GrepQuery {
  const around = input["-C"] ?? 0;
  return {
    root,
    pattern: input.pattern,
    literal: input.literal === true,
    ignoreCase: input["-i"] === true,
    multiline: input.multiline === true,
    ...(input.glob === undefined ? {} : { globs: splitGlobs(input.glob) }),
    ...(input.type === undefined ? {} : { types: [input.type] }),
    before: input["-B"] ?? around,
    after: input["-A"] ?? around,
    includeIgnored: input.include_ignored === true,
    defaultExcludes: searchSettingsOf(context).defaultExcludes,
  };
}

/** Splits several globs in one text, as on a command line; a comma inside braces is part of a glob. */
function splitGlobs(text: string): string[] {
  const globs = text.split(/\s+/u).filter((glob) => glob !== "");
  return globs.flatMap((glob) => (glob.includes("{") ? [glob] : glob.split(","))).filter(Boolean);
}

async function searchContent(search: Search, context: ToolContext): Promise<ToolResult> {
  const { from, limit, input } = search;
  const started = context.host.clock.now();
  const before = shownOf(search, context);
  const passed = new Map<string, number>();
  const lines: ContentLine[] = [];
  let matches = 0;
  const { lineChars: maxChars } = context.service(limits).grep;
  const { markMatches } = searchSettingsOf(context);
  const lineOptions = { onlyMatching: input["-o"] === true, maxChars };
  let end = stoppedEarly;
  for await (const event of grepping(context.host, queryOf(search, context), context)) {
    if (event.kind === "end") end = endOf(event);
    else if (event.kind === "match" || event.kind === "context") {
      for (const line of contentLines(event, lineOptions)) {
        const count = (passed.get(line.path) ?? 0) + 1;
        passed.set(line.path, count);
        if (line.isMatch) matches += 1;
        if (count > (before?.get(line.path) ?? 0)) lines.push(line);
      }
      // One more than requested, to know whether there are more.
      if (lines.length > (before === undefined ? maxKept : limit)) break;
    }
  }
  if (!end.isCut || before === undefined) {
    lines.sort((one, other) => compare(one.path, other.path));
  }
  const paths = lines.map(({ path }) => path);
  const { start, next } = pageOf(search, { paths, before, isCut: end.isCut }, context);
  const page = lines.slice(start, start + limit);
  const shownPath = (path: string): string => displayPath(path, context.cwd);
  const shape = { shownPath, numbers: input["-n"] !== false };
  const text = printContent(page, { ...shape, marks: markMatches === "model" });
  const marked =
    markMatches === "people" ? { marked: printContent(page, { ...shape, marks: true }) } : {};
  const found = (before === undefined ? 0 : from - 1) + lines.length;
  const around = await aroundOf(search, { found, started }, context);
  return answer(search, context, {
    ...around,
    text,
    paths: paths.slice(start, start + limit),
    shown: page.length,
    found,
    next,
    isByPath: before === undefined,
    noun: "line",
    total: `${counted(matches, "matching line")} in ${counted(passed.size, "file")}`,
    end,
    metadata: { files: passed.size, matches, ...marked },
  });
}

async function searchFiles(search: Search, context: ToolContext): Promise<ToolResult> {
  const { from, limit, input } = search;
  const started = context.host.clock.now();
  const before = shownOf(search, context);
  const counts = new Map<string, number>();
  const fresh: string[] = [];
  let end = stoppedEarly;
  const query = { ...queryOf(search, context), countOnly: true };
  for await (const event of grepping(context.host, query, context)) {
    if (event.kind === "end") {
      end = endOf(event);
    } else if (event.kind === "count" && event.matches > 0) {
      counts.set(event.path, event.matches);
      if (before?.has(event.path) !== true) fresh.push(event.path);
      if (fresh.length > (before === undefined ? maxKept : limit)) break;
    }
  }
  const isCount = input.output_mode === "count";
  // Results can be sorted newest first only if all were found and fit on the first page.
  const isNewest = !end.isCut && !isCount && from === 1;
  const isOrdered = !end.isCut || before === undefined;
  const ordered = isNewest
    ? await newestFirst(fresh, context)
    : isOrdered
      ? fresh.toSorted(compare)
      : fresh;
  const { start, next } = pageOf(search, { paths: ordered, before, isCut: end.isCut }, context);
  const page = ordered.slice(start, start + limit);
  const matches = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  const lines = page.map((path) => {
    const shown = displayPath(path, context.cwd);
    return isCount ? `${shown}: ${counts.get(path) ?? 0}` : shown;
  });
  const found = (before === undefined ? 0 : from - 1) + fresh.length;
  const around = await aroundOf(search, { found, started }, context);
  return answer(search, context, {
    ...around,
    text: lines.join("\n"),
    paths: page,
    shown: page.length,
    found,
    next,
    isByPath: before === undefined,
    noun: "file",
    total: isCount
      ? `${counted(matches, "match")} in ${counted(counts.size, "file")}`
      : `${counted(counts.size, "file")}${isNewest ? ", newest first" : ""}`,
    end,
    metadata: { files: counts.size, matches },
  });
}

interface Ran {
  readonly found: number;
  readonly started: number;
}

/** Information beyond the lines that were found. */
async function aroundOf(
  search: Search,
  { found, started }: Ran,
  context: ToolContext,
): Promise<{ readonly isBinaryMatch: boolean; readonly ignored: IgnoredReport }> {
  const { root, isFile, input } = search;
  if (isFile) {
    const isBinary = found === 0 && (await isBinaryMatch(queryOf(search, context), context));
    return { isBinaryMatch: isBinary, ignored: nothingIgnored };
  }
  if (input.include_ignored === true) return { isBinaryMatch: false, ignored: nothingIgnored };
  const searchMs = context.host.clock.now() - started;
  return { isBinaryMatch: false, ignored: await findIgnored({ root, searchMs }, context) };
}

/** Results shown on earlier pages; for a single file, the number of preceding lines tells. */
function shownOf({ root, isFile, from, input }: Search, context: ToolContext): Shown | undefined {
  if (isFile && input.output_mode === "content") return new Map([[root, from - 1]]);
  return shownBefore({ about: aboutOf({ root, input }), from }, context);
}

/** Everything that determines the results of a search and their count. */
function aboutOf({ root, input }: Pick<Search, "root" | "input">): readonly unknown[] {
  const { offset: _offset, head_limit: _limit, ...asked } = input;
  return [root, Object.entries(asked).toSorted(([one], [other]) => compare(one, other))];
}

interface FoundPaths {
  /** Path of each line or file that was found and not shown before, in display order. */
  readonly paths: readonly string[];
  readonly before: Shown | undefined;
  readonly isCut: boolean;
}

/** Start of the page among the results, and the offset of the next page, whose state it stores. */
function pageOf(
  search: Search,
  { paths, before, isCut }: FoundPaths,
  context: ToolContext,
): { readonly start: number; readonly next: number | undefined } {
  const { from, limit } = search;
  const start = before === undefined ? from - 1 : 0;
  const end = Math.min(paths.length, start + limit);
  const next = from + Math.max(0, end - start);
  const hasMore = end > start && (isCut || end < paths.length);
  if (!hasMore) return { start, next: undefined };
  const shown = withMore(before ?? new Map(), paths.slice(before === undefined ? 0 : start, end));
  keepShown({ about: aboutOf(search), from: next }, shown, context);
  return { start, next };
}

function grepping(host: Host, query: GrepQuery, { signal }: ToolContext) {
  return host.search.grep(query, { signal });
}

function endOf(event: Extract<GrepEvent, { readonly kind: "end" }>): SearchEnd {
  const { excluded: withheld, partial: isPartial, notes, skipped = nothingSkipped } = event;
  return { withheld, isPartial, notes, skipped, isCut: false };
}

/** Explains a pattern that does not parse, with a hint on how to search for the literal text. */
function explained(error: unknown, { pattern, literal, multiline }: Input): unknown {
  if (!ToolError.is(error) || error.code !== "INVALID_INPUT" || literal === true) return error;
  // Other invalid inputs, an unknown type or an invalid glob, explain themselves.
  if (error.data?.["pattern"] === undefined) return error;
  if (multiline !== true && /\\n/u.test(pattern)) {
    return new ToolError("INVALID_INPUT", error.message, {
      hint: "Set multiline to true to match across lines.",
      data: error.data,
      cause: error,
    });
  }
  return new ToolError("INVALID_INPUT", error.message, {
    hint: "Escape characters that are meant literally, or set literal to true to search for exactly this text.",
    data: error.data,
    cause: error,
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Whether a file in which no line was found is a binary file that contains the pattern. */
async function isBinaryMatch(query: GrepQuery, { host, signal }: ToolContext): Promise<boolean> {
  for await (const event of host.search.grep({ ...query, presenceOnly: true }, { signal })) {
    if (event.kind === "binary") return true;
  }
  return false;
}
