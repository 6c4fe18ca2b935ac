/** Kind of action of a command, shown to users and used to format its output. */
export type CommandClass = "search" | "read" | "list" | "write" | "silent" | "general";

/** Classes, strongest last: a compound command has the class of its weakest part, and "silent" weakens nothing. */
const strength: readonly CommandClass[] = ["general", "write", "list", "read", "search", "silent"];

/** Weaker of two classes; `undefined` is a part that does not affect the class. */
export function weakerClass(
  one: CommandClass | undefined,
  other: CommandClass | undefined,
): CommandClass | undefined {
  if (one === undefined) return other;
  if (other === undefined) return one;
  return strength.indexOf(one) <= strength.indexOf(other) ? one : other;
}
