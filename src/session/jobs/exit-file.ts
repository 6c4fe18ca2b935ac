import { joinPath, ToolError, type Host } from "../../core/index.ts";

/**
 * Runs the words behind the file, and leaves the exit in the file. TERM and INT reach the program as well, so the
 * shell around it only waits until that has ended.
 */
const script =
  'trap : TERM INT HUP; file=$1; shift; "$@"; code=$?; { printf %s "$code" >"$file"; } 2>/dev/null; exit "$code"';

/** Starts the same program so that its exit is in the file, whoever is there to see it. */
export function leavingExit(host: Host, argv: readonly string[], file: string): readonly string[] {
  if (host.info.os === "windows") return argv;
  return ["/bin/sh", "-c", script, "haft-task", file, ...argv];
}

/** A folder of their own, so that a task in a sandbox writes there and nowhere else among the records. */
export function exitFolderOf(directory: string): string {
  return joinPath(directory, "exits");
}

export function exitFileOf(directory: string, taskId: string): string {
  return joinPath(exitFolderOf(directory), `${taskId}.exit`);
}

/** The exit code that was left; undefined where none was. */
export async function leftExit(host: Host, file: string): Promise<number | undefined> {
  try {
    const text = new TextDecoder().decode(await host.fs.readRange(file, { offset: 0, length: 16 }));
    return /^\d{1,3}$/u.test(text) ? Number(text) : undefined;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
