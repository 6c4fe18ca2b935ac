import type { IgnoredDirectories, ToolContext } from "../../../core/index.ts";
import { counted, displayPath } from "./display-path.ts";
import { searchSettingsOf } from "../search-settings.ts";

/** Directories and files that a search skipped. */
export interface IgnoredReport {
  readonly directories: IgnoredDirectories;
  /** Number of ignored files in directories that were searched. */
  readonly files: number;
  /** Whether the lists are complete. */
  readonly isWhole: boolean;
}

export const nothingIgnored: IgnoredReport = {
  directories: { count: 0, examples: [] },
  files: 0,
  isWhole: true,
};

/** Maximum number of levels visited below the root. */
const maxDepth = 64;
/** Number of directories opened whatever the time: the root and a few below it. */
const freeDirectories = 4;
const maxExamples = 3;
/** Maximum share of the search time for this. */
const share = 0.1;

/**
 * Finds the directories that a search skipped. Reads only directories, from the root down, for a tenth of the time of
 * the search: listing their content would require another search.
 */
export async function findIgnored(
  { root, searchMs }: { readonly root: string; readonly searchMs: number },
  context: ToolContext,
): Promise<IgnoredReport> {
  const { host, signal } = context;
  const { defaultExcludes } = searchSettingsOf(context);
  const query = { root, depth: maxDepth, directoriesOnly: true, defaultExcludes };
  const until = host.clock.now() + searchMs * share;
  const examples: string[] = [];
  let count = 0;
  let files = 0;
  let isWhole = false;
  let opened = 1;
  for await (const event of host.search.list(query, { signal })) {
    if (event.kind === "end") {
      files = event.ignored;
      isWhole = !event.partial;
    } else if (!event.entry.isIgnored) {
      opened += 1;
      if (opened > freeDirectories && host.clock.now() > until) break;
    } else if (event.entry.name !== ".git") {
      count += 1;
      if (examples.length < maxExamples) examples.push(event.entry.path);
    }
  }
  return { directories: { count, examples }, files, isWhole };
}

/** Sentence on what was skipped and how to see it; undefined if nothing was. */
export function ignoredNote(report: IgnoredReport, cwd: string): string | undefined {
  const { directories, files, isWhole } = report;
  const { count, examples } = directories;
  const parts: string[] = [];
  const named = examples.slice(0, maxExamples).map((path) => `${displayPath(path, cwd)}/`);
  if (count > named.length || (count > 0 && !isWhole)) {
    const total = `${isWhole ? "" : "at least "}${counted(count, "ignored directory")}`;
    parts.push(`${total} such as ${named.join(", ")}`);
  } else parts.push(...named);
  if (files > 0) parts.push(counted(files, "ignored file"));
  if (parts.length === 0) return isWhole ? undefined : notWhole;
  return `Not searched: ${parts.join(", ")}; include_ignored adds ${count + files === 1 ? "it" : "them"}.`;
}

const notWhole =
  "Ignored directories, if there are any, were not searched; include_ignored adds them.";
