import {
  ToolError,
  type GlobEvent,
  type GlobFile,
  type GlobQuery,
  type HostFs,
  type HostOptions,
} from "../../core/index.ts";
import { throwIfAborted } from "../aborted.ts";
import { GlobMatches } from "./glob-matches.ts";
import { VisibleFiles, VisibleWalk } from "./visibility/visible-files.ts";

export async function* globFiles(
  fs: HostFs,
  query: GlobQuery,
  options: HostOptions | undefined,
): AsyncGenerator<GlobEvent> {
  const matches = new GlobMatches(query);
  const visible = new VisibleFiles(fs, query, options);
  const walk = new VisibleWalk(visible, query.root, {
    signal: options?.signal,
    onOther: ({ path, kind, isVisible }) => {
      if (kind === "directory") matches.passDirectory(path);
      else matches.passBy(path, kind === "symlink" ? kind : "file", isVisible);
    },
  });
  for await (const { path } of walk.files()) {
    if (!matches.takes(path)) continue;
    const file = query.dated === true ? await dated(fs, path, options) : { path };
    if (file !== undefined) yield { kind: "files", files: [file] };
  }
  yield matches.end(walk.unreadable.length > 0);
}

/** The file with its modification time; undefined if it was removed since it was listed. */
async function dated(
  fs: HostFs,
  path: string,
  options: HostOptions | undefined,
): Promise<GlobFile | undefined> {
  try {
    const { size, mtimeMs } = await fs.stat(path, options);
    return { path, size, mtimeMs };
  } catch (error) {
    throwIfAborted(options?.signal);
    if (!ToolError.is(error)) throw error;
    // An undecodable name cannot be opened, although the file exists.
    return path.includes("\uFFFD") ? { path } : undefined;
  }
}
