/** What a thrown value says; anything may be thrown, also what cannot be made a text. */
export function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return "something that cannot be put into words";
  }
}

/** The same as the end of a sentence. */
export function sentenceOf(cause: unknown): string {
  const text = messageOf(cause).trim();
  if (text === "") return "it said nothing.";
  return /[.!?]$/u.test(text) ? text : `${text}.`;
}
