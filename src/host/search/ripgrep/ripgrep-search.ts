import { baseName, parentPath } from "../../../text/index.ts";
import {
  ToolError,
  type GrepEvent,
  type GrepQuery,
  type HostFs,
  type HostOptions,
  type HostSearch,
} from "../../../core/index.ts";
import { throwIfAborted } from "../../aborted.ts";
import { fileError } from "../../files/file-error.ts";
import { filesFilter, type PathFilter } from "../glob-filter.ts";
import { splitBlocks } from "../grep-text.ts";
import { IgnoreRules } from "../visibility/ignore-rules.ts";
import { assertNoLineBreak } from "../search-pattern.ts";
import { hiddenTracked, type HiddenTracked } from "../visibility/hidden-tracked.ts";
import type { Visibility } from "../visibility/visibility.ts";
import { VisibleFiles } from "../visibility/visible-files.ts";
import { holdDirectory, openNode, type HeldNode } from "../../files/open-path.ts";
import { grepOptions, grepSelection, listedSelection } from "./rg-arguments.ts";
import { rgError, rgNotes } from "./rg-error.ts";
import { rgEvent, type RgEvent } from "./rg-events.ts";
import { NotBegun } from "../../processes/launch/launch-error.ts";
import { RgRun } from "./rg-run.ts";
import type { StartOwn } from "../../processes/launch/spawn.ts";

/** Grep with ripgrep, in an open directory and without following links; stops as soon as the caller stops reading. */
export function ripgrepSearch(engine: RipgrepEngine): Pick<HostSearch, "grep"> {
  return {
    grep: (query, options) =>
      query.confinement === undefined
        ? grep(engine, query, options)
        : grepConfined(engine, query, options),
  };
}

export interface RipgrepEngine {
  readonly binary: string;
  /** Starts ripgrep. Default: directly from this process. */
  readonly start?: StartOwn | undefined;
  /** Reads the ignore files above a root. */
  readonly fs: HostFs;
  /** Search used if ripgrep cannot be confined as requested. */
  readonly script?: Pick<HostSearch, "grep"> | undefined;
}

