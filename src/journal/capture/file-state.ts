import type { HostStat } from "../../core/index.ts";

/** State of a path: enough to recognize it and, with the content that `hash` names, to restore it. */
export type FileState =
  | { readonly kind: "absent" }
  /** `hash` identifies the content or, for a file too large to read, its version. */
  | {
      readonly kind: "file";
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      /** Missing in records of older versions. */
      readonly mtimeMs?: number;
      /** Identity shared by all names of a file that had several. */
      readonly node?: string;
    }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number }
  /** State that a journal cannot restore. */
  | { readonly kind: "special"; readonly type: "fifo" | "socket" | "device" };

export const absent: FileState = Object.freeze({ kind: "absent" });

/** Whether a file's hash is that of its content. */
export function isContentHash(hash: string): boolean {
  return hash.startsWith("sha256:");
}

/** Size of a content that can be stored, 0 for everything else. */
export function contentSize(image: FileState | undefined): number {
  return image?.kind === "file" && isContentHash(image.hash) ? image.size : 0;
}

/**
 * Whether the target has bytes that are not valid text, which the state loses: a link made from it would have another
 * target.
 */
export function isInexact(image: FileState): boolean {
  return image.kind === "symlink" && image.target.includes("\uFFFD");
}

/** Whether two states are equal, apart from times. */
export function isSameState(a: FileState, b: FileState): boolean {
  switch (a.kind) {
    case "absent":
      return b.kind === "absent";
    case "file":
      return b.kind === "file" && a.hash === b.hash && a.mode === b.mode;
    case "symlink":
      return b.kind === "symlink" && a.target === b.target;
    case "directory":
      return b.kind === "directory" && a.mode === b.mode;
    case "special":
      return b.kind === "special" && a.type === b.type;
  }
}

/** Whether both files have the same modification time, if it is known. Ignored for anything but files. */
export function sameTime(a: FileState, b: FileState): boolean {
  if (a.kind !== "file" || b.kind !== "file") return true;
  return a.mtimeMs === undefined || b.mtimeMs === undefined || a.mtimeMs === b.mtimeMs;
}

/** Kind of a change between two states of a path. */
export type FileChange = "created" | "modified" | "deleted" | "mode" | "time" | "replaced" | "none";

/** Kind of change between two states. */
export function changeBetween(before: FileState, after: FileState): FileChange {
  if (isSameState(before, after)) return sameTime(before, after) ? "none" : "time";
  if (before.kind === "absent") return "created";
  if (after.kind === "absent") return "deleted";
  if (before.kind !== after.kind) return "replaced";
  if (before.kind === "directory") return "mode";
  if (before.kind === "file" && after.kind === "file" && before.hash === after.hash) return "mode";
  return "modified";
}

/** Short description of a state, for the user who resolves a conflict. */
export function describeImage(image: FileState): string {
  switch (image.kind) {
    case "absent":
      return "nothing";
    case "file":
      return `a file of ${image.size} bytes, mode ${image.mode.toString(8)}`;
    case "symlink":
      return `a link to ${image.target}`;
    case "directory":
      return `a directory, mode ${image.mode.toString(8)}`;
    case "special":
      return `a ${image.type}`;
  }
}

/** State from metadata, for anything but a link. A file is identified by its version. */
export function imageOfStat(stat: HostStat): FileState {
  switch (stat.kind) {
    case "file":
      return {
        kind: "file",
        hash: `version:${stat.version}`,
        size: stat.size,
        mode: stat.mode,
        mtimeMs: stat.mtimeMs,
      };
    case "symlink":
      return { kind: "symlink", target: "" };
    case "directory":
      return { kind: "directory", mode: stat.mode };
    case "fifo":
    case "socket":
    case "device":
      return { kind: "special", type: stat.kind };
  }
}
