/** What was thrown, as the end of a sentence: anything may be thrown, also what cannot be made a text. */
export function sentenceOf(cause: unknown): string {
  const text = textOf(cause).trim();
  if (text === "") return "it said nothing.";
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

function textOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return "";
  }
}
