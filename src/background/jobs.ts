import type {
  ArtifactStream,
  CommandTask,
  Host,
  Jobs,
  NewEvent,
  RunWork,
  TaskRead,
  TaskReading,
} from "../core/index.ts";
import { exitFileOf, leavingExit } from "./exit-status-file.ts";
import type { Whose } from "./task-not-found.ts";
import type { JobBook } from "./task-registry.ts";
import type { OutputFilter, StopPatience } from "./running-task.ts";

export interface KeepJobsOptions {
  readonly host: Host;
  /** Directory of the task records, outside the workspace. */
  readonly directory: string;
  /** Workspace whose tasks are seen: another one may use the same directory. Undefined: those of all. */
  readonly workspace?: string | undefined;
  /**
   * Whether commands start when they are recorded and write their exit codes into files of the directory, for the time
   * after this process. Not where the host must not see it: then a task that outlives this process ends as lost.
   */
  readonly storesExits: boolean;
  /** Opens the file for the full output of a task. */
  readonly openOutput: (taskId: string, sessionId: string | undefined) => ArtifactStream;
  readonly emit: (event: NewEvent) => void;
  /** Learns which tasks belong to a run, and how they end. Default: runs do not wait for tasks. */
  readonly work?: RunWork | undefined;
  /** Loads the function that removes secrets from a text. */
  readonly redact: () => Promise<(text: string) => string>;
  /** Loads the filter that does the same for a text that arrives in chunks. */
  readonly filter?: (() => Promise<() => OutputFilter>) | undefined;
  /** Whether a command that exceeds its time may become a task. */
  readonly mayPromote: boolean;
  /** Time that ending a task may take. */
  readonly patience: StopPatience;
}

/** Commands in the background of a kit, by session. */
export interface KeptJobs {
  of(sessionId: string | undefined): CommandJobs;
  /** Forgets the session's view of its tasks; the tasks themselves continue. */
  end(sessionId: string | undefined): void;
  /** Commands of every session of this workspace, also those of other processes with this data directory. */
  list(): Promise<readonly CommandTask[]>;
  /** Reads the output of a task. The session's own read position does not change. */
  read(id: string, read: TaskRead): Promise<TaskReading>;
  stop(id: string): Promise<CommandTask>;
  /** Ends all running tasks; none outlives this call. */
  close(): Promise<void>;
}

/** The service for tools with commands alone. */
export interface CommandJobs extends Jobs {
  list(): Promise<readonly CommandTask[]>;
  get(id: string): Promise<CommandTask>;
  wait(id: string, options: Parameters<Jobs["wait"]>[1]): Promise<CommandTask>;
  stop(id: string): Promise<CommandTask>;
}

/** Creates the tasks of one data directory. Nothing is loaded, read or created before a task is needed. */
export function keptJobs(options: KeepJobsOptions): KeptJobs {
  let opening: Promise<JobBook> | undefined;
  const book = async (): Promise<JobBook> => await (opening ??= openBook(options));
  const bySession = new Map<string | undefined, CommandJobs>();
  return {
    of(sessionId) {
      const known = bySession.get(sessionId);
      if (known !== undefined) return known;
      const made = jobsOf(sessionId, options, book);
      bySession.set(sessionId, made);
      return made;
    },
    end: (sessionId) => void bySession.delete(sessionId),
    list: async () => await (await book()).list("everybody"),
    read: async (id, read) => await (await book()).read("everybody", id, read),
    stop: async (id) => await (await book()).stop("everybody", id),
    async close() {
      await (await opening)?.close();
    },
  };
}

async function openBook(options: KeepJobsOptions): Promise<JobBook> {
  const { JobBook: Book } = await import("./task-registry.ts");
  const [redact, newFilter] = await Promise.all([options.redact(), options.filter?.()]);
  return new Book({ ...options, redact, newFilter });
}

function jobsOf(
  sessionId: string | undefined,
  { host, directory, mayPromote, storesExits }: KeepJobsOptions,
  book: () => Promise<JobBook>,
): CommandJobs {
  const whose: Whose = { sessionId };
  return {
    mayPromote,
    prepare(argv) {
      const taskId = newId();
      if (!storesExits) return { taskId, argv };
      return { taskId, argv: leavingExit(host, argv, exitFileOf(directory, taskId)) };
    },
    adopt: async (left) => await (await book()).adopt(sessionId, left, left.taskId ?? newId()),
    list: async () => await (await book()).list(whose),
    get: async (id) => await (await book()).get(whose, id),
    wait: async (id, waiting) => await (await book()).wait(whose, id, waiting),
    read: async (id, read) => await (await book()).read(whose, id, read),
    isWaiting: async (id) => await (await book()).isWaiting(whose, id),
    write: async (id, bytes) => await (await book()).write(whose, id, bytes),
    stop: async (id) => await (await book()).stop(whose, id),
  };
}

function newId(): string {
  return `task-${crypto.randomUUID().slice(0, 8)}`;
}
