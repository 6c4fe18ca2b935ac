import { readlinkSync } from "node:fs";
import { startTokenOf } from "./process-scan.ts";

/** Unique name of this process; undefined if the system does not provide one. */
export function ownProcess(): string | undefined {
  return nameOf(process.pid);
}

/** Whether the named process is running; undefined if it belongs to another PID namespace, as in another container. */
export function isRunningProcess(name: string): boolean | undefined {
  const [pid, boot, , space] = name.split("/");
  const own = ownProcess()?.split("/");
  if (own?.[1] === boot && own?.[3] !== space) return undefined;
  return nameOf(Number(pid)) === name;
}

/** Prefix of the draft names that the named process writes: its pid in six hexadecimal digits. */
export function draftMarkOf(name: string): string {
  const [pid = ""] = name.split("/");
  return draftMark(Number(pid));
}

/** The same prefix for this process. */
export function ownDraftMark(): string {
  return draftMark(process.pid);
}

function draftMark(pid: number): string {
  return (pid % 0x100_0000).toString(16).padStart(6, "0");
}

function nameOf(pid: number): string | undefined {
  const token = startTokenOf(pid);
  return token === undefined ? undefined : `${pid}/${token}/${processSpace()}`;
}

/** PID namespace of the processes that this one sees. */
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid").replaceAll(/\D/gu, "");
  } catch {
    return "";
  }
}
