import {
  ToolError,
  type ArtifactStream,
  type Host,
  type AdoptedProcess,
  type CommandTask,
  type NewEvent,
  type RunWork,
  type TaskRead,
  type TaskReading,
} from "../core/index.ts";
import { LiveTask, type EndReason, type OutputFilter, type StopPatience } from "./running-task.ts";
import { startWaiting } from "./exit-status-file.ts";
import { presentRecord, stopOrphan } from "./recovered-task.ts";
import { isReadingInput, startToken } from "./process-facts.ts";
import { isProgramAlive, ownProgram } from "./current-process.ts";
import { fileSize, readParts, type OutputSource } from "./read-parts.ts";
import { TaskRecords, type TaskRecord } from "./task-record.ts";
import { taskNotFound, type Whose } from "./task-not-found.ts";

export interface JobBookOptions {
  readonly host: Host;
  /** Directory of the task records. */
  readonly directory: string;
  /** Workspace whose sessions see the tasks; undefined: those of all. */
  readonly workspace?: string | undefined;
  /** Whether prepared commands start with a line, and store their exit codes. */
  readonly storesExits: boolean;
  /** Opens the file for the full output of a task. */
  readonly openOutput: (taskId: string, sessionId: string | undefined) => ArtifactStream;
  readonly emit: (event: NewEvent) => void;
  readonly work?: RunWork | undefined;
  /** Removes from a text what must not be stored. */
  readonly redact: (text: string) => string;
  /** Creates a filter that does the same for a text that arrives in chunks. */
  readonly newFilter?: (() => OutputFilter) | undefined;
  /** Time that ending a task may take. */
  readonly patience: StopPatience;
}

/**
 * Silence, in milliseconds, before a program is checked for waiting on input: one that reads now may print in a moment.
 */
const silentMs = 300;
/** Maximum number of ended tasks whose output stays in memory; that of older ones is read from the file. */
const maxHeld = 16;
/** Maximum number of ended tasks in the list; the oldest are forgotten. */
const maxEnded = 1000;
/** Interval between two checks of whether a program waits for input. */
const lookMs = 500;

interface Entry {
  record: TaskRecord;
  /** Undefined for a task of another process, and for one that ended a while ago. */
  live: LiveTask | undefined;
  /** Resolves when the end of the task is recorded. */
  recorded: Promise<void> | undefined;
  seenBytes: number;
  /** Whether the task had already ended when this list was loaded. */
  readonly wasOver: boolean;
  /** Whether a call of the session has shown that the task ended. */
  isEndShown: boolean;
}

