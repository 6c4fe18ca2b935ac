import { isWithin, joinPath } from "../../text/index.ts";
import { ToolError, type Host, type WorkingDirectory } from "../../core/index.ts";

export interface KeepDirectoriesOptions {
  readonly host: Host;
  /** Canonical path. */
  readonly workspace: string;
  /** Directory for the files in which commands report where they ended; outside the workspace. */
  readonly directory: string;
}

/**
 * Maximum number of agents whose directory is remembered; beyond it, the agent unused for the longest time starts in
 * the workspace again.
 */
const maxKept = 10_000;

/** Longer than any path that a system accepts. */
const maxPathBytes = 8192;

export interface WorkingDirectories {
  of(sessionId: string | undefined): WorkingDirectory;
  /** Deletes files that commands may have left. */
  close(): Promise<void>;
}

/** Working directories of commands, by session, in memory. */
export function workingDirectories(options: KeepDirectoriesOptions): WorkingDirectories {
  const { host } = options;
  const kept = new Map<string, string>();
  const directory = joinPath(options.directory, crypto.randomUUID());
  let opening: Promise<void> | undefined;
  const open = async (): Promise<string> => {
    await (opening ??= host.fs.mkdir(directory, { mode: 0o700 }));
    return directory;
  };
  return {
    of: (sessionId) => workingDirectoryOf(options, { sessionId, kept, open }),
    async close() {
      if (opening === undefined) return;
      await host.fs.remove(directory, { recursive: true }).catch(() => undefined);
    },
  };
}

function workingDirectoryOf(
  options: KeepDirectoriesOptions,
  {
    sessionId,
    kept,
    open,
  }: {
    readonly sessionId: string | undefined;
    /** Directories other than the workspace, the most recently used last. */
    readonly kept: Map<string, string>;
    readonly open: () => Promise<string>;
  },
): WorkingDirectory {
  const { host, workspace } = options;
  const keyOf = (agentId: string | undefined): string => JSON.stringify([sessionId, agentId]);
  const use = (key: string, folder: string | undefined): void => {
    kept.delete(key);
    if (folder === undefined) return;
    kept.set(key, folder);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  };
  return {
    current(agentId) {
      if (kept.size === 0) return undefined;
      const key = keyOf(agentId);
      const folder = kept.get(key);
      use(key, folder);
      return folder;
    },
    async keep(agentId, path) {
      const folder = await insideFolder(path, options);
      // A directory outside the workspace leaves the previous one in effect, in which the command began.
      if (folder === workspace) kept.delete(keyOf(agentId));
      else if (folder !== undefined) use(keyOf(agentId), folder);
      return folder;
    },
    reset: (agentId) => void kept.delete(keyOf(agentId)),
    async openChannel() {
      const path = joinPath(await open(), crypto.randomUUID());
      return { path, take: async () => await takeText(host, path) };
    },
  };
}

/** Canonical path of a directory inside the workspace; undefined for anything else. */
async function insideFolder(
  path: string,
  { host, workspace }: KeepDirectoriesOptions,
): Promise<string | undefined> {
  try {
    if (!path.startsWith("/")) return undefined;
    const canonical = await host.fs.canonical(path);
    if (!isWithin(workspace, canonical)) return undefined;
    return (await host.fs.stat(canonical)).kind === "directory" ? canonical : undefined;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

async function takeText(host: Host, path: string): Promise<string | undefined> {
  try {
    const { bytes } = await host.fs.readFile(path, { maxBytes: maxPathBytes });
    // Remove only the line end of the command that wrote it: a directory name may end in one as well.
    return new TextDecoder().decode(bytes).replace(/\n$/u, "");
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  } finally {
    await host.fs.remove(path).catch(() => undefined);
  }
}
