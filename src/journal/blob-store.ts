import {
  baseName,
  joinPath,
  ToolError,
  type HostClock,
  type HostFile,
  type HostFs,
} from "../core/index.ts";
import { isContentHash } from "./image.ts";
import { isMissing } from "./sight.ts";

/** Content by its hash, each kept once. */
export interface BlobStore {
  /** Resolves when the content is durable. */
  put(hash: string, bytes: Uint8Array): Promise<void>;
  /** Keeps a content that only explains: what a call left. It may be lost with the machine. */
  putLeft(hash: string, bytes: Uint8Array): Promise<void>;
  /** Undefined where it is not kept; INTERNAL where it is damaged. */
  get(hash: string): Promise<Uint8Array | undefined>;
  /**
   * Removes every content that `isKept` does not name and that is old enough to belong to no call under way; only
   * counts them in a dry run.
   */
  sweep(
    isKept: (hash: string) => boolean,
    dryRun?: boolean,
  ): Promise<{ readonly blobs: number; readonly bytes: number }>;
  /** Bytes written since this was last asked. */
  takeWritten(): number;
}

/** Content written or used within this time is never swept: a call of another process may be about to name it. */
const graceMs = 60 * 60 * 1000;

export function blobStore(
  fs: HostFs,
  options: {
    readonly directory: string;
    /** Where contents are that only explain; they are never taken for durable ones. */
    readonly leftDirectory: string;
    readonly clock: Pick<HostClock, "now">;
  },
): BlobStore {
  const { directory, leftDirectory, clock } = options;
  /** Contents this process made durable, or is making so, and when. */
  const known = new Map<string, { readonly storing: Promise<void>; readonly at: number }>();
  let written = 0;

  async function store(path: string, bytes: Uint8Array): Promise<void> {
    const stat = await statOf(fs, path);
    // What is there but nearly old enough to be swept is written again, which dates it anew.
    const isFresh = stat !== undefined && clock.now() - stat.mtimeMs < graceMs / 2;
    if (isFresh && stat.size === bytes.length) return;
    await fs.writeAtomic(path, bytes, { mode: 0o600 });
    written += bytes.length;
  }

  return {
    put(hash, bytes) {
      const before = known.get(hash);
      if (before !== undefined && clock.now() - before.at < graceMs / 2) return before.storing;
      const storing = store(pathOf(directory, hash), bytes);
      known.set(hash, { storing, at: clock.now() });
      storing.catch(() => known.delete(hash));
      return storing;
    },
    async putLeft(hash, bytes) {
      if (known.has(hash)) return;
      const path = pathOf(leftDirectory, hash);
      const stat = await statOf(fs, path);
      if (stat?.size === bytes.length) return;
      // One that a killed process wrote in part; what is appended has to be the whole.
      if (stat !== undefined) await fs.remove(path);
      await fs.append(path, bytes);
      written += bytes.length;
    },
    async get(hash) {
      if (!isContentHash(hash)) return undefined;
      const kept = await fileOf(fs, pathOf(directory, hash));
      if (kept?.hash === hash) return kept.bytes;
      const left = await fileOf(fs, pathOf(leftDirectory, hash));
      if (left?.hash === hash) return left.bytes;
      if (kept === undefined) return undefined;
      throw new ToolError("INTERNAL", "The journal's copy of a file is damaged.", {
        hint: "This content cannot be restored; the other files of the call can, with force.",
        data: { hash },
      });
    },
    async sweep(isKept, dryRun = false) {
      let blobs = 0;
      let bytes = 0;
      const paths: string[] = [];
      for (const each of [directory, leftDirectory]) {
        for await (const entry of fs.list(each)) paths.push(joinPath(each, entry.name));
      }
      for (const path of paths) {
        const hash = hashOf(baseName(path));
        if (isKept(hash)) continue;
        const stat = await statOf(fs, path);
        if (stat === undefined || clock.now() - stat.mtimeMs < graceMs) continue;
        if (!dryRun) {
          known.delete(hash);
          await fs.remove(path);
        }
        blobs += 1;
        bytes += stat.size;
      }
      return { blobs, bytes };
    },
    takeWritten() {
      const taken = written;
      written = 0;
      return taken;
    },
  };
}

async function statOf(
  fs: HostFs,
  path: string,
): Promise<{ size: number; mtimeMs: number } | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function fileOf(fs: HostFs, path: string): Promise<HostFile | undefined> {
  try {
    return await fs.readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A colon is no part of a file name everywhere. */
function pathOf(directory: string, hash: string): string {
  return joinPath(directory, hash.replace(":", "-"));
}

function hashOf(name: string): string {
  return name.replace("-", ":");
}
