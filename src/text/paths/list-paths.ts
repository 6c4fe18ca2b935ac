import { pathBelow } from "./path.ts";

/** Maximum number of paths named in a sentence. */
const maxNamed = 5;

/** The first paths, relative to `folder` if they are in it, and the number of the others. */
export function namedPaths(paths: readonly string[], folder: string): string {
  const named = paths.slice(0, maxNamed).map((path) => pathBelow(folder, path) ?? path);
  const more = paths.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
