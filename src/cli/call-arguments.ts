import { UsageError } from "./usage-error.ts";

/**
 * The input of a call from the words of a command line: `key=text`, `key:=json`, one JSON object, or `-` for JSON on
 * standard input. Text given as `key=` stays text; the tool's schema decides whether "5" may be a number.
 */
export async function callInput(
  words: readonly string[],
  readStdin: () => Promise<string>,
): Promise<unknown> {
  const [first] = words;
  if (words.length === 1 && first === "-") return await readStdin();
  if (words.length === 1 && first !== undefined && first.trimStart().startsWith("{")) return first;
  const input: Record<string, unknown> = Object.create(null);
  for (const word of words) {
    const { key, value } = assignment(word);
    if (key in input) {
      throw new UsageError(
        `${key} is given twice.`,
        "Give each key once, or pass one JSON object.",
      );
    }
    input[key] = value;
  }
  return { ...input };
}

function assignment(word: string): { readonly key: string; readonly value: unknown } {
  const match = /^(?<key>[A-Za-z_-][\w.-]*)(?<operator>:?=)(?<text>[\s\S]*)$/u.exec(word);
  const { key, operator, text } = match?.groups ?? {};
  if (key === undefined || text === undefined) {
    throw new UsageError(
      `${JSON.stringify(word)} is no argument.`,
      "Write key=text, key:=json, one JSON object, or - to read JSON from standard input.",
    );
  }
  if (operator === "=") return { key, value: text };
  try {
    return { key, value: JSON.parse(text) };
  } catch {
    throw new UsageError(
      `${key}:= must be followed by JSON, but ${JSON.stringify(text)} is none.`,
      `For text write ${key}=${text} instead.`,
    );
  }
}
