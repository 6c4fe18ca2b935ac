import { execFile } from "node:child_process";
import { closeSync, fdatasync } from "node:fs";
import { promisify } from "node:util";
import { parentPath } from "../../../text/index.ts";
import { ToolError } from "../../../core/index.ts";
import { systemEnvironment, systemProgram } from "../../../programs/index.ts";
import { throwIfAborted } from "../../aborted.ts";
import { rethrowFileError } from "../file-error.ts";
import { assertFile, holdDirectory, holdNode } from "../open-path.ts";
import { openForReading } from "../read-bytes.ts";

/** More files than this are flushed with everything else on their file system, which then takes less time. */
const maxSingly = 64;
/** Files flushed at the same time. */
const width = 16;

/** Resolves when the content of each of these files is on the disk. All are tried before a failure is thrown. */
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
  // What is closed to us can be flushed only with everything else.
  const closed = failures.every((error) => ToolError.is(error) && error.code === "ACCESS_DENIED");
  if (failures.length > 0 && !(closed && (await flushSystems(paths)))) throw failures[0];
}

async function flushFile(path: string): Promise<void> {
  const held = holdNode(path);
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

/** Flushes every file system that one of these files is on; false where that cannot be done here. */
async function flushSystems(paths: readonly string[]): Promise<boolean> {
  const program = process.platform === "linux" ? systemProgram("sync") : undefined;
  if (program === undefined) return false;
  const systems = new Map<bigint, string>();
  for (const path of paths) {
    const held = holdNode(path);
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
