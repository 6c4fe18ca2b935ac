import { createContext, Script, type Context } from "node:vm";
import { ToolError, type Span } from "../../core/index.ts";
import { abortError, throwIfAborted } from "../aborted.ts";

/**
 * Maximum time in milliseconds for one piece of text in this thread: no timer and no signal handler runs while it
 * matches.
 */
const hereMs = 50;
/** Maximum time in milliseconds for one piece of text in a thread of its own, its start included. */
const elsewhereMs = 2000;

/** Matches in each of several texts. */
export type Matches = readonly (readonly Span[])[];

/** A piece of text that takes too long to be matched in this thread. */
export class SlowPiece extends Error {
  readonly texts: readonly string[];

  constructor(texts: readonly string[], cause: unknown) {
    super("Matching takes too long here.", { cause });
    this.texts = texts;
  }
}

/**
 * Matches of one expression in the pieces of a text, which are asked for in the same order whenever the text is searched
 * again. Each is matched once.
 */
export class BoundedMatch {
  readonly #regex: RegExp;
  readonly #known: Matches[] = [];
  #next = 0;

  constructor(regex: RegExp) {
    this.#regex = regex;
  }

  /** Matches of the next piece. Throws `SlowPiece` if matching takes too long, which can happen with a small text too. */
  match(texts: readonly string[]): Matches {
    const matches = this.#known[this.#next] ?? withinTime(texts, this.#regex);
    this.#known[this.#next] = matches;
    this.#next += 1;
    return matches;
  }

  /** Begins again with the first piece. */
  restart(): void {
    this.#next = 0;
  }

  /**
   * Matches the piece that took too long in another thread, and begins again with the first piece. TIMEOUT if it takes
   * too long there as well.
   */
  async matchElsewhere({ texts }: SlowPiece, signal: AbortSignal | undefined): Promise<void> {
    this.#known[this.#next] = await matchedElsewhere(texts, this.#regex, signal);
    this.restart();
  }
}

function spansOf(text: string, regex: RegExp): readonly Span[] {
  return Array.from(text.matchAll(regex), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}

/** Created once, because creating a context takes a millisecond. */
let machine: { readonly context: Context; readonly script: Script } | undefined;

/** Parts with which an expression may backtrack: repetitions, alternatives, and text that it matched before. */
const backtracks = /[*+?{|]|\\[1-9k]/u;

/** Maximum length of an expression that cannot backtrack: a match takes at most this many steps for each character. */
const plainSourceChars = 200;

/** Most steps of an expression without a time limit, which take a few milliseconds. */
const maxPlainSteps = 2_000_000;

function isPlain(source: string): boolean {
  return source.length <= plainSourceChars && !backtracks.test(source);
}

/** The most steps that an expression which cannot backtrack takes. */
function stepsOf(texts: readonly string[], { source }: RegExp): number {
  return source.length * texts.reduce((sum, { length }) => sum + length, 0);
}

function withinTime(texts: readonly string[], regex: RegExp): Matches {
  // Each match under a time limit starts a thread, which takes longer than most matches.
  if (isPlain(regex.source) && stepsOf(texts, regex) <= maxPlainSteps) {
    return texts.map((text) => spansOf(text, regex));
  }
  machine ??= { context: createContext({}), script: new Script("work()") };
  const { context, script } = machine;
  let matches: Matches | undefined;
  context["work"] = () => {
    matches = texts.map((text) => spansOf(text, regex));
  };
  try {
    script.runInContext(context, { timeout: hereMs });
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new SlowPiece(texts, cause);
  } finally {
    context["work"] = undefined;
  }
  if (matches === undefined) throw new TypeError("The match ended without a result.");
  return matches;
}

/**
 * Whether it is the timeout error. It belongs to the context's own realm, so it is not an instance of this realm's
 * Error.
 */
function isTimeout(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

/** The same as `spansOf` for all texts: a thread has no access to the functions of this one. */
const program = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { texts, source, flags } = workerData;
  const regex = new RegExp(source, flags);
  parentPort.postMessage(texts.map((text) => Array.from(text.matchAll(regex), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }))));`;

async function matchedElsewhere(
  texts: readonly string[],
  regex: RegExp,
  signal: AbortSignal | undefined,
): Promise<Matches> {
  throwIfAborted(signal);
  const { Worker } = await import("node:worker_threads");
  const { source, flags } = regex;
  const worker = new Worker(program, {
    eval: true,
    workerData: { texts, source, flags },
    env: {},
    execArgv: [],
  });
  const { promise, resolve, reject } = Promise.withResolvers<Matches>();
  const timer = setTimeout(() => reject(tooSlow(regex)), elsewhereMs);
  const onAbort = (): void => {
    if (signal !== undefined) reject(abortError(signal));
  };
  signal?.addEventListener("abort", onAbort, { once: true });
  worker.once("message", resolve);
  worker.once("error", reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}

function tooSlow({ source }: RegExp): ToolError {
  return new ToolError(
    "TIMEOUT",
    `Matching ${source.slice(0, 200)} was stopped after ${elsewhereMs / 1000} seconds on one piece of text.`,
    {
      hint: "Use an expression without repetitions inside repetitions, as in (a+)+, or search for a literal text.",
      data: { pattern: source.slice(0, 1000) },
      // The same expression takes the same time again.
      retryable: false,
    },
  );
}
