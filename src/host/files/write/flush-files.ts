import { execFile } from "node:child_process";
import { closeSync, fdatasync } from "node:fs";
import { promisify } from "node:util";
import { parentPath } from "../../../text/index.ts";
import { ToolError } from "../../../core/index.ts";
import { systemEnvironment, systemProgram } from "../../../programs/index.ts";
import { throwIfAborted } from "../../aborted.ts";
import { rethrowFileError } from "../file-error.ts";
import { assertFile, holdDirectory, openNode } from "../open-path.ts";
import { openForReading } from "../read-bytes.ts";

/** Maximum number of files flushed one by one; for more, flushing their whole file systems takes less time. */
const maxSingly = 64;
/** Maximum number of concurrent flushes. */
const width = 16;

/** Resolves when the content of each file is on disk. Tries all of them before it throws a failure. */
export async function flushFiles(
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  throwIfAborted(signal);
  if (paths.length > maxSingly && (await flushSystems(paths))) return;
  let at = 0;
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let path = paths[at++]; path !== undefined; path = paths[at++]) {
      await flushFile(path).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, paths.length) }, worker));
  // A file that this process may not open can be flushed only with its whole file system.
  const closed = failures.every((error) => ToolError.is(error) && error.code === "ACCESS_DENIED");
  if (failures.length > 0 && !(closed && (await flushSystems(paths)))) throw failures[0];
}

async function flushFile(path: string): Promise<void> {
  const held = openNode(path);
  try {
    const descriptor = openForReading(path, held);
    try {
      await promisify(fdatasync)(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    rethrowFileError(error, path);
  } finally {
    held.close();
  }
}

/** Flushes every file system that contains one of these files; false if this system cannot do that. */
async function flushSystems(paths: readonly string[]): Promise<boolean> {
  const program = process.platform === "linux" ? systemProgram("sync") : undefined;
  if (program === undefined) return false;
  const systems = new Map<bigint, string>();
  for (const path of paths) {
    const held = openNode(path);
    held.close();
    assertHeldFile(path, held.stats);
    systems.set(held.stats.dev, parentPath(path));
  }
  try {
    for (const folder of systems.values()) {
      const held = holdDirectory(folder);
      try {
        await promisify(execFile)(program, ["-f", held.outsidePath], {
          cwd: "/",
          env: systemEnvironment(),
        });
      } finally {
        held.close();
      }
    }
    return true;
  } catch {
    return false;
  }
}

function assertHeldFile(path: string, stats: Parameters<typeof assertFile>[1]): void {
  try {
    assertFile(path, stats);
  } catch (error) {
    rethrowFileError(error, path);
  }
}
