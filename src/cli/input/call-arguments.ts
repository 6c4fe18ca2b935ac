import { shellQuoted } from "../print/describe-effect.ts";
import { UsageError } from "../usage-error.ts";

const forms = "Write key=text, key:=json, one JSON object, or - to read JSON from standard input.";

/** Argument of the form `key=text` or `key:=json`; a key may begin with one dash, as Grep's `-i`. */
export const assignmentForm = /^(?!--)(?<key>[A-Za-z_-][\w.-]*)(?<operator>:?=)(?<text>[\s\S]*)$/u;

/**
 * Builds the input of a call from arguments: `key=text`, `key:=json`, one JSON object, or `-` for JSON on standard
 * input. Text given as `key=` stays text; the tool's schema decides whether "5" may be a number.
 */
export async function callInput(
  words: readonly string[],
  {
    readStdin,
    mainKey,
  }: {
    readonly readStdin: () => Promise<string>;
    /** Key that a single argument without a key most likely belongs to. */
    readonly mainKey?: string | undefined;
  },
): Promise<unknown> {
  const whole = words.find((word) => word === "-" || word.trimStart().startsWith("{"));
  if (whole !== undefined && words.length > 1) {
    throw new UsageError(
      `${whole === "-" ? "-" : "A JSON object"} is the whole input; remove the other arguments.`,
      "Put every key into the JSON, or write each as key=text or key:=json.",
    );
  }
  if (whole !== undefined) return whole === "-" ? await readStdin() : whole;
  const input = new Map<string, unknown>();
  for (const word of words) {
    const { key, value } = assignment(word, mainKey);
    if (input.has(key)) {
      throw new UsageError(
        `${key} is given twice.`,
        `Give each key once; a list is ${key}:='["one", "two"]'.`,
      );
    }
    input.set(key, value);
  }
  return Object.fromEntries(input);
}

function assignment(
  word: string,
  mainKey: string | undefined,
): { readonly key: string; readonly value: unknown } {
  const { key, operator, text } = assignmentForm.exec(word)?.groups ?? {};
  if (key === undefined || text === undefined) {
    const isPlain = !/^[=[{"]/u.test(word);
    const guess =
      mainKey === undefined || !isPlain
        ? ""
        : ` Did you mean ${shellQuoted(`${mainKey}=${word}`)}?`;
    throw new UsageError(`${JSON.stringify(word)} is not an argument.${guess}`, forms);
  }
  if (operator === "=") return { key, value: text };
  try {
    const value: unknown = JSON.parse(text);
    return { key, value };
  } catch {
    throw new UsageError(
      `${key}:= must be followed by JSON, but ${JSON.stringify(text)} is not JSON.`,
      `For text write ${shellQuoted(`${key}=${text}`)} instead.`,
    );
  }
}
