import { ToolError, type GrepQuery } from "../../core/index.ts";

/** The regular expression of a query, always global; throws INVALID_INPUT with the reason if it is invalid. */
export function searchPattern(query: GrepQuery): RegExp {
  assertNoLineBreak(query);
  if (query.literal === true) {
    return new RegExp(escaped(query.pattern), flags(query, "u"));
  }
  const leading = /^\(\?([ims]+)\)/u.exec(query.pattern);
  const inline = leading?.[1] ?? "";
  const source = leading === null ? query.pattern : query.pattern.slice(leading[0].length);
  if (source.length > maxPatternChars) {
    throw new ToolError("INVALID_INPUT", "The regular expression is too long.", {
      hint: `Use at most ${maxPatternChars} characters.`,
      data: { characters: source.length },
    });
  }
  try {
    return usable(new RegExp(source, flags(query, `${inline}u`)));
  } catch {
    // Unicode mode rejects unnecessary escapes such as `\-`, which are common.
    try {
      return usable(new RegExp(source, flags(query, inline)));
    } catch (cause) {
      throw patternError(query.pattern, cause instanceof Error ? cause.message : String(cause));
    }
  }
}

const maxPatternChars = 10_000;

/** Runs the expression once, because only then is it compiled completely and found to be too large. */
function usable(pattern: RegExp): RegExp {
  pattern.test("");
  pattern.lastIndex = 0;
  return pattern;
}

export function patternError(pattern: string, reason: string): ToolError {
  return new ToolError(
    "INVALID_INPUT",
    `${pattern.slice(0, 200)} is not a usable regular expression: ${reason}`,
    {
      hint: "Escape characters that are meant literally, or search for the text literally.",
      data: { pattern },
    },
  );
}

/** Lines are searched one by one, so a pattern with a line break could never match. */
export function assertNoLineBreak({ pattern, multiline, literal }: GrepQuery): void {
  if (multiline === true) return;
  const isEscaped = literal !== true && /(?<!\\)(?:\\\\)*\\n/u.test(pattern);
  if (!isEscaped && !pattern.includes("\n")) return;
  throw new ToolError(
    "INVALID_INPUT",
    `${pattern.slice(0, 200)} asks for a line break, but lines are searched one by one.`,
    { hint: "Search with multiline switched on.", data: { pattern } },
  );
}

function flags(query: GrepQuery, more: string): string {
  const wanted = `g${query.ignoreCase === true ? "i" : ""}${query.multiline === true ? "ms" : ""}${more}`;
  return Array.from(new Set(wanted)).join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
