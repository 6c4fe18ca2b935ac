/** What a command does, for people and for how its output is shown. */
export type CommandClass = "search" | "read" | "list" | "write" | "silent" | "general";

/** Strongest last: a command made of several is as weak as its weakest part, and silence weakens nothing. */
const strength: readonly CommandClass[] = ["general", "write", "list", "read", "search", "silent"];

/** The weaker of two classes; `undefined` is a part that changes nothing. */
export function weakerClass(
  one: CommandClass | undefined,
  other: CommandClass | undefined,
): CommandClass | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return strength.indexOf(one) <= strength.indexOf(other) ? one : other;
}
