import { byName } from "./name-index.ts";
import { spellings, squashName } from "./names.ts";
import type { RegisteredTool } from "./registered-tool.ts";

/** More names than this help nobody choose. */
const maxNames = 3;

/** Half of the letters may differ, not more: beyond that a name is a guess. */
const maxShare = 0.5;

/** A name inside the other counts as this close whatever its length: `ReadFile` for `Read`. */
const minContained = 3;

/** The names of the tools whose name or alias is closest to what was written, best first, at most three. */
export async function nearestNames(
  name: string,
  tools: readonly RegisteredTool[],
): Promise<readonly string[]> {
  const { distance } = await import("fastest-levenshtein");
  const wanted = spellings(name)
    .map(squashName)
    .filter((spelling) => spelling !== "");
  const near = tools.flatMap((tool) => {
    const own = [tool.name, ...(tool.traits.aliases ?? [])].map(squashName);
    const shares = wanted.flatMap((a) => own.map((b) => shareOfDifference(a, b)));
    const share = Math.min(1, ...shares);
    return share <= maxShare ? [{ name: tool.name, share }] : [];
  });
  return near
    .toSorted((a, b) => a.share - b.share || byName(a, b))
    .slice(0, maxNames)
    .map((found) => found.name);

  function shareOfDifference(a: string, b: string): number {
    const share = distance(a, b) / Math.max(a.length, b.length);
    const contained =
      Math.min(a.length, b.length) >= minContained && (a.includes(b) || b.includes(a));
    return contained ? Math.min(share, maxShare) : share;
  }
}
