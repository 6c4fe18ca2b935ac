import { createContext, Script, type Context } from "node:vm";
import { ToolError, type Span } from "../../core/index.ts";

/**
 * Maximum time in milliseconds for one piece of text. A backtracking expression would otherwise block the whole
 * process: no timer and no signal handler runs while it matches.
 */
const maxMs = 2000;

/** Matches of `regex` in a text. Throws TIMEOUT if matching takes too long, which can happen with a small text too. */
export function boundedMatches(text: string, regex: RegExp): readonly Span[] {
  return withinTime(regex, () => spansOf(text, regex));
}

/** Matches in each of several texts, with one time limit for all of them. */
export function boundedMatchesOf(
  texts: readonly string[],
  regex: RegExp,
): readonly (readonly Span[])[] {
  return withinTime(regex, () => texts.map((text) => spansOf(text, regex)));
}

function spansOf(text: string, regex: RegExp): readonly Span[] {
  return Array.from(text.matchAll(regex), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}

/** Created once, because creating a context takes a millisecond. */
let machine: { readonly context: Context; readonly script: Script } | undefined;

function withinTime<T>(regex: RegExp, work: () => T): T {
  machine ??= { context: createContext({}), script: new Script("work()") };
  const { context, script } = machine;
  let result: { readonly value: T } | undefined;
  context["work"] = () => {
    result = { value: work() };
  };
  try {
    script.runInContext(context, { timeout: maxMs });
  } catch (cause) {
    if (!isTimeout(cause)) throw cause;
    throw new ToolError(
      "TIMEOUT",
      `Matching ${regex.source.slice(0, 200)} was stopped after ${maxMs / 1000} seconds on one piece of text.`,
      {
        hint: "Use an expression without repetitions inside repetitions, as in (a+)+, or search for a literal text.",
        data: { pattern: regex.source.slice(0, 1000) },
        cause,
        // The same expression takes the same time again.
        retryable: false,
      },
    );
  } finally {
    context["work"] = undefined;
  }
  if (result === undefined) throw new TypeError("The match ended without a result.");
  return result.value;
}

/**
 * Whether it is the timeout error. It belongs to the context's own realm, so it is not an instance of this realm's
 * Error.
 */
function isTimeout(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
