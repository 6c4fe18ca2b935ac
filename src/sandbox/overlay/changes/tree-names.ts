import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync, type BigIntStats } from "node:fs";

export type NameKind = "file" | "directory" | "link" | "other";

export interface TreeNames {
  readonly names: ReadonlyMap<string, NameKind>;
  /** Names that are not valid text, in a printable form: no path can address them. */
  readonly unreadable: readonly string[];
}

/** Lists the entries of a directory. */
export function namesIn(directory: string): TreeNames {
  const entries = readdirSync(directory, { encoding: "buffer", withFileTypes: true });
  const names = new Map<string, NameKind>();
  const unreadable: string[] = [];
  for (const entry of entries) {
    if (isUtf8(entry.name)) {
      const isKnown = entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
      const kind = entry.isDirectory() ? "directory" : entry.isFile() ? "file" : "link";
      names.set(entry.name.toString("utf8"), isKnown ? kind : "other");
    } else unreadable.push(shown(entry.name));
  }
  return { names, unreadable };
}

/**
 * Returns the metadata of a path without following links; undefined if nothing exists there. Throws if access is
 * denied.
 */
export function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}

/** Whether a step failed because of permission bits. */
export function isForbidden(error: unknown): boolean {
  return hasCode(error, "EACCES") || hasCode(error, "EPERM");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function shown(name: Buffer): string {
  return [...name]
    .map((byte) =>
      byte < 0x80 ? String.fromCodePoint(byte) : `\\x${byte.toString(16).padStart(2, "0")}`,
    )
    .join("");
}
