import { readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { ToolError } from "../../core/index.ts";

/** Messages of failures that may be over the next time: a program can cause most of them on purpose. */
const transientTexts: readonly (readonly [errno: string, text: RegExp])[] = [
  ["ENOSPC", /No space left on device/iu],
  ["EDQUOT", /Disk quota exceeded/iu],
  ["EMFILE", /Too many open files(?! in system)/iu],
  ["ENFILE", /Too many open files in system/iu],
  ["ENOMEM", /Cannot allocate memory|Out of memory/iu],
  ["EAGAIN", /Resource temporarily unavailable|cannot fork/iu],
  ["EIO", /Input\/output error/iu],
  ["EROFS", /Read-only file system/iu],
];
const transientNames = new Set(transientTexts.map(([errno]) => errno));

/** Messages of facts that no program of a call changes: what the kernel, its settings or a file system support. */
const lackTexts =
  /Operation not permitted|Permission denied|must be superuser|No permissions to creat|Invalid argument|wrong fs type, bad option|unknown filesystem type|No such device|Function not implemented|not supported|unknown option|unrecognized option/iu;

/** Limits of the kernel; 0 switches the namespaces off. */
const namespaceLimits = ["user", "mnt", "pid", "net", "ipc", "uts", "cgroup"];

/** Returns the name of the transient failure that a message or an error reports; undefined if it reports none. */
export function transientErrno(failure: unknown): string | undefined {
  if (typeof failure === "string") {
    if (/namespace|unshare/iu.test(failure) && hasNoNamespaces()) return undefined;
    const name = /\bE[A-Z]{2,9}\b/gu[Symbol.match](failure)?.find((one) => transientNames.has(one));
    return name ?? transientTexts.find(([, text]) => text.test(failure))?.[0];
  }
  const code = codeOf(failure);
  if (code === "NO_SPACE") return "ENOSPC";
  if (code !== undefined && transientNames.has(code)) return code;
  return failure instanceof Error ? transientErrno(reasonOf(failure)) : undefined;
}

/** Whether a message names a lack that lasts, such as a system call that the kernel does not permit. */
export function namesLack(text: string): boolean {
  if (/namespace|unshare/iu.test(text) && hasNoNamespaces()) return true;
  return transientErrno(text) === undefined && lackTexts.test(text);
}

function hasNoNamespaces(): boolean {
  return namespaceLimits.some((name) => {
    try {
      return readFileSync(`/proc/sys/user/max_${name}_namespaces`, "utf8").trim() === "0";
    } catch {
      return false;
    }
  });
}

/** Bytes and files below which a failure says nothing about what a file system supports. */
const room = { bytes: 1 << 20, files: 64 };

/**
 * Whether the file system of a directory has space. Without it, overlayfs and others report failures that read like a
 * lack of support.
 */
export async function hasRoom(directory: string): Promise<boolean> {
  const { blocks, bavail, bfree, bsize, files, ffree } = await statfs(directory);
  const free = process.getuid?.() === 0 ? bfree : bavail;
  // Some file systems count nothing.
  return (blocks === 0 || free * bsize >= room.bytes) && (files === 0 || ffree >= room.files);
}

/** Returns the code of an error, such as `ENOSPC`. */
export function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Thing that could not be prepared, and the directory it needs. */
export interface Preparation {
  /** Noun with its article, such as `the overlay`. */
  readonly what: string;
  readonly directory: string;
}

/**
 * Returns the error of a command that was not started, because what protects the user's files could not be prepared
 * this time. The next call tries again.
 */
export function transientError(cause: unknown, { what, directory }: Preparation): ToolError {
  const errno = transientErrno(cause) ?? codeOf(cause);
  const data = { path: directory };
  if (errno === "ENOSPC" || errno === "EDQUOT") {
    return new ToolError(
      "NO_SPACE",
      `There is no space left in ${directory} for ${what} of the command, so it was not started.`,
      {
        hint: "Free some space, then run it again; rm with the names of files still runs.",
        data,
        cause,
      },
    );
  }
  if (["EMFILE", "ENFILE", "ENOMEM", "EAGAIN"].includes(errno ?? "")) {
    return new ToolError(
      "UNAVAILABLE",
      `The system has too few files, processes or memory left for ${what} of the command (${errno}), so it was not started.`,
      { hint: "End programs that run in the background, then run it again.", cause },
    );
  }
  if (["EACCES", "EPERM", "EROFS"].includes(errno ?? "")) {
    return new ToolError(
      "ACCESS_DENIED",
      `haft may not write in ${directory} (${errno}), where it prepares ${what} of a command, so the command was not started.`,
      { hint: "Ask the user to make that directory writable.", data, cause },
    );
  }
  const subject = what.charAt(0).toUpperCase() + what.slice(1);
  return new ToolError(
    "UNAVAILABLE",
    `${subject} of the command could not be prepared, so it was not started: ${reasonOf(cause)}`,
    {
      hint:
        what === "the overlay"
          ? 'Run it again. If it keeps failing, haft doctor says more, and the user can set sandbox.overlay to "off".'
          : "Run it again; haft doctor says more if it keeps failing.",
      cause,
    },
  );
}

/** Returns the message of an error, with its hint. */
export function reasonOf(error: unknown): string {
  if (ToolError.is(error)) {
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  }
  return error instanceof Error ? error.message : String(error);
}
