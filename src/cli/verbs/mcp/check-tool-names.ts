import { builtInListings } from "../../../entries/tools.ts";
import { didYouMean } from "../../input/nearest.ts";
import { UsageError } from "../../usage-error.ts";

/** Names of tools to offer. Those of servers, of the workspace and with `*` are not known before it is opened. */
export function checkToolNames(given: readonly string[]): readonly string[] {
  const known = builtInListings(new Set()).map(({ name }) => name);
  const names = given.map((name) => name.trim());
  for (const name of names) {
    if (name === "") throw new UsageError("--tools has an empty name.", "As in --tools Read,Grep.");
    if (/[*_]/u.test(name) || known.includes(name)) continue;
    const guess = didYouMean(name, known);
    if (guess === "") continue;
    throw new UsageError(`There is no tool ${JSON.stringify(name)}.${guess}`);
  }
  return names;
}
