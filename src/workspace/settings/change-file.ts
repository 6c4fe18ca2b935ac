import { ToolError, type Host, type PathTurns } from "../../core/index.ts";
import { isNotFound, parentPath } from "../../text/index.ts";

export interface ChangedFile<T> {
  readonly path: string;
  /** Permissions of a new file; by default those that the system gives. */
  readonly mode?: number;
  /** Permissions of a new directory. */
  readonly directoryMode?: number;
  /** Computes the change from the present content and its hash; both are undefined for a file that does not exist. */
  readonly change: (
    text: string | undefined,
    hash: string | undefined,
  ) => FileChange<T> | Promise<FileChange<T>>;
}

export interface FileChange<T> {
  /** New content; undefined if nothing changes. */
  readonly text: string | undefined;
  readonly result: T;
}

/** Attempts to change a file: each lost one means that another process has stored its change. */
const maxAttempts = 10;

const isRace: ReadonlySet<string> = new Set(["STALE_READ", "ALREADY_EXISTS"]);

/**
 * Changes a file and returns the result of the change, with the hash of the content that was written, if any. The change
 * is computed again if another process wrote the file meanwhile.
 */
export async function changeFile<T>(
  { path, mode, directoryMode, change }: ChangedFile<T>,
  { fs }: Pick<Host, "fs">,
): Promise<{ readonly result: T; readonly hash: string | undefined }> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await fs.readFile(path).catch((error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
    const { text, result } = await change(
      before && new TextDecoder().decode(before.bytes),
      before?.hash,
    );
    if (text === undefined) return { result, hash: undefined };
    await fs.mkdir(parentPath(path), directoryMode === undefined ? {} : { mode: directoryMode });
    try {
      const { hash } = await fs.writeAtomic(path, new TextEncoder().encode(text), {
        ifMatch: before?.hash ?? null,
        ...(mode === undefined ? {} : { mode }),
      });
      return { result, hash };
    } catch (error) {
      if (!ToolError.is(error) || !isRace.has(error.code) || attempt === maxAttempts) throw error;
    }
  }
}

type MaybePromise<T> = T | Promise<T>;

/** Access to files of records that several processes change. */
export interface RecordsOptions {
  readonly host: Pick<Host, "fs">;
  /** Turns among the processes of this user; undefined where no other process has the file. */
  readonly turns?: PathTurns | undefined;
}

/**
 * Changes a file of records by workspace, which only the user reads. `change` returns all records, or undefined if
 * nothing changes. Processes take turns: between a comparison with the present content and the write there is a moment
 * in which another process could write, and what it recorded, such as the end of trust, would be lost.
 */
export async function changeRecords(
  path: string,
  change: (text: string | undefined) => MaybePromise<ReadonlyMap<string, unknown> | undefined>,
  { host, turns }: RecordsOptions,
): Promise<void> {
  const permissions = { mode: 0o600, directoryMode: 0o700 };
  const changed = async (before: string | undefined): Promise<FileChange<undefined>> => {
    const records = await change(before);
    const value = records && { version: 1, workspaces: Object.fromEntries(records) };
    const text = value && `${JSON.stringify(value, undefined, 2)}\n`;
    return { text, result: undefined };
  };
  const turn = await turns?.take([path], { by: crypto.randomUUID(), what: "a record" });
  try {
    await changeFile({ path, ...permissions, change: changed }, host);
  } finally {
    turn?.release();
  }
}
