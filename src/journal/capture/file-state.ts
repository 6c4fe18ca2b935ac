import type { HostStat } from "../../core/index.ts";

/** What stood at a path: enough to know it again and, with the content its hash names, to put it back. */
export type Image =
  | { readonly kind: "absent" }
  /** `hash` names the content, or, for a file too large to read, the version it was seen in. */
  | {
      readonly kind: "file";
      readonly hash: string;
      readonly size: number;
      readonly mode: number;
      /** Left out in records of older versions. */
      readonly mtimeMs?: number;
      /** Of a file that had several names: what they have in common. */
      readonly node?: string;
    }
  | { readonly kind: "symlink"; readonly target: string }
  | { readonly kind: "directory"; readonly mode: number }
  /** Nothing a journal can put back. */
  | { readonly kind: "special"; readonly type: "fifo" | "socket" | "device" };

export const absent: Image = Object.freeze({ kind: "absent" });

/** Whether a file's hash is that of its content. */
export function isContentHash(hash: string): boolean {
  return hash.startsWith("sha256:");
}

/** The size of a content that can be kept, 0 for everything else. */
export function contentSize(image: Image | undefined): number {
  return image?.kind === "file" && isContentHash(image.hash) ? image.size : 0;
}

/** Whether bytes of it that are no text are lost in its image: what was made by that would be something else. */
export function isInexact(image: Image): boolean {
  return image.kind === "symlink" && image.target.includes("\uFFFD");
}

/** Whether nothing a person could see differs. Times do not count. */
export function sameImage(a: Image, b: Image): boolean {
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

/** Whether both were last modified at the same time, as far as that is known. Only that of files matters. */
export function sameTime(a: Image, b: Image): boolean {
  if (a.kind !== "file" || b.kind !== "file") return true;
  return a.mtimeMs === undefined || b.mtimeMs === undefined || a.mtimeMs === b.mtimeMs;
}

export type Change = "created" | "modified" | "deleted" | "mode" | "time" | "replaced" | "none";

/** What happened to a path between two images, in one word. */
export function changeBetween(before: Image, after: Image): Change {
  if (sameImage(before, after)) return sameTime(before, after) ? "none" : "time";
  if (before.kind === "absent") return "created";
  if (after.kind === "absent") return "deleted";
  if (before.kind !== after.kind) return "replaced";
  if (before.kind === "directory") return "mode";
  if (before.kind === "file" && after.kind === "file" && before.hash === after.hash) return "mode";
  return "modified";
}

/** An image in a few words, for a person who decides between three of them. */
export function describeImage(image: Image): string {
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

/** The image of anything but a link, a file being known by its version. */
export function imageOfStat(stat: HostStat): Image {
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