/** All tasks of one data directory, of this process and of earlier ones. */
export class JobBook {
  readonly #options: JobBookOptions;
  readonly #records: TaskRecords;
  readonly #entries = new Map<string, Entry>();
  readonly #owner = ownProgram();
  #loading: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: JobBookOptions) {
    this.#options = options;
    this.#records = new TaskRecords(options.host, options.directory);
  }

  async adopt(
    sessionId: string | undefined,
    left: AdoptedProcess,
    id: string,
  ): Promise<CommandTask> {
    const { host, workspace, openOutput, redact, newFilter, emit, patience } = this.#options;
    const stream = left.taken?.stream ?? openOutput(id, sessionId);
    const live = new LiveTask(host, left, { stream, patience, filter: newFilter?.() });
    const { title, cwd, pid, startedAt, takesInput, trust, callId, agentId, runId } = left;
    const task: CommandTask = {
      id,
      kind: "command",
      status: "running",
      title: redact(title),
      cwd,
      pid,
      startedAt,
      takesInput,
      trust,
      callId,
      outputFile: live.outputFile,
      printedBytes: 0,
      seenBytes: 0,
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
      ...(runId === undefined ? {} : { runId }),
    };
    const started = (await host.proc.list()).find((each) => each.id === left.processId);
    const token = await startToken(host, pid);
    const record = { task, token, tree: started?.tree, owner: this.#owner, workspace };
    const seenBytes = left.taken === undefined ? 0 : live.output.end;
    const entry: Entry = {
      record,
      live,
      recorded: undefined,
      seenBytes,
      wasOver: false,
      isEndShown: false,
    };
    this.#entries.set(id, entry);
    const endWork = this.#startWork(entry);
    await this.#records.save(record);
    emit({ type: "task-start", task: taskOf(entry), sessionId, agentId, runId });
    entry.recorded = this.#recordEnd(entry, live, endWork);
    if (this.#isClosed) await live.stop("session-end");
    // From here on the command runs: if this process is killed, the next one finds its record.
    else if (left.taskId !== undefined && this.#options.storesExits)
      await startWaiting(host, left.processId);
    return taskOf(entry);
  }

  /** Tasks, the newest first. */
  async list(whose: Whose): Promise<readonly CommandTask[]> {
    await this.#loaded(whose);
    const mine = Array.from(this.#entries.values()).filter((entry) => this.#isOf(entry, whose));
    const tasks = await Promise.all(mine.map(async (entry) => await this.#shown(whose, entry)));
    return tasks.toReversed();
  }

  async get(whose: Whose, id: string): Promise<CommandTask> {
    return await this.#shown(whose, await this.#find(whose, id));
  }

  async isWaiting(whose: Whose, id: string): Promise<boolean> {
    const { record, live } = await this.#find(whose, id);
    if (live === undefined || live.isOver || !record.task.takesInput) return false;
    if (live.silentMs < silentMs) return false;
    return await isReadingInput(this.#options.host, record.task.pid);
  }

  async wait(
    whose: Whose,
    id: string,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<CommandTask> {
    const { clock } = this.#options.host;
    const until = clock.now() + ms;
    for (;;) {
      const entry = await this.#find(whose, id);
      const task = await this.#shown(whose, entry);
      const left = until - clock.now();
      if (task.status !== "running" || left <= 0) return task;
      if (await this.isWaiting(whose, id)) return task;
      await this.#pause(entry, Math.min(left, lookMs), signal);
    }
  }

  async read(whose: Whose, id: string, read: TaskRead): Promise<TaskReading> {
    const entry = await this.#find(whose, id);
    const { host } = this.#options;
    const { outputFile } = entry.record.task;
    const source: OutputSource = { recent: entry.live?.output, file: outputFile };
    const from = read.from ?? entry.seenBytes;
    const reading = await readParts(host, source, { ...read, from });
    // Output that the user reads is still new to the session.
    const isNews =
      whose !== "everybody" && (read.from === undefined || reading.next > entry.seenBytes);
    if (isNews) entry.seenBytes = reading.next;
    return { task: await this.#shown(whose, entry), ...reading };
  }

  async write(whose: Whose, id: string, bytes: Uint8Array | "eof"): Promise<void> {
    const { live, record } = await this.#find(whose, id);
    const { status, takesInput } = record.task;
    if (live === undefined || status !== "running" || !takesInput) {
      const why = status === "running" ? "was started without an input" : "is not running any more";
      throw new ToolError("INVALID_INPUT", `Task ${id} ${why}.`, {
        hint:
          status === "running"
            ? "Start the command with run_in_background to be able to answer it."
            : "Start it again.",
        data: { taskId: id, status },
      });
    }
    await live.write(bytes);
  }

  async stop(whose: Whose, id: string): Promise<CommandTask> {
    const entry = await this.#find(whose, id);
    if (entry.live !== undefined) await this.#stopLive(entry, "stop");
    else if ((await this.#current(entry)).status === "running") {
      await stopOrphan(this.#options.host, entry.record, this.#options.patience);
      await this.#refresh(entry, "stop");
    }
    return await this.#shown(whose, entry);
  }

  /** Ends every task that this process manages. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      Array.from(this.#entries.values(), async (entry) => {
        if (entry.live?.isOver === false) await this.#stopLive(entry, "session-end");
      }),
    );
  }

  /** Waits until the task ends or the time has passed. */
  async #pause({ live }: Entry, ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const signals = AbortSignal.any([signal, over.signal]);
    const pause = this.#options.host.clock.sleep(ms, { signal: signals });
    try {
      await (live === undefined ? pause : Promise.race([live.ended, pause]));
    } finally {
      pause.catch(() => undefined);
      over.abort();
    }
  }

  async #stopLive(entry: Entry, reason: EndReason): Promise<void> {
    const { live, recorded } = entry;
    if (live === undefined || live.isOver) return;
    await live.stop(reason);
    if (live.isOver) await recorded;
  }

  /** Adds the task to the work of its run; the returned function reports its end there. */
  #startWork(entry: Entry): () => void {
    const { id, kind, title, runId } = entry.record.task;
    const end =
      runId === undefined ? undefined : this.#options.work?.start(runId, { id, kind, title });
    return () => {
      const { task } = entry.record;
      end?.(
        task.endedBy === "session-end"
          ? undefined
          : { message: endMessage(task), isKnown: () => entry.isEndShown },
      );
    };
  }

  async #recordEnd(entry: Entry, live: LiveTask, endWork: () => void): Promise<void> {
    const { exit, endedBy } = await live.ended;
    const ended: CommandTask = {
      ...entry.record.task,
      status: exit === undefined ? "lost" : "ended",
      endedAt: this.#options.host.clock.now(),
      ...(exit === undefined ? {} : { exitCode: exit.code, signal: exit.signal }),
      ...(endedBy === undefined ? {} : { endedBy }),
      printedBytes: live.output.end,
    };
    entry.record = { ...entry.record, task: ended };
    const { sessionId, agentId, runId } = ended;
    this.#options.emit({ type: "task-end", task: taskOf(entry), sessionId, agentId, runId });
    await this.#records.save(entry.record);
    endWork();
    this.#forgetEnded();
  }

  /** Limits the memory that a long-running process uses for ended tasks. */
  #forgetEnded(): void {
    const over = Array.from(this.#entries).filter(
      ([, { record, live }]) => record.task.status !== "running" && live?.isOver !== false,
    );
    const held = over.filter(([, { live }]) => live !== undefined);
    for (const [, entry] of held.slice(0, Math.max(0, held.length - maxHeld))) {
      entry.live = undefined;
      entry.recorded = undefined;
    }
    for (const [id] of over.slice(0, Math.max(0, over.length - maxEnded))) this.#entries.delete(id);
  }

  /** Current state of a task, noting that the session learns it. */
  async #shown(whose: Whose, entry: Entry): Promise<CommandTask> {
    const task = await this.#current(entry);
    if (whose !== "everybody" && task.status !== "running") entry.isEndShown = true;
    return task;
  }

  async #current(entry: Entry): Promise<CommandTask> {
    if (entry.live === undefined) await this.#refresh(entry);
    return taskOf(entry);
  }

  async #refresh(entry: Entry, endedBy?: "stop"): Promise<void> {
    const { host, directory } = this.#options;
    const { record } = entry;
    if (record.task.status !== "running") return;
    const printedBytes = await fileSize(host, record.task.outputFile);
    const looked = await presentRecord(host, directory, record);
    const { task } = looked;
    // A task that was stopped has ended, even if no exit code was recorded.
    const isStopped = endedBy !== undefined && task.status !== "running";
    const end = isStopped ? { status: "ended" as const, endedBy, endedAt: host.clock.now() } : {};
    entry.record = { ...looked, task: { ...task, ...end, printedBytes } };
    // If the task's own process is alive, it records the end itself and knows more about it.
    const isOver = entry.record.task.status !== "running";
    if (isOver && !isProgramAlive(record.owner)) await this.#records.save(entry.record);
  }

  async #find(whose: Whose, id: string): Promise<Entry> {
    await this.#loaded(whose);
    const entry = this.#entries.get(id);
    if (entry !== undefined && this.#isOf(entry, whose)) return entry;
    const known = (await this.list(whose)).map((task) => task.id);
    throw taskNotFound(id, known, whose);
  }

  /**
   * Whether a task belongs to the session; to everybody belong those of this workspace. A caller without a session owns
   * the tasks that this list started and those whose process is gone, but none that had ended before this list was
   * loaded.
   */
  #isOf({ record: { task, owner, workspace }, wasOver }: Entry, whose: Whose): boolean {
    const own = this.#options.workspace;
    if (own !== undefined && workspace !== undefined && workspace !== own) return false;
    if (whose === "everybody") return true;
    if (task.sessionId !== whose.sessionId) return false;
    if (whose.sessionId !== undefined || owner.id === this.#owner.id) return true;
    return !wasOver && !isProgramAlive(owner);
  }

  /**
   * Loads the records. A session knows its own tasks; the list for the user also shows those that other processes have
   * started since.
   */
  async #loaded(whose: Whose): Promise<void> {
    if (whose === "everybody") this.#loading = this.#load();
    await (this.#loading ??= this.#load());
  }

  async #load(): Promise<void> {
    const found = await this.#records.prune(await this.#records.load());
    for (const record of found) {
      const known = this.#entries.get(record.task.id);
      if (known === undefined) this.#entries.set(record.task.id, entryOf(record));
      else if (known.live === undefined && known.record.task.status === "running") {
        known.record = record;
      }
    }
    const sorted = Array.from(this.#entries).toSorted(
      ([, { record: one }], [, { record: other }]) => one.task.startedAt - other.task.startedAt,
    );
    this.#entries.clear();
    for (const [id, entry] of sorted) this.#entries.set(id, entry);
  }
}

function entryOf(record: TaskRecord): Entry {
  const wasOver = record.task.status !== "running";
  return {
    record,
    live: undefined,
    recorded: undefined,
    seenBytes: 0,
    wasOver,
    isEndShown: wasOver,
  };
}

function taskOf({ record, live, seenBytes }: Entry): CommandTask {
  const printedBytes = live?.output.end ?? record.task.printedBytes;
  return { ...record.task, printedBytes, seenBytes };
}

/** Maximum characters of a command in the message about its end. */
const namedChars = 120;

/** Sentence for the model about the end of a task. */
function endMessage({ id, title, status, exitCode, signal, endedBy }: CommandTask): string {
  const line = title.replaceAll(/\s+/gu, " ");
  const named = line.length > namedChars ? `${line.slice(0, namedChars - 1)}…` : line;
  const about = `The background command ${id} (${named})`;
  const next = "Read its output with TaskOutput.";
  if (endedBy !== undefined) return `${about} ${endReasons[endedBy]}. ${next}`;
  if (status === "lost") return `${about} is gone; its exit code is unknown. ${next}`;
  const how = typeof exitCode === "number" ? `exit code ${exitCode}` : `signal ${signal ?? ""}`;
  return `${about} ended with ${how}. ${next}`;
}

const endReasons = {
  stop: "was stopped",
  "session-end": "ended with its session",
  "output-limit": "was stopped because it printed too much output",
  timeout: "was stopped because its time was up",
} as const satisfies Record<NonNullable<CommandTask["endedBy"]>, string>;
