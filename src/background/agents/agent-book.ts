import { isRecord, joinPath } from "../../text/index.ts";
import {
  ToolError,
  type AgentEnd,
  type AgentTask,
  type Host,
  type NewEvent,
  type StartedAgent,
  type TaskRead,
  type TaskReader,
  type TaskReading,
} from "../../core/index.ts";
import { isProgramAlive, ownProgram, type Program } from "../current-process.ts";
import { readParts } from "../read-parts.ts";
import type { Whose } from "../task-not-found.ts";

export interface AgentBookOptions {
  readonly host: Host;
  /** Directory of the records of agents. */
  readonly directory: string;
  /** Workspace whose agents are seen: another one may use the same directory. Undefined: those of all. */
  readonly workspace?: string | undefined;
  readonly emit: (event: NewEvent) => void;
  /** Removes from a text what must not be stored. */
  readonly redact: (text: string) => string;
}

/** Format version of a stored agent. Records of a newer version are left unchanged. */
const version = 1;
const maxRecordBytes = 2_000_000;
/** Maximum characters of an agent's text that are stored; the end of a longer one, which has its answer. */
const maxTextChars = 200_000;
/** Maximum number of records of ended agents; the oldest are deleted. */
const maxRecords = 200;
/** Interval in which the progress of running agents is stored for other processes. */
const saveMs = 2000;

interface AgentRecord {
  readonly task: AgentTask;
  readonly text: string;
  /** Process in which the agent runs. */
  readonly owner: Program;
  /** Workspace of its session, where it has one. */
  readonly workspace?: string | undefined;
}

interface Entry {
  record: AgentRecord;
  /** Undefined for an agent of another process, and for one that has ended. */
  live: StartedAgent | undefined;
  /** Resolves when the end is recorded. */
  recorded: Promise<void> | undefined;
  seenBytes: number;
  /** Called when a model has seen the end. */
  readonly onEndShown: StartedAgent["onEndShown"];
}

/** Agents of this process and, from their records, those of the workspace in other processes. */
export class AgentBook {
  readonly #options: AgentBookOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #owner = ownProgram();
  #saving: Promise<void> = Promise.resolve();
  #cancelSave: (() => void) | undefined;
  #isClosed = false;

  constructor(options: AgentBookOptions) {
    this.#options = options;
  }