async function* grepConfined(
  engine: RipgrepEngine,
  query: GrepQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GrepEvent> {
  let hasTold = false;
  try {
    for await (const event of grep(engine, query, options)) {
      hasTold = true;
      yield event;
    }
  } catch (error) {
    // Without the requested confinement, ripgrep was not started.
    if (hasTold || engine.script === undefined || !(error instanceof NotBegun)) throw error;
    yield* engine.script.grep(query, options);
  }
}

async function* grep(
  engine: RipgrepEngine,
  query: GrepQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GrepEvent> {
  throwIfAborted(options?.signal);
  assertNoLineBreak(query);
  const root = openNode(query.root);
  try {
    if (root.stats.isFile()) yield* grepFile(engine, query, { root, options });
    else if (root.stats.isDirectory()) yield* grepTree(engine, query, { root, options });
    else throw fileError(root.stats.isSymbolicLink() ? "ELOOP" : "ENODEV", query.root);
  } finally {
    root.close();
  }
}

interface Place {
  readonly root: HeldNode;
  readonly options: HostOptions | undefined;
}

/** All files that ripgrep visits, then the files that it skips although git tracks them. */
async function* grepTree(
  engine: RipgrepEngine,
  query: GrepQuery,
  { root, options }: Place,
): AsyncGenerator<GrepEvent> {
  const visible = new VisibleFiles(engine.fs, query, options);
  const above = await visible.rulesAbove(query.root);
  const ends: GrepEnd[] = [];
  const stop = new AbortController();
  // Runs while ripgrep searches; a failure is thrown where the result is awaited.
  const finding = allHidden(hiddenTracked(visible, query.root, above), stop.signal);
  finding.catch(() => undefined);
  try {
    for await (const event of grepVisible(engine, query, { root, options, above })) {
      if (event.kind === "end") ends.push(event);
      else yield event;
    }
    for (const hidden of await finding) {
      for await (const event of grepHidden(engine, query, { hidden, options })) {
        if (event.kind === "end") ends.push(event);
        else yield event;
      }
    }
  } finally {
    stop.abort();
  }
  yield mergedEnd(ends);
}

async function allHidden(
  found: AsyncIterable<HiddenTracked | undefined>,
  signal: AbortSignal,
): Promise<readonly HiddenTracked[]> {
  const all: HiddenTracked[] = [];
  for await (const hidden of found) {
    if (signal.aborted) break;
    if (hidden !== undefined) all.push(hidden);
  }
  return all;
}

interface HiddenPlace {
  readonly hidden: HiddenTracked;
  readonly options: HostOptions | undefined;
}

async function* grepHidden(
  engine: RipgrepEngine,
  query: GrepQuery,
  { hidden, options }: HiddenPlace,
): AsyncGenerator<GrepEvent> {
  const { directory, files } = hidden;
  const wanted = filesFilter(query.globs, query.types);
  const prefix = directory.slice(query.root === "/" ? 1 : query.root.length + 1);
  const isMeant = (file: string): boolean => wanted?.(`${prefix}/${file}`) !== false;
  const named = files.filter(isMeant);
  const shown = new Set(
    named.filter((file) => query.isExcluded?.(absolute(directory, file)) !== true),
  );
  const excluded = named.length - shown.size;
  if (shown.size === 0) {
    yield { kind: "end", excluded, partial: false, notes: [] };
    return;
  }
  const root = heldIfThere(directory);
  // Tracked but missing on disk.
  if (root === undefined) return;
  try {
    const here = { ...query, root: directory };
    const argv = [engine.binary, ...grepOptions(query), ...listedSelection([...shown]), "--", "./"];
    const place = { directory: root, path: directory, confinement: query.confinement };
    const run = new RgRun(argv, place, { signal: options?.signal, start: engine.start });
    const seen = { binary: 0 };
    yield* grepEvents(run, here, { isShown: (below) => shown.has(below), seen });
    yield await endOf(run, here, { binary: seen.binary, excluded });
  } finally {
    root.close();
  }
}

function heldIfThere(directory: string): HeldNode | undefined {
  try {
    return holdDirectory(directory);
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

type GrepEnd = Extract<GrepEvent, { readonly kind: "end" }>;

function mergedEnd(ends: readonly GrepEnd[]): GrepEnd {
  const sum = { binary: 0, tooLarge: 0, unreadable: 0 };
  for (const { skipped } of ends) {
    sum.binary += skipped?.binary ?? 0;
    sum.tooLarge += skipped?.tooLarge ?? 0;
    sum.unreadable += skipped?.unreadable ?? 0;
  }
  return {
    kind: "end",
    excluded: ends.reduce((count, { excluded }) => count + excluded, 0),
    partial: ends.some(({ partial }) => partial),
    notes: ends.flatMap(({ notes }) => notes),
    ...(ends.some(({ skipped }) => skipped !== undefined) ? { skipped: sum } : {}),
  };
}

interface VisiblePlace extends Place {
  readonly above: Visibility;
}

async function* grepVisible(
  { binary, start }: RipgrepEngine,
  query: GrepQuery,
  { root, options, above }: VisiblePlace,
): AsyncGenerator<GrepEvent> {
  const hasRulesAbove = above.ignored !== IgnoreRules.none;
  const selection = grepSelection(query, hasRulesAbove);
  const wanted = filesFilter(query.globs, undefined);
  const argv = [binary, ...grepOptions(query), ...selection, "--", "./"];
  const { confinement } = query;
  const place = { directory: root, path: query.root, confinement };
  const run = new RgRun(argv, place, { signal: options?.signal, start });
  const counting = new ExcludedCount(query, wanted, start);
  const isShown = (below: string): boolean =>
    wanted?.(below) !== false && query.isExcluded?.(absolute(query.root, below)) !== true;
  const excluded = counting.start([binary, "--files", "--null", ...selection, "--", "./"], {
    root,
    options,
  });
  try {
    const seen = { binary: 0 };
    yield* grepEvents(run, query, { isShown, seen });
    yield await endOf(run, query, { binary: seen.binary, excluded });
  } finally {
    counting.stop();
    await excluded.catch(() => undefined);
  }
}

async function* grepFile(
  { binary, start }: RipgrepEngine,
  query: GrepQuery,
  { root, options }: Place,
): AsyncGenerator<GrepEvent> {
  if (query.isExcluded?.(query.root) === true) {
    yield { kind: "end", excluded: 1, partial: false, notes: [] };
    return;
  }
  const directory = holdDirectory(parentPath(query.root));
  try {
    const isHeld = root.path !== query.root;
    const file = isHeld ? [] : [`./${baseName(query.root)}`];
    const flags = ["--no-config", "--no-ignore", "--hidden", ...grepOptions(query)];
    const place = {
      directory,
      path: parentPath(query.root),
      confinement: query.confinement,
      file: isHeld ? { node: root, path: query.root } : undefined,
    };
    const signal = options?.signal;
    const run = new RgRun([binary, ...flags, "--", ...file], place, { signal, start });
    const seen = { binary: 0 };
    for await (const event of grepEvents(run, query, { isShown: () => true, seen })) {
      yield { ...event, path: query.root };
    }
    yield await endOf(run, query, { binary: seen.binary, excluded: 0 });
  } finally {
    directory.close();
  }
}

type FileEvent = Exclude<GrepEvent, { readonly kind: "end" }>;

interface Listener {
  readonly isShown: PathFilter;
  /** Number of files that turned out to be binary after a match. */
  readonly seen: { binary: number };
}

async function* grepEvents(
  run: RgRun,
  query: GrepQuery,
  { isShown, seen }: Listener,
): AsyncGenerator<FileEvent> {
  if (query.countOnly === true && query.presenceOnly !== true) {
    for await (const lines of run.lines("\n")) {
      for (const line of lines) {
        const [below = "", count = ""] = line.replace(/^\.\//u, "").split("\0");
        if (!isShown(below)) continue;
        yield { kind: "count", path: absolute(query.root, below), matches: Number(count) };
      }
    }
    return;
  }
  let isFileShown = false;
  for await (const lines of run.lines("\n")) {
    for (const line of lines) {
      const event = rgEvent(line);
      if (event === undefined) continue;
      if (event.kind === "begin") isFileShown = isShown(event.path);
      if (event.kind !== "begin" && isFileShown) yield* fileEvents(event, query, seen);
    }
  }
}

function* fileEvents(
  event: Exclude<RgEvent, { readonly kind: "begin" }>,
  query: GrepQuery,
  seen: Listener["seen"],
): Generator<FileEvent> {
  const path = absolute(query.root, event.path);
  const isPresence = query.presenceOnly === true;
  if (event.kind === "end") {
    const isBinary = event.binaryAt !== undefined;
    if (isPresence) yield isBinary ? { kind: "binary", path } : { kind: "count", path, matches: 1 };
    else if (isBinary) seen.binary += 1;
    return;
  }
  // ripgrep continues after a NUL only in a file that is named explicitly.
  if (isPresence || event.text.includes("\0")) return;
  const { kind, line, text, ranges } = event;
  yield* splitBlocks({ kind, path, line, text, ranges });
}

interface RunEnd {
  readonly binary: number;
  readonly excluded: number | Promise<number>;
}

/** Exit code 2 is a partial result if files could not be read, and an error if the run could not begin. */
async function endOf(run: RgRun, query: GrepQuery, { binary, excluded }: RunEnd): Promise<GrepEnd> {
  const { code, errors, errorLines: unreadable } = await run.end();
  const failure = code === 2 ? rgError(errors, query) : undefined;
  if (failure !== undefined) throw failure;
  const notes = [...rgNotes(errors, query.root), ...tooLongNotes(run)];
  const partial = code === 2 || notes.length > 0;
  const skipped = { binary, tooLarge: 0, unreadable };
  const isAny = binary + unreadable > 0;
  return {
    kind: "end",
    excluded: await excluded,
    partial,
    notes,
    ...(isAny ? { skipped } : {}),
  };
}

/**
 * Counts what `isExcluded` withholds by listing the files in parallel with the search. Counting withheld matches
 * instead would reveal whether a withheld file contains the pattern.
 */
class ExcludedCount {
  readonly #query: GrepQuery;
  readonly #wanted: PathFilter | undefined;
  readonly #start: StartOwn | undefined;
  #run: RgRun | undefined;

  constructor(query: GrepQuery, wanted: PathFilter | undefined, start: StartOwn | undefined) {
    this.#query = query;
    this.#wanted = wanted;
    this.#start = start;
  }

  async start(argv: readonly string[], { root, options }: Place): Promise<number> {
    const { isExcluded, root: path } = this.#query;
    if (isExcluded === undefined) return 0;
    const place = { directory: root, path, confinement: this.#query.confinement };
    this.#run = new RgRun(argv, place, { signal: options?.signal, start: this.#start });
    let count = 0;
    for await (const lines of this.#run.lines("\0")) {
      for (const line of lines) {
        const below = line.replace(/^\.\//u, "");
        if (this.#wanted?.(below) !== false && isExcluded(absolute(path, below))) count += 1;
      }
    }
    return count;
  }

  stop(): void {
    this.#run?.stop();
  }
}

function tooLongNotes(run: RgRun): string[] {
  return run.skippedLines === 0 ? [] : [`${run.skippedLines} lines were too long to be shown.`];
}

function absolute(root: string, below: string): string {
  return root === "/" ? `/${below}` : `${root}/${below}`;
}
