import type { Host, PathTurns } from "../../core/index.ts";
import { isNotFound, isRecord } from "../../text/index.ts";
import type { FileHashes } from "./hash-files.ts";

/** Workspace whose trust is read or changed, and where the records are. */
export interface TrustOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Canonical path. */
  readonly workspace: string;
  /** Directory of this system's own records, outside every workspace. */
  readonly dataDirectory: string;
  /** Turns among the processes that change the records. */
  readonly turns?: PathTurns | undefined;
}

/** Configuration that was trusted, and when. */
export interface TrustRecord {
  /** `sha256:` of each file, by `trustName`. */
  readonly files: FileHashes;
  /** Hooks that may block calls, by settings file: calls that they match are asked about once trust has ended. */
  readonly guards?: readonly TrustedGuards[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Hooks before calls, as a trusted settings file has them. */
export interface TrustedGuards {
  readonly file: string;
  /** Value of `PreToolUse`. */
  readonly hooks: unknown;
}

/** Path of the records. */
export function trustRecords({ dataDirectory }: Pick<TrustOptions, "dataDirectory">): string {
  return `${dataDirectory}/trust.json`;
}

/** Record of the workspace; undefined where the user did not trust it. */
export async function trustRecord(
  options: Pick<TrustOptions, "workspace" | "dataDirectory"> & { readonly host: Pick<Host, "fs"> },
): Promise<TrustRecord | undefined> {
  const { fs } = options.host;
  try {
    const { bytes } = await fs.readFile(trustRecords(options));
    return recordsIn(new TextDecoder().decode(bytes)).get(options.workspace);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Records in the content of their file, by workspace. An invalid record counts as not trusted. */
export function recordsIn(text: string): ReadonlyMap<string, TrustRecord> {
  const records = new Map<string, TrustRecord>();
  for (const [workspace, record] of Object.entries(workspacesIn(text))) {
    const read = readRecord(record);
    if (read !== undefined) records.set(workspace, read);
  }
  return records;
}

/** The records as they are written. */
export function writtenRecords(
  records: ReadonlyMap<string, TrustRecord>,
): ReadonlyMap<string, unknown> {
  return new Map(
    [...records].map(([workspace, record]) => [
      workspace,
      { ...record, files: Object.fromEntries(record.files) },
    ]),
  );
}

function workspacesIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || value["version"] !== 1) return {};
    return isRecord(value["workspaces"]) ? value["workspaces"] : {};
  } catch {
    return {};
  }
}

function readRecord(value: unknown): TrustRecord | undefined {
  if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["files"])) {
    return undefined;
  }
  const files = new Map<string, string>();
  for (const [name, hash] of Object.entries(value["files"])) {
    if (typeof hash !== "string") return undefined;
    files.set(name, hash);
  }
  const guards: readonly unknown[] = Array.isArray(value["guards"]) ? value["guards"] : [];
  const read = guards.flatMap((each) => {
    if (!isRecord(each) || typeof each["file"] !== "string") return [];
    return [{ file: each["file"], hooks: each["hooks"] }];
  });
  return { files, at: value["at"], ...(read.length === 0 ? {} : { guards: read }) };
}
