/** What a thrown value says, whatever it is. */
export function messageOf(cause: unknown): string {
  try {
    return cause instanceof Error ? cause.message : String(cause);
  } catch {
    return "something that cannot be put into words";
  }
}
