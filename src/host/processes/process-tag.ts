/**
 * The variable every program started here carries, with a value of the host and the process. A child
 * that made a session of its own is found by it.
 */
export const markerName = "HAFT_PROCESS";

/** In the mark of what was asked to go on where this program is killed. */
const outliving = ".kept";

/** Begins the marks of all programs of one host, and of no other. */
export function newHostMark(): string {
  // Not an import: `node:crypto` is heavy, and many hosts start no process.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return `${process.pid}-${randomBytes(8).toString("hex")}`;
}

/** The mark of one program. */
export function markOf(host: string, count: number, outlives: boolean): string {
  return `${host}${outlives ? outliving : ""}:${count}`;
}

/** How the marks begin of those programs of a host that end where it is killed. */
export function endingMarks(host: string): string {
  return `${host}:`;
}

/** The same, of the host that started a program with this mark; undefined where that one goes on. */
export function endingLike(mark: string): string | undefined {
  const host = mark.slice(0, mark.lastIndexOf(":"));
  return host.endsWith(outliving) ? undefined : endingMarks(host);
}
