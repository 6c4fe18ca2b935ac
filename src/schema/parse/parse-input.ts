import type { Repair } from "../../core/index.ts";
import { deepEqual } from "../../text/index.ts";
import { plainInput } from "./plain-input.ts";
import {
  readTolerantly,
  skipBlanks,
  type Forgiven,
  type TolerantReading,
} from "./tolerant-json.ts";
import { readOpening, skipClosing } from "./strip-wrapper.ts";

export interface ParseOptions {
  /** Whether the model's stream ended before the call did. */
  readonly incomplete?: boolean | undefined;
}

/**
 * Parsed argument text of a call. `incomplete` never becomes `ok`: its `value` is the part that arrived, for tools that
 * only read.
 */
export type ParsedInput =
  | { readonly kind: "ok"; readonly value: unknown; readonly repairs: readonly Repair[] }
  | {
      readonly kind: "incomplete";
      readonly value?: unknown;
      readonly repairs: readonly Repair[];
      /** Ends the sentence "The call is incomplete: ". */
      readonly because: string;
    }
  | { readonly kind: "invalid"; readonly message: string; readonly hint: string };

/**
 * Parses argument text. Strict JSON is accepted as it is. Other text is repaired only if exactly one interpretation is
 * possible, and each repair is reported.
 */
export function parseInput(text: string, options: ParseOptions = {}): ParsedInput {
  const parsed = parseText(text, 0);
  if (options.incomplete !== true || parsed.kind === "incomplete") return parsed;
  const because = "the model's stream ended before the call did.";
  return parsed.kind === "ok"
    ? { kind: "incomplete", value: parsed.value, repairs: parsed.repairs, because }
    : { kind: "incomplete", repairs: none, because };
}

/**
 * Parses text that must be one complete array or object, as a model may write it into a string; otherwise undefined.
 */
export function parseContainer(text: string): object | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const start = skipBlanks(text, 0);
    const forgiven: Forgiven = new Map();
    const reading = readTolerantly(text, { start, forgiven });
    const isWhole =
      reading.kind === "read" &&
      reading.cut === undefined &&
      !forgiven.has("missing-closer") &&
      skipBlanks(text, reading.end) === text.length;
    value = isWhole ? reading.value : undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  return plainInput(value).ok ? value : undefined;
}

const none: readonly Repair[] = [];
const maxEncodings = 3;
const doubleEncoded: Repair = {
  path: "",
  kind: "double-encoded",
  message: "The arguments were JSON text inside a string; they were decoded.",
};
const invalidHint =
  'Send the arguments as one JSON object: keys and strings in double quotes, with \\", \\\\ and \\n escaped inside strings, and nothing around it.';

function parseText(text: string, encodings: number): ParsedInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return encodings === 0 && text.trim() === ""
      ? { kind: "ok", value: {}, repairs: [repair("empty-input", "No arguments were sent.")] }
      : repairText(text);
  }
  if (typeof value === "string" && encodings < maxEncodings && /^\s*["{[]/u.test(value)) {
    const inner = decodedInput(value, encodings + 1);
    if (inner !== undefined) return inner;
  }
  return { kind: "ok", value, repairs: none };
}

function repairText(text: string): ParsedInput {
  const forgiven: Forgiven = new Map();
  const opening = readOpening(text, forgiven);
  if (opening.kind === "nothing") return invalid(text, opening);
  if (opening.kind === "escaped") {
    return (
      parseEscaped(text.slice(opening.at)) ??
      invalid(text, { at: opening.at + 1, expected: "a key in double quotes" })
    );
  }
  const { at: start, withoutOpener } = opening;
  const reading = readTolerantly(text, { start, forgiven, withoutOpener });
  if (reading.kind === "unreadable") return invalid(text, reading);
  const ended = reading.cut === undefined ? readRest(text, reading, forgiven) : reading;
  if (ended.kind === "unreadable") return invalid(text, ended);
  const repairs = [...forgiven].map(([kind, message]) => repair(kind, message));
  if (ended.cut === undefined) return { kind: "ok", value: reading.value, repairs };
  const because = `its arguments end ${ended.cut}.`;
  return { kind: "incomplete", value: reading.value, repairs, because };
}

/** Parses text whose quotes are escaped, as if the quotes of an enclosing string had been lost. */
function parseEscaped(text: string): ParsedInput | undefined {
  let decoded: unknown;
  try {
    decoded = JSON.parse(`"${text.trim()}"`);
  } catch {
    return undefined;
  }
  return typeof decoded === "string" ? decodedInput(decoded, 1) : undefined;
}

function decodedInput(text: string, encodings: number): ParsedInput | undefined {
  const inner = parseText(text, encodings);
  const isContainer =
    inner.kind !== "invalid" && typeof inner.value === "object" && inner.value !== null;
  return isContainer ? { ...inner, repairs: [doubleEncoded, ...inner.repairs] } : undefined;
}

/** Reads the rest of the text: only packaging or the same value again may follow. */
function readRest(
  text: string,
  first: Extract<TolerantReading, { kind: "read" }>,
  forgiven: Forgiven,
): TolerantReading {
  let at = first.end;
  for (;;) {
    const rest = skipClosing(text, at, forgiven);
    if (rest.kind === "end") return first;
    if (rest.kind === "stop") {
      return { kind: "unreadable", at: rest.at, expected: "nothing more after the arguments" };
    }
    const again = readTolerantly(text, { start: rest.at, forgiven });
    if (again.kind === "unreadable" || again.cut !== undefined) return again;
    if (!deepEqual(again.value, first.value)) {
      return { kind: "unreadable", at: rest.at, expected: "one object, not two different ones" };
    }
    forgiven.set(
      "repeated-object",
      "The same arguments were sent more than once; they count once.",
    );
    at = again.end;
  }
}

function repair(kind: string, message: string): Repair {
  return { path: "", kind, message };
}

function invalid(text: string, problem: { at: number; expected: string }): ParsedInput {
  const before = text.slice(0, problem.at);
  const line = before.split("\n").length;
  const column = problem.at - before.lastIndexOf("\n");
  const found = text.slice(problem.at, problem.at + 20).split("\n", 1)[0] ?? "";
  const received = problem.at >= text.length ? "the end" : JSON.stringify(found);
  return {
    kind: "invalid",
    message: `The arguments are not valid JSON: expected ${problem.expected} at line ${line}, column ${column}, found ${received}.`,
    hint: invalidHint,
  };
}
