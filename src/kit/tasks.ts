import { joinPath } from "../text/index.ts";
import {
  ToolError,
  type ArtifactStore,
  type Host,
  type Limits,
  type NewEvent,
  type Redaction,
  type RunningTask,
  type RunWork,
  type Task,
} from "../core/index.ts";
import { directoryOn, isApart } from "../host/index.ts";
import { storedTasks, type StoredTasks } from "../background/index.ts";
import { workingDirectories, type WorkingDirectories } from "../session/index.ts";
import { checkReadTask, checkTaskId } from "./options/check-arguments.ts";
import type { BackgroundOption, ReadTaskOptions } from "./options/options.ts";
import type { Place } from "./workspace-context.ts";

/** Tasks of every session of the workspace, for the user. */
export interface KitTasks {
  /** Lists the tasks: commands, agents and delegations, newest first, then todos. */
  list(): Promise<readonly Task[]>;
  /**
   * Reads the output of a command, or what an agent has said; the session's own read position does not change. Rejects
   * with INVALID_INPUT for a todo.
   */
  read(id: string, options?: ReadTaskOptions): Promise<TaskText>;
  /**
   * Ends a command with every process it started, even if another process started it; ends an agent of this process;
   * cancels a todo. Rejects with NOT_FOUND for an unknown id, with UNAVAILABLE for an agent of another process.
   */
  stop(id: string): Promise<Task>;
}

/** Part of the output of a task. */
export interface TaskText {
  /** The task as it is now. */
  readonly task: RunningTask;
  /** Output as text. */
  readonly text: string;
  /** Byte to continue from; equals `total` if nothing follows yet. */
  readonly next: number;
  /** Bytes of output so far. */
  readonly total: number;
}

export interface BesideOptions {
  readonly place: Place;
  /** Workspace of the toolkit: that of its place may be a checkout of an agent, which has the tasks of its caller. */
  readonly tasksOf: string;
  readonly background: BackgroundOption;
  readonly redactSecrets: boolean;
  readonly emit: (event: NewEvent) => void;
  readonly work: RunWork;
  readonly storeOf: (sessionId: string | undefined) => ArtifactStore;
  readonly limits: Limits["bash"];
}

/** Services that run in the background of the calls on one host. */
export interface BackgroundServices {
  readonly tasks: StoredTasks;
  readonly directories: WorkingDirectories;
  readonly redaction: Redaction;
  close(): Promise<void>;
}

/** Directories of the task records: those of the host, and those of all hosts. */
export function tasksDirectories(
  host: Host,
  dataDirectory: string,
): { readonly own: string; readonly others: readonly string[] } {
  const all = joinPath(dataDirectory, "tasks");
  return { own: directoryOn(host, all), others: [all] };
}

export function backgroundServices(host: Host, options: BesideOptions): BackgroundServices {
  const { place, tasksOf, background, redactSecrets, emit, work, storeOf } = options;
  const { dataDirectory, workspace } = place;
  const programDirectory = place.programDirectoryOn(host);
  let redact: ReturnType<Redaction["load"]> | undefined;
  const loadRedact: Redaction["load"] = async () => await (redact ??= redaction(redactSecrets));
  const tasks = storedTasks({
    host,
    directory: tasksDirectories(host, dataDirectory).own,
    workspace: tasksOf,
    storesExits: !isApart(host),
    openOutput: (taskId, sessionId) => storeOf(sessionId).open(taskId),
    emit,
    work,
    redact: loadRedact,
    filter: redactSecrets ? secretFilters : undefined,
    hasCommands: background !== "none",
    mayPromote: background === "promote",
    patience: options.limits,
  });
  const directory = joinPath(programDirectory, "shell");
  const directories = workingDirectories({ host, workspace, directory });
  return {
    tasks,
    directories,
    redaction: { load: loadRedact },
    async close() {
      await tasks.close();
      await directories.close();
      if (isApart(host)) {
        await host.fs.remove(programDirectory, { recursive: true }).catch(() => undefined);
      }
    },
  };
}

async function redaction(redactSecrets: boolean): ReturnType<Redaction["load"]> {
  return redactSecrets ? (await import("../redact/index.ts")).redact : (text) => text;
}

async function secretFilters() {
  const { RedactedStream } = await import("../redact/index.ts");
  return () => new RedactedStream();
}

const defaultReadBytes = 262_144;

/** Tasks of the first host: all hosts that use one data directory share them. */
export function kitTasks(beside: () => BackgroundServices | undefined): KitTasks {
  const kept = (id: string): StoredTasks => {
    const found = beside()?.tasks;
    if (found !== undefined) return found;
    throw new ToolError("NOT_FOUND", `There is no task ${id}.`, {
      hint: "This toolkit is disposed.",
    });
  };
  return {
    list: async () => (await beside()?.tasks.list()) ?? [],
    async read(id, options = {}) {
      checkTaskId(id);
      const { from = 0, maxBytes = defaultReadBytes } = checkReadTask(options);
      const { task, parts, next, total } = await kept(id).read(id, {
        from,
        maxBytes,
        tailShare: 0,
      });
      return { task, text: parts.map(({ text }) => text).join(""), next, total };
    },
    stop: async (id) => await kept(checkTaskId(id)).stop(id),
  };
}
