import type { GrepQuery, ToolContext } from "../../core/index.ts";

/** Whether a file in which no line was found is a binary file that contains the pattern. */
export async function isBinaryMatch(
  query: GrepQuery,
  { host, signal }: ToolContext,
): Promise<boolean> {
  for await (const event of host.search.grep({ ...query, presenceOnly: true }, { signal })) {
    if (event.kind === "binary") return true;
  }
  return false;
}
