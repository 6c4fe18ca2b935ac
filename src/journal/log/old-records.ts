import { baseName, isNotFound, joinPath } from "../../text/index.ts";
import { ToolError, type HostFs } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";
import { parse } from "./log-line.ts";
import type { CallRecord, JournalRecord, UndoRecord } from "../records.ts";

/** Record in the form of version 1: one numbered file each, and calls referenced by number. */
type OldRecord =
  | (Omit<CallRecord, "id"> & { readonly version: 1 })
  | (Omit<UndoRecord, "id" | "calls"> & { readonly version: 1; readonly calls: readonly number[] });

const decoder = new TextDecoder();

/** Records of a version 1 journal in the present form, oldest first. */
export async function readOldRecords(
  fs: HostFs,
  directory: string,
): Promise<readonly JournalRecord[]> {
  const names: string[] = [];
  try {
    for await (const { name } of fs.list(directory)) {
      if (/^\d{10}\.(?:call|undo)\.json$/u.test(name)) names.push(name);
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const found = await inBatches(names.toSorted(), (name) => current(fs, joinPath(directory, name)));
  return found.flatMap((record) => (record === undefined ? [] : [renamed(record)]));
}

function renamed({ version: _version, ...record }: OldRecord): JournalRecord {
  const id = idOf(record.seq);
  if (record.kind === "call") return { ...record, id };
  return { ...record, id, calls: record.calls.map(idOf) };
}

function idOf(seq: number): string {
  return `v1.${seq}`;
}

/** Record of a file. For an open call, the note about its end replaces the record. */
async function current(fs: HostFs, path: string): Promise<OldRecord | undefined> {
  const text = await textOf(fs, path);
  if (text === undefined) return undefined;
  const record = parse(text);
  if (!isOldRecord(record)) throw unreadable(path);
  if (record.kind !== "call" || record.state !== "open") return record;
  const notePath = path.replace(/\.call\.json$/u, ".done.json");
  const note = parse((await textOf(fs, notePath)) ?? "");
  return isOldRecord(note) && note.seq === record.seq ? note : record;
}

async function textOf(fs: HostFs, path: string): Promise<string | undefined> {
  try {
    return decoder.decode((await fs.readFile(path)).bytes);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Records were always written completely, so kind and version determine the rest. */
function isOldRecord(value: unknown): value is OldRecord {
  if (typeof value !== "object" || value === null) return false;
  if (!("version" in value) || value.version !== 1) return false;
  if (!("kind" in value && "seq" in value && typeof value.seq === "number")) return false;
  if (value.kind === "call") return "paths" in value && Array.isArray(value.paths);
  return value.kind === "undo" && "steps" in value && Array.isArray(value.steps);
}

function unreadable(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `The journal's record ${baseName(path)} cannot be read.`, {
    hint: "A newer version may have written it: update, or move the record away to use the rest.",
    data: { path },
    retryable: false,
  });
}