  add(agent: StartedAgent): void {
    const { id, kind, title, startedAt, trust, callId, runId, sessionId, agentId } = agent;
    const task: AgentTask = {
      id,
      kind,
      status: "running",
      title: this.#options.redact(title),
      startedAt,
      printedBytes: 0,
      seenBytes: 0,
      trust,
      ...(callId === undefined ? {} : { callId }),
      ...(runId === undefined ? {} : { runId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(agentId === undefined ? {} : { agentId }),
    };
    // An agent that is resumed has its id again, and its new work is new to the session.
    const record = { task, text: "", owner: this.#owner, workspace: this.#options.workspace };
    const entry: Entry = {
      record,
      live: agent,
      recorded: undefined,
      seenBytes: 0,
      onEndShown: agent.onEndShown,
    };
    this.#entries.set(id, entry);
    this.#save(record);
    this.#options.emit({ type: "task-start", task: taskOf(entry), sessionId, agentId });
    entry.recorded = this.#recordEnd(entry, agent);
    this.#saveLater();
    if (this.#isClosed) void agent.stop().catch(() => undefined);
  }

  /** Agents, the newest first. */
  async list(whose: Whose): Promise<readonly AgentTask[]> {
    await this.#load();
    return Array.from(this.#entries.values())
      .filter((entry) => this.#isOf(entry, whose))
      .map(taskOf)
      .toSorted((one, other) => other.startedAt - one.startedAt);
  }

  /** The agent with this id, if the session has it. */
  async get(whose: Whose, id: string): Promise<AgentTask | undefined> {
    const entry = await this.#find(whose, id);
    return entry === undefined ? undefined : taskOf(entry);
  }

  /** Resolves when the agent has ended or the time has passed. */
  async wait(
    whose: Whose,
    id: string,
    { ms, signal }: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<void> {
    const entry = await this.#find(whose, id);
    if (entry?.live === undefined) return;
    const over = new AbortController();
    const { clock } = this.#options.host;
    const pause = clock.sleep(ms, { signal: AbortSignal.any([signal, over.signal]) });
    try {
      await Promise.race([entry.recorded, pause]);
    } finally {
      pause.catch(() => undefined);
      over.abort();
    }
  }

  /** Reads the text of an agent; undefined if the session has no such agent. */
  async read(whose: Whose, id: string, read: TaskRead): Promise<TaskReading | undefined> {
    const entry = await this.#find(whose, id);
    if (entry === undefined) return undefined;
    const bytes = new TextEncoder().encode(textOf(entry));
    const recent = {
      end: bytes.length,
      slice: (from: number, to: number) => bytes.slice(from, to),
    };
    // The text of an agent may get shorter: the answer takes the place of what it has said on the way.
    const from = read.from ?? Math.min(entry.seenBytes, bytes.length);
    const reading = await readParts(
      this.#options.host,
      { recent, file: undefined },
      { ...read, from },
    );
    if (whose !== "everybody") entry.seenBytes = Math.max(entry.seenBytes, reading.next);
    if (reading.next >= reading.total) showEnd(entry, read.reader);
    return { task: taskOf(entry), ...reading };
  }

  /** Ends an agent; returns undefined if the session has no such agent. */
  async stop(whose: Whose, id: string, reader?: TaskReader): Promise<AgentTask | undefined> {
    const entry = await this.#find(whose, id);
    if (entry === undefined) return undefined;
    const { live, record } = entry;
    if (live === undefined && record.task.status === "running") {
      throw new ToolError("UNAVAILABLE", `${id} runs in process ${record.owner.pid}.`, {
        hint: "Stop it where it runs, or end that process.",
        data: { taskId: id, pid: record.owner.pid },
      });
    }
    await live?.stop();
    await entry.recorded;
    showEnd(entry, reader);
    return taskOf(entry);
  }

  /** Ends every agent of this process. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelSave?.();
    await Promise.all(
      Array.from(this.#entries.values(), async ({ live, recorded }) => {
        await live?.stop().catch(() => undefined);
        await recorded;
      }),
    );
    await this.#saving;
  }

  async #recordEnd(entry: Entry, agent: StartedAgent): Promise<void> {
    const end = await agent.ended.catch((): AgentEnd => ({ status: "failed" }));
    const text = agent.text();
    const { reason } = end;
    const task: AgentTask = {
      ...entry.record.task,
      ...agent.progress(),
      ...end,
      ...(reason === undefined ? {} : { reason: this.#options.redact(reason) }),
      endedAt: this.#options.host.clock.now(),
      printedBytes: byteCount(text),
    };
    entry.record = { ...entry.record, task, text };
    entry.live = undefined;
    const { sessionId, agentId } = task;
    this.#options.emit({ type: "task-end", task: taskOf(entry), sessionId, agentId });
    this.#save(entry.record);
    await this.#saving;
  }

  /** Stores the progress of running agents from time to time, as long as one runs. */
  #saveLater(): void {
    if (this.#isClosed || this.#cancelSave !== undefined) return;
    const { clock } = this.#options.host;
    const save = (): void => {
      this.#cancelSave = undefined;
      const running = Array.from(this.#entries.values()).filter(({ live }) => live !== undefined);
      for (const entry of running) this.#save({ ...entry.record, task: taskOf(entry) });
      if (running.length > 0) this.#saveLater();
    };
    this.#cancelSave = clock.timer(saveMs, save, { keepsAlive: false });
  }

  /** Stores a record. If it cannot be written, it stays in memory only and the agent continues. */
  #save(record: AgentRecord): void {
    const { redact } = this.#options;
    const text = redact(record.text.slice(-maxTextChars));
    const bytes = new TextEncoder().encode(`${JSON.stringify({ version, ...record, text })}\n`);
    this.#saving = this.#writeAfter(this.#saving, this.#file(record.task.id), bytes);
  }

  async #writeAfter(before: Promise<void>, file: string, bytes: Uint8Array): Promise<void> {
    await before;
    const { host, directory } = this.#options;
    try {
      await host.fs.mkdir(directory, { mode: 0o700 });
      await host.fs.writeAtomic(file, bytes, { mode: 0o600 });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }

  async #find(whose: Whose, id: string): Promise<Entry | undefined> {
    if (this.#entries.get(id)?.live === undefined) await this.#load();
    const entry = this.#entries.get(id);
    return entry !== undefined && this.#isOf(entry, whose) ? entry : undefined;
  }

  #isOf({ record: { task, owner, workspace } }: Entry, whose: Whose): boolean {
    const own = this.#options.workspace;
    if (own !== undefined && workspace !== undefined && workspace !== own) return false;
    if (whose === "everybody") return true;
    if (task.sessionId !== whose.sessionId) return false;
    return whose.sessionId !== undefined || owner.id === this.#owner.id;
  }

  /** Reads the records of other processes; those of this process are newer in memory. */
  async #load(): Promise<void> {
    const { host, directory } = this.#options;
    const found: AgentRecord[] = [];
    try {
      for await (const { name } of host.fs.list(directory)) {
        const record = name.endsWith(".json")
          ? await this.#read(joinPath(directory, name))
          : undefined;
        if (record !== undefined) found.push(record);
      }
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
    await this.#prune(found);
    for (const record of found) {
      const known = this.#entries.get(record.task.id);
      if (known === undefined) {
        this.#entries.set(record.task.id, {
          record,
          live: undefined,
          recorded: undefined,
          seenBytes: 0,
          onEndShown: undefined,
        });
      } else if (known.record.owner.id !== this.#owner.id) known.record = record;
    }
  }

  /** Deletes the records of the oldest ended agents. */
  async #prune(records: readonly AgentRecord[]): Promise<void> {
    const over = records
      .filter(({ task }) => task.status !== "running")
      .toSorted((one, other) => one.task.startedAt - other.task.startedAt);
    for (const { task } of over.slice(0, Math.max(0, over.length - maxRecords))) {
      await this.#options.host.fs.remove(this.#file(task.id)).catch(() => undefined);
    }
  }

  async #read(file: string): Promise<AgentRecord | undefined> {
    try {
      const { bytes } = await this.#options.host.fs.readFile(file, { maxBytes: maxRecordBytes });
      const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (!isAgentRecord(value)) return undefined;
      const { task, owner } = value;
      const isLost = task.status === "running" && !isProgramAlive(owner);
      return isLost ? { ...value, task: { ...task, status: "lost" } } : value;
    } catch (error) {
      if (ToolError.is(error) || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #file(id: string): string {
    return joinPath(this.#options.directory, `${encodeURIComponent(id)}.json`);
  }
}

/** Reports to the layer of the agent that a model has seen its end. */
function showEnd({ live, onEndShown }: Entry, reader: TaskReader | undefined): void {
  if (live === undefined && reader?.runId !== undefined) onEndShown?.(reader);
}

function taskOf({ record: { task, text }, live, seenBytes }: Entry): AgentTask {
  const printed = live === undefined ? text : live.text();
  return { ...task, ...live?.progress(), printedBytes: byteCount(printed), seenBytes };
}

function textOf({ record, live }: Entry): string {
  return live === undefined ? record.text : live.text();
}

function byteCount(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Whether a value is a record. This version wrote it, so only what a damaged file would get wrong is checked. */
function isAgentRecord(value: unknown): value is AgentRecord {
  if (!isRecord(value) || value["version"] !== version) return false;
  const { task, owner, text } = value;
  return (
    typeof text === "string" &&
    isRecord(owner) &&
    typeof owner["pid"] === "number" &&
    isRecord(task) &&
    typeof task["id"] === "string" &&
    typeof task["status"] === "string" &&
    typeof task["title"] === "string" &&
    typeof task["startedAt"] === "number"
  );
}
