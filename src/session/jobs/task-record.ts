import { joinPath, ToolError, type Host, type Task } from "../../core/index.ts";
import { exitFileOf, exitFolderOf } from "./exit-file.ts";
import type { Program } from "./own-program.ts";

/** The format of a stored task. Records of a newer one are left alone. */
const version = 1;

/** Records kept of tasks that are over; the oldest make room. */
const maxRecords = 200;
const maxRecordBytes = 1_000_000;

/** A task as it is kept: with what tells, after a restart, whether its process is still the same. */
export interface TaskRecord {
  readonly task: Task;
  /** The start of its process, undefined where the system does not tell. */
  readonly token: string | undefined;
  /** Its process and all that started, by the host's name for them; undefined where the host has none. */
  readonly tree?: string | undefined;
  /** The program that looks after it. */
  readonly owner: Program;
}

/** Records as files, one each, in a folder of the data directory. */
export class TaskRecords {
  readonly #host: Host;
  readonly #directory: string;
  /** Writes of one record in their order. */
  readonly #writing = new Map<string, Promise<void>>();

  constructor(host: Host, directory: string) {
    this.#host = host;
    this.#directory = directory;
  }

  /** A record that cannot be written is kept in memory alone; the task goes on all the same. */
  async save(record: TaskRecord): Promise<void> {
    const { id } = record.task;
    const before = this.#writing.get(id) ?? Promise.resolve();
    const writing = this.#write(record, before);
    this.#writing.set(id, writing);
    await writing;
    if (this.#writing.get(id) === writing) this.#writing.delete(id);
  }

  /** What earlier programs left, oldest first. */
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

  /** Forgets the oldest of those that are over. */
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

/** Written by this version, so that what is looked at is only what a damaged file would get wrong. */
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
