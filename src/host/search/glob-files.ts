import type { GlobEvent, GlobQuery, HostFs, HostOptions } from "../../core/index.ts";
import { globFilter } from "./glob-filter.ts";
import { leftOutByGlob, VisibleFiles } from "./visible-files.ts";

export async function* globFiles(
  fs: HostFs,
  query: GlobQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GlobEvent> {
  const matches = globFilter(query.pattern);
  const includeIgnored = query.includeIgnored === true;
  const leaveOut = includeIgnored ? [] : leftOutByGlob;
  const files = new VisibleFiles(fs, { root: query.root, includeIgnored, leaveOut }, options);
  let excluded = 0;
  for await (const { path, below } of files.walk()) {
    if (!matches(below)) continue;
    if (query.isExcluded?.(path) === true) excluded += 1;
    else yield { kind: "file", path };
  }
  yield { kind: "end", excluded, partial: files.unreadable.length > 0 };
}
