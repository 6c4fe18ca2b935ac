import type {
  ArtefactStream,
  Host,
  Jobs,
  NewEvent,
  Task,
  TaskRead,
  TaskReading,
} from "../../core/index.ts";
import { exitFileOf, leavingExit } from "./exit-file.ts";
import type { JobBook, Whose } from "./job-book.ts";
import type { OutputFilter, StopPatience } from "./live-task.ts";

export interface KeepJobsOptions {
  readonly host: Host;
  /** Where records of tasks are kept, outside the workspace. */
  readonly directory: string;
  /** Where a task's output is kept whole. */
  readonly openOutput: (taskId: string) => ArtefactStream;
  readonly emit: (event: NewEvent) => void;
  /** Loads what takes secrets out of a text. */
  readonly redact: () => Promise<(text: string) => string>;
  /** Loads what makes the same for a text that comes in pieces. */
  readonly filter?: (() => Promise<() => OutputFilter>) | undefined;
  /** Whether a command past its time may become a task. */
  readonly mayPromote: boolean;
  /** How long the end of one may take. */
  readonly patience: StopPatience;
}

/** The tasks of a kit, session by session. */
export interface KeptJobs {
  of(sessionId: string | undefined): Jobs;
  /** Forgets the session's view of its tasks; the tasks themselves stay. */
  end(sessionId: string | undefined): void;
  /** Of every session and every program that kept its tasks here. */
  list(): Promise<readonly Task[]>;
  /** What it printed; a session's own reading goes on where it was. */
  read(id: string, read: TaskRead): Promise<TaskReading>;
  stop(id: string): Promise<Task>;
  /** Ends what runs. Nothing outlives it. */
  close(): Promise<void>;
}

/** Keeps the tasks of one data directory. Nothing is loaded, read or made before a task is asked for. */
export function keptJobs(options: KeepJobsOptions): KeptJobs {
  let opening: Promise<JobBook> | undefined;
  const book = async (): Promise<JobBook> => await (opening ??= openBook(options));
  const bySession = new Map<string | undefined, Jobs>();
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
  const { JobBook: Book } = await import("./job-book.ts");
  const [redact, newFilter] = await Promise.all([options.redact(), options.filter?.()]);
  return new Book({ ...options, redact, newFilter });
}

function jobsOf(
  sessionId: string | undefined,
  { host, directory, mayPromote }: KeepJobsOptions,
  book: () => Promise<JobBook>,
): Jobs {
  const whose: Whose = { sessionId };
  return {
    mayPromote,
    prepare(argv) {
      const taskId = newId();
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
