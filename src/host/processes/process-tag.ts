/**
 * Variable in the environment of every program started here; its value names the host and the program. It identifies
 * descendants that created their own session.
 */
export const markerName = "HAFT_PROCESS";

/** Name by which one watchdog, and a helper, recognize the watchdog of another haft. */
export const watchdogName = "haft-watch";

/** Part of the tag of programs that continue after this process is killed. */
const outliving = ".kept";

/** A new prefix for the tags of one host's programs, used by no other host. */
export function newHostMark(): string {
  // Not an import: `node:crypto` is heavy, and many hosts start no process.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return `${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** Tag of one program. */
export function markOf(host: string, count: number, outlives: boolean): string {
  return `${host}${outlives ? outliving : ""}:${count}`;
}

/** Prefix of the tags of those programs of a host that end when the host is killed. */
export function endingMarks(host: string): string {
  return `${host}:`;
}

/** The same prefix for the host that started a program with this tag; undefined if that program continues. */
export function endingLike(mark: string): string | undefined {
  const host = mark.slice(0, mark.lastIndexOf(":"));
  return host.endsWith(outliving) ? undefined : endingMarks(host);
}
