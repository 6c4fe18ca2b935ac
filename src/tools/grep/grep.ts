import {
  defineTool,
  limits,
  ToolError,
  type GrepEvent,
  type GrepQuery,
  type GrepSkipped,
  type Host,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { counted, displayPath, inFolder, grouped } from "../files/display-path.ts";
import { inexactNames } from "../files/inexact-names.ts";
import { missingPath, readingEffects, statOrMissing } from "../files/missing-path.ts";
import { newestFirst } from "../files/newest-first.ts";
import { contentLines, printContent, type ContentLine } from "./content-lines.ts";
import { findElsewhere, type Elsewhere } from "./elsewhere.ts";
import { Input, inputAliases } from "./grep-input.ts";

/** Lines or files held at most, whatever is asked for. */
const maxKept = 10_000;

export const grep = defineTool({
  name: "Grep",
  displayName: "Search in files",
  description: [
    "Search file contents with a regular expression.",
    "By default lists the files that match; output_mode content shows the lines, with matches between >> and <<.",
    "Shows a page of lines or files and how to see more.",
    "Ignored files and folders such as node_modules are left out unless include_ignored is set.",
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
      throw new ToolError("NOT_A_FILE", `${displayPath(root, cwd)} is a ${stat.kind}.`, {
        hint: "Search a regular file or a folder.",
        data: { kind: stat.kind },
      });
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

interface Search {
  readonly input: Input;
  /** Canonical. */
  readonly root: string;
  /** Whether the root is a file itself. */
  readonly isFile: boolean;
  readonly from: number;
  readonly limit: number;
}

/** What the end of a search says; undefined facts where it was stopped early. */
interface SearchEnd {
  readonly withheld: number;
  readonly isPartial: boolean;
  readonly notes: readonly string[];
  readonly skipped: GrepSkipped;
  readonly isCut: boolean;
}

const nothingSkipped: GrepSkipped = { binary: 0, tooLarge: 0, unreadable: 0 };
const stoppedEarly: SearchEnd = {
  withheld: 0,
  isPartial: false,
  notes: [],
  skipped: nothingSkipped,
  isCut: true,
};

function queryOf({ input, root }: Search): GrepQuery {
  const around = input["-C"] ?? input.context ?? 0;
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
  };
}

/** Several globs may be given in one text, as on a command line; a comma inside braces is part of a glob. */
function splitGlobs(text: string): string[] {
  const globs = text.split(/\s+/u).filter((glob) => glob !== "");
  return globs.flatMap((glob) => (glob.includes("{") ? [glob] : glob.split(","))).filter(Boolean);
}

async function searchContent(search: Search, context: ToolContext): Promise<ToolResult> {
  const { from, limit, input } = search;
  const wanted = Math.min(from - 1 + limit, maxKept);
  const lines: ContentLine[] = [];
  const { lineChars: maxChars } = context.service(limits).grep;
  const lineOptions = { onlyMatching: input["-o"] === true, maxChars };
  let end = stoppedEarly;
  for await (const event of grepping(context.host, queryOf(search), context)) {
    if (event.kind === "end") end = endOf(event);
    else if (event.kind === "match" || event.kind === "context") {
      lines.push(...contentLines(event, lineOptions));
      // One more than wanted, to know whether there are more.
      if (lines.length > wanted) break;
    }
  }
  // Only what was seen whole can be put in an order that the next call repeats.
  if (!end.isCut) lines.sort((one, other) => compare(one.path, other.path));
  const page = lines.slice(from - 1, from - 1 + limit);
  const shownPath = (path: string): string => displayPath(path, context.cwd);
  const text = printContent(page, { shownPath, numbers: input["-n"] !== false });
  const matches = lines.filter(({ isMatch }) => isMatch).length;
  const files = new Set(lines.map(({ path }) => path)).size;
  const elsewhere = lines.length === 0 ? await findElsewhere(queryOf(search), context) : undefined;
  return result(search, context, {
    elsewhere,
    text,
    paths: page.map(({ path }) => path),
    shown: page.length,
    found: lines.length,
    noun: "line",
    total: `${counted(matches, "matching line")} in ${counted(files, "file")}`,
    end,
    metadata: { files, matches },
  });
}

async function searchFiles(search: Search, context: ToolContext): Promise<ToolResult> {
  const { from, limit, input } = search;
  const wanted = Math.min(from - 1 + limit, maxKept);
  const counts = new Map<string, number>();
  let end = stoppedEarly;
  const query = { ...queryOf(search), countOnly: true };
  for await (const event of grepping(context.host, query, context)) {
    if (event.kind === "end") {
      end = endOf(event);
    } else if (event.kind === "count" && event.matches > 0) {
      counts.set(event.path, event.matches);
      if (counts.size > wanted) break;
    }
  }
  const paths = [...counts.keys()];
  const isCount = input.output_mode === "count";
  const ordered = end.isCut
    ? paths
    : isCount
      ? paths.toSorted(compare)
      : await newestFirst(paths, context);
  const page = ordered.slice(from - 1, from - 1 + limit);
  const matches = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  const lines = page.map((path) => {
    const shown = displayPath(path, context.cwd);
    return isCount ? `${shown}: ${counts.get(path) ?? 0}` : shown;
  });
  const elsewhere =
    ordered.length === 0 ? await findElsewhere(queryOf(search), context) : undefined;
  return result(search, context, {
    elsewhere,
    text: lines.join("\n"),
    paths: page,
    shown: page.length,
    found: ordered.length,
    noun: "file",
    total: isCount
      ? `${counted(matches, "match")} in ${counted(ordered.length, "file")}`
      : `${counted(ordered.length, "file")}${end.isCut ? "" : ", newest first"}`,
    end,
    metadata: { files: ordered.length, matches },
  });
}

function grepping(host: Host, query: GrepQuery, { signal }: ToolContext) {
  return host.search.grep(query, { signal });
}

function endOf(event: Extract<GrepEvent, { readonly kind: "end" }>): SearchEnd {
  const { excluded: withheld, partial: isPartial, notes, skipped = nothingSkipped } = event;
  return { withheld, isPartial, notes, skipped, isCut: false };
}

interface Found {
  readonly text: string;
  /** Those that `text` shows. */
  readonly paths: readonly string[];
  readonly shown: number;
  readonly found: number;
  readonly noun: "line" | "file";
  readonly total: string;
  readonly end: SearchEnd;
  /** Asked where nothing was found. */
  readonly elsewhere: Elsewhere | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
}

function result(search: Search, { cwd }: ToolContext, found: Found): ToolResult {
  const { input, root, from } = search;
  const { text, shown, end, noun } = found;
  const last = from - 1 + shown;
  const hasMore = shown > 0 && (end.isCut || last < found.found);
  const notes: string[] = [];
  if (found.found === 0) {
    notes.push(...nothingNotes(search, found.elsewhere, cwd));
  } else if (shown === 0) {
    notes.push(`There are only ${counted(found.found, noun)}; use a smaller offset.`);
  } else if (hasMore) {
    const of = end.isCut ? "" : ` of ${grouped(found.found)}`;
    notes.push(
      `${noun === "line" ? "Lines" : "Files"} ${from} to ${last}${of}; more with offset ${last + 1}, or narrow the search.`,
    );
    if (end.isCut) {
      notes.push(
        "The search stopped here, so they are in the order found, in which another page may repeat or miss some.",
      );
    }
  } else {
    notes.push(`${found.total}.`);
  }
  notes.push(...endNotes(end), ...inexactNames(found.paths));
  const footer = `(${notes.join(" ")})`;
  return {
    content: shown === 0 ? footer : `${text}\n${footer}`,
    title: `Grep ${input.pattern}`,
    summary:
      found.found === 0 ? "no match" : hasMore && end.isCut ? "more than shown" : found.total,
    metadata: {
      root,
      ...found.metadata,
      shown,
      isCut: end.isCut,
      withheld: end.withheld,
      skipped: end.skipped,
      ...(hasMore ? { next: last + 1 } : {}),
    },
  };
}

function nothingNotes(
  { input, root, isFile }: Search,
  elsewhere: Elsewhere | undefined,
  cwd: string,
): readonly string[] {
  const none = `No match for ${input.pattern}${inFolder(root, cwd)}.`;
  if (elsewhere === undefined) return [none];
  if (!isFile) return [none, ...elsewhereNotes(elsewhere, cwd)];
  // There is nowhere else to look than in the file itself.
  return elsewhere.binary.length === 0
    ? [none]
    : [
        `${displayPath(root, cwd)} is a binary file that matches ${input.pattern}; no line of it can be shown.`,
      ];
}

function elsewhereNotes({ ignored, binary, isCut }: Elsewhere, cwd: string): string[] {
  const notes: string[] = [];
  const [first, ...others] = ignored;
  if (first !== undefined) {
    const total = `${grouped(ignored.length)}${isCut ? "+" : ""}`;
    notes.push(
      `${total} ignored ${others.length === 0 ? "file matches" : "files match"}, such as ${displayPath(first, cwd)}; include_ignored looks there too.`,
    );
  }
  const [image] = binary;
  if (image !== undefined) {
    notes.push(
      `${counted(binary.length, "binary file")} ${binary.length === 1 ? "matches" : "match"}, such as ${displayPath(image, cwd)}.`,
    );
  }
  if (notes.length === 0 && !isCut) notes.push("No ignored or binary file matches either.");
  return notes;
}

function endNotes({ withheld, isPartial, notes, skipped }: SearchEnd): string[] {
  const told: string[] = [];
  if (withheld > 0) told.push(`${counted(withheld, "file")} withheld by permission rules.`);
  if (skipped.binary > 0) {
    told.push(`${counted(skipped.binary, "binary file")} searched only up to the first NUL byte.`);
  }
  if (skipped.tooLarge > 0) told.push(`${counted(skipped.tooLarge, "file")} too large to search.`);
  if (skipped.unreadable > 0) {
    told.push(`${grouped(skipped.unreadable)} could not be read.`);
  } else if (isPartial) told.push("Some files could not be searched.");
  return [...told, ...notes];
}

/** A pattern that does not parse gets a reason and the way to search for the text as it stands. */
function explained(error: unknown, { pattern, literal, multiline }: Input): unknown {
  if (!ToolError.is(error) || error.code !== "INVALID_INPUT" || literal === true) return error;
  // Other wrong inputs, an unknown type or a broken glob, explain themselves.
  if (error.data?.["pattern"] === undefined) return error;
  if (multiline !== true && /\\n/u.test(pattern)) {
    return new ToolError("INVALID_INPUT", error.message, {
      hint: "Set multiline to true to match across lines.",
      data: error.data,
      cause: error,
    });
  }
  return new ToolError("INVALID_INPUT", error.message, {
    hint: "Escape the characters that are meant as they stand, or set literal to true to search for this very text.",
    data: error.data,
    cause: error,
  });
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
