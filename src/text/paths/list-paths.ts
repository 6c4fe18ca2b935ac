import { pathBelow } from "./path.ts";

/** Paths named one by one in a sentence. */
const maxNamed = 5;

/** The first of some paths, each from a folder where it lies in it, and how many more there are. */
export function namedPaths(paths: readonly string[], folder: string): string {
  const named = paths.slice(0, maxNamed).map((path) => pathBelow(folder, path) ?? path);
  const more = paths.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
