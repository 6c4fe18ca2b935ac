import { createContext, Script, type Context } from "node:vm";
import { ToolError, type Span } from "../../core/index.ts";

/**
 * Milliseconds for one piece of text. An expression that backtracks without end would hold the whole program: no timer
 * and no signal comes through while it matches.
 */
const maxMs = 2000;

/** Where `regex` matches in a text. TIMEOUT where that takes too long, which a small text can do as well as a large one. */
export function boundedMatches(text: string, regex: RegExp): readonly Span[] {
  return withinTime(regex, () => spansOf(text, regex));
}

/** The same for each of several texts, which are bounded together. */
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

/** Made once: a context takes a millisecond. */
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
        // The same expression takes the same time.
        retryable: false,
      },
    );
  } finally {
    context["work"] = undefined;
  }
  if (result === undefined) throw new TypeError("The match ended without a result.");
  return result.value;
}

/** The error is of the context's own realm, so it is no Error here. */
function isTimeout(error: unknown): boolean {
  const { code }: { readonly code?: unknown } = Object(error);
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
