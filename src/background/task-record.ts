import { joinPath } from "../text/index.ts";
import { ToolError, type CommandTask, type Host } from "../core/index.ts";
import { exitFileOf, exitFolderOf } from "./exit-status-file.ts";
import type { Program } from "./current-process.ts";

/** Format version of a stored task. Records of a newer version are left unchanged. */
const version = 1;

/** Maximum number of records of ended tasks; the oldest are deleted. */
const maxRecords = 200;
const maxRecordBytes = 1_000_000;

/** A stored task, with the data to verify after a restart that its process is still the same. */
export interface TaskRecord {
  readonly task: CommandTask;
  /** Start token of its process; undefined if the system does not report it. */
  readonly token: string | undefined;
  /** Host's identifier for its process tree; undefined if the host has none. */
  readonly tree?: string | undefined;
  /** Process that manages the task. */
  readonly owner: Program;
  /** Workspace of the toolkit that started it; undefined in a record of an earlier version. */
  readonly workspace?: string | undefined;
}

/** Task records, one file each, in a directory of the data directory. */
export class TaskRecords {
  readonly #host: Host;
  readonly #directory: string;
  /** Pending write of each record, so that writes of one record stay in order. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(host: Host, directory: string) {
    this.#host = host;
    this.#directory = directory;
  }

  /** Stores a record. If it cannot be written, it stays in memory only and the task continues. */
  async save(record: TaskRecord): Promise<void> {
    const { id } = record.task;
    const before = this.#writing.get(id) ?? Promise.resolve();
    const writing = this.#write(record, before);
    this.#writing.set(id, writing);
    await writing;
    if (this.#writing.get(id) === writing) this.#writing.delete(id);
  }

  /** Loads the records of earlier processes, oldest first. */
  async load(): Promise<readonly TaskRecord[]> {
    const found: TaskRecord[] = [];
    try {
      for await (const { name } of this.#host.fs.list(this.#directory)) {
        if (!name.endsWith(".json")) continue;
        const record = await this.#read(joinPath(this.#directory, name));
        if (record !== undefined) found.push(record);
      }
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
    return found.toSorted((one, other) => one.task.startedAt - other.task.startedAt);
  }

  /** Deletes the records of the oldest ended tasks. */
  async prune(records: readonly TaskRecord[]): Promise<readonly TaskRecord[]> {
    const over = records.filter(({ task }) => task.status !== "running");
    const old = new Set(over.slice(0, Math.max(0, over.length - maxRecords)));
    for (const { task } of old) {
      for (const file of [this.#file(task.id), exitFileOf(this.#directory, task.id)]) {
        await this.#host.fs.remove(file).catch(() => undefined);
      }
    }
    return records.filter((record) => !old.has(record));
  }

  async #write(record: TaskRecord, before: Promise<void>): Promise<void> {
    await before;
    const bytes = new TextEncoder().encode(`${JSON.stringify({ version, ...record })}\n`);
    try {
      await this.#host.fs.mkdir(exitFolderOf(this.#directory), { mode: 0o700 });
      await this.#host.fs.writeAtomic(this.#file(record.task.id), bytes, { mode: 0o600 });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }

  #file(id: string): string {
    return joinPath(this.#directory, `${id}.json`);
  }

  async #read(file: string): Promise<TaskRecord | undefined> {
    try {
      const { bytes } = await this.#host.fs.readFile(file, { maxBytes: maxRecordBytes });
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return isRecord(value) ? value : undefined;
    } catch (error) {
      if (ToolError.is(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }
}

/** Whether a value is a record. This version wrote it, so only what a damaged file would get wrong is checked. */
function isRecord(value: unknown): value is TaskRecord {
  if (typeof value !== "object" || value === null) return false;
  const given: Partial<Record<"version" | "task" | "owner", unknown>> = value;
  const { task, owner } = given;
  return (
    given.version === version &&
    typeof owner === "object" &&
    owner !== null &&
    "pid" in owner &&
    typeof owner.pid === "number" &&
    typeof task === "object" &&
    task !== null &&
    "id" in task &&
    typeof task.id === "string" &&
    "pid" in task &&
    typeof task.pid === "number" &&
    "startedAt" in task &&
    typeof task.startedAt === "number" &&
    "status" in task &&
    typeof task.status === "string"
  );
}
