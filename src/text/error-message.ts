/** Message of a thrown value; any value may be thrown, including one that cannot be converted to a string. */
export function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return "something that cannot be put into words";
  }
}

/** The message as the end of a sentence. */
export function sentenceOf(cause: unknown): string {
  const text = messageOf(cause).trim();
  if (text === "") return "it said nothing.";
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}

/** A name of a parser's error as words, as in "comma expected" for `CommaExpected`. */
export function phraseOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/gu, " ").toLowerCase();
}
