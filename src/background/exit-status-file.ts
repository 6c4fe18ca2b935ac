import { joinPath } from "../text/index.ts";
import { ToolError, type Host } from "../core/index.ts";

/**
 * Waits for a line on standard input, then runs the remaining arguments as a program and writes its exit code to the
 * file. Without the line nothing runs: the haft process was killed before it had recorded the task. TERM
 * and INT reach the program as well, so the shell only waits for it to end; a signal that arrives before the program was
 * started ends the shell. An assignment to a variable of the environment would change it for the program, so the names
 * have a prefix.
 */
const script = [
  "IFS= read -r haft_line || exit 125",
  "haft_end=; trap haft_end=143 TERM; trap haft_end=130 INT; trap haft_end=129 HUP; haft_file=$1; shift",
  'if [ -n "$haft_end" ]; then haft_code=$haft_end; else "$@"; haft_code=$?; fi',
  '{ printf %s "$haft_code" >"$haft_file"; } 2>/dev/null; exit "$haft_code"',
].join("; ");

/**
 * Wraps a command so that it starts with a line on its standard input (`startLine`), and its exit code is stored in the
 * file, even if this process is gone by then.
 */
export function leavingExit(host: Host, argv: readonly string[], file: string): readonly string[] {
  return waitsForLine(host) ? ["/bin/sh", "-c", script, "haft-task", file, ...argv] : argv;
}

/** Line that starts a command that `leavingExit` wrapped; undefined where the host has no shell to wait for it. */
export function startLine(host: Host): Uint8Array | undefined {
  return waitsForLine(host) ? new TextEncoder().encode("\n") : undefined;
}

/** Starts a command that `leavingExit` wrapped; does nothing if it was stopped while it waited. */
export async function startWaiting(host: Host, processId: string): Promise<void> {
  const line = startLine(host);
  if (line === undefined) return;
  try {
    await host.proc.write(processId, line);
  } catch (error) {
    if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
  }
}

function waitsForLine({ info }: Host): boolean {
  return info.os !== "windows";
}

/** Directory of the exit files. It is separate, so that a task in a sandbox can write to it and to no other record. */
export function exitFolderOf(directory: string): string {
  return joinPath(directory, "exits");
}

export function exitFileOf(directory: string, taskId: string): string {
  return joinPath(exitFolderOf(directory), `${taskId}.exit`);
}

/** Exit code stored in the file; undefined if there is none. */
export async function leftExit(host: Host, file: string): Promise<number | undefined> {
  try {
    const text = new TextDecoder().decode(await host.fs.readRange(file, { offset: 0, length: 16 }));
    return /^\d{1,3}$/u.test(text) ? Number(text) : undefined;
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}
