import type { ArtifactStream } from "../store/artifacts.ts";
import { serviceToken } from "../service-token.ts";
import type { CommandTask, RunningTask } from "./task-kinds.ts";
import type { Trust } from "../../tool/tool.ts";

/** Conversion of a program's output bytes to text. */
export interface OutputReading {
  /** Labels the streams in their joined text: returns what to append for a chunk of one stream. */
  readonly marks: { mark(stream: "stdout" | "stderr", text: string): string };
  /** Decodes the next bytes of a stream, without labels; called without bytes, returns the rest at the stream's end. */
  decode(stream: "stdout" | "stderr", bytes?: Uint8Array): string;
}

/** A process that a call started and leaves running. */
export interface AdoptedProcess {
  /** Id of the prepared task; a new task is created where it is absent. */
  readonly taskId?: string;
  /** Id of the process at the host. */
  readonly processId: string;
  /** Process id on the host. */
  readonly pid: number;
  /** Start time, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Title for users, such as the command. */
  readonly title: string;
  /** Directory in which it was started. */
  readonly cwd: string;
  /** Whether it reads from a pipe that can be written to. */
  readonly takesInput: boolean;
  /** Trust in its output. */
  readonly trust: Trust;
  /** Call that started it. */
  readonly callId: string;
  /** Agent that started it; undefined outside a run. */
  readonly agentId: string | undefined;
  /** Milliseconds after which the task is stopped. Default: never. */
  readonly maxMs?: number | undefined;
  /** Run that started it; undefined outside a run. */
  readonly runId?: string | undefined;
  /** Output that the call has already read, and where reading continues. */
  readonly taken?: {
    readonly afterSeq: number;
    readonly text: string;
    /** Artifact to which the call has begun to write the output; `text` is then only its latest part. */
    readonly stream?: ArtifactStream | undefined;
    /** Bytes in UTF-8 of `text` and of everything before it. */
    readonly bytes: number;
    /**
     * Decoder state at the point where the call stopped, which may be inside a character, a labeled stream or binary
     * data.
     */
    readonly reading?: OutputReading | undefined;
  };
}

/** A task whose process is not started yet. */
export interface PreparedTask {
  /** Id of the task. */
  readonly taskId: string;
  /**
   * Starts the same program once the task is adopted, and records its exit where a later haft process finds it. Its
   * standard input must be a pipe.
   */
  readonly argv: readonly string[];
}

/** The agent whose model is shown a task; no one for a call outside a run. */
export interface TaskReader {
  /** Run of the call; absent outside a run. */
  readonly runId?: string | undefined;
  /** Agent that makes the call; absent for the one that talks to the user. */
  readonly agentId?: string | undefined;
}

/** Part of a task's output to read. */
export interface TaskRead {
  /** Model that reads it: the end of an agent that it has seen is not reported to it again. Default: a program. */
  readonly reader?: TaskReader | undefined;
  /** Byte offset in the output to start at, from 0. Default: the end of the previous read. */
  readonly from?: number | undefined;
  /** Maximum bytes to return. */
  readonly maxBytes: number;
  /** Share of `maxBytes` taken from the end where the output does not fit. 0 reads on from `from`. */
  readonly tailShare: number;
}

/** Part of a task's output. */
export interface TaskReading {
  /** The task as it is now. */
  readonly task: RunningTask;
  /** In order; output between two parts is omitted. */
  readonly parts: readonly { readonly at: number; readonly text: string }[];
  /** Offset where this read ends and the next one starts. */
  readonly next: number;
  /** Total bytes of output. */
  readonly total: number;
}

/** The commands and agents in the background of one session. An id of another session is NOT_FOUND. */
export interface Jobs {
  /** Whether a command that exceeds its time limit may become a task. */
  readonly mayPromote: boolean;
  /** Prepares a task whose process is started by the caller. */
  prepare(argv: readonly string[]): PreparedTask;
  /** Takes over a process: from now on it ends with the kit, and its output and exit are recorded. */
  adopt(left: AdoptedProcess): Promise<CommandTask>;
  /** Newest first. */
  list(): Promise<readonly RunningTask[]>;
  /** Returns a task. Rejects with NOT_FOUND. */
  get(id: string): Promise<RunningTask>;
  /** Resolves when the task is no longer running, waits for input, or `ms` milliseconds have passed. */
  wait(
    id: string,
    options: { readonly ms: number; readonly signal: AbortSignal },
  ): Promise<RunningTask>;
  /** Reads output of a task from a position. Rejects with NOT_FOUND. */
  read(id: string, options: TaskRead): Promise<TaskReading>;
  /** Guesses whether the task waits for input, only where the operating system provides the information. */
  isWaiting(id: string): Promise<boolean>;
  /** Writes to the standard input of a task, or closes it. */
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  /** Ends the task and everything it started: TERM, 5 s, KILL. The end is not reported to this reader again. */
  stop(id: string, reader?: TaskReader): Promise<RunningTask>;
}

/** Token of the service for background tasks. */
export const jobs = serviceToken<Jobs>("jobs");

/** Work that a run started and that continues in the background of its calls. */
export interface ActiveWork {
  /** Id of the task or agent. */
  readonly id: string;
  /** Kind of the work. */
  readonly kind: "command" | "agent";
  /** Title for users. */
  readonly title: string;
}

/** End of background work, as reported to the model. */
export interface Completion {
  /** Message for the model. */
  readonly message: string;
  /** Whether the model already knows, as after a call that waited for the end; then it is not told again. */
  isKnown?(): boolean;
  /** Number of the stored message with this end: the conversation gets it from the store, not from here. */
  readonly mail?: number | undefined;
}

/** Learns of a change of background work; returns false if it takes no completion any more. */
export type WorkListener = (
  work: ActiveWork,
  completion: Completion | undefined,
) => boolean | undefined;

/** Conversation in which runs follow each other. */
export interface WorkConversation {
  /** Session of the conversation. */
  readonly sessionId: string;
  /** Agent of the conversation; absent for the one that talks to the user. */
  readonly agentId?: string | undefined;
}

/** Background work of runs: a run waits for its work, and the end of each wakes it with a message. */
export interface RunWork {
  /**
   * Adds work to a run. Call the returned function once when the work ends; without a completion the model is not told.
   */
  start(runId: string, work: ActiveWork): (completion?: Completion) => void;
  /** Work of a run that has not ended. */
  active(runId: string): readonly ActiveWork[];
  /**
   * Calls the listener when work of a run starts or ends; the returned function unsubscribes it. A completion that no
   * listener takes, because the run has ended, is given to the next listener of the same conversation.
   */
  watch(runId: string, listener: WorkListener, conversation?: WorkConversation): () => void;
}

/** Token of the service that tracks the work of a run. */
export const runWork = serviceToken<RunWork>("runWork");

/** The working directory of one session's commands. */
export interface WorkingDirectory {
  /** The directory in which this agent's last command ended; canonical, and in the workspace when it was stored. */
  current(agentId: string | undefined): string | undefined;
  /**
   * Stores the path if it is a directory in the workspace, and returns its canonical path; otherwise the previous
   * directory stays.
   */
  keep(agentId: string | undefined, path: string): Promise<string | undefined>;
  reset(agentId: string | undefined): void;
  /** Opens a file outside the workspace to which one command can write the directory it ended in. */
  openChannel(): Promise<DirectoryChannel>;
}

export interface DirectoryChannel {
  readonly path: string;
  /** Returns the written content once and removes the file. */
  take(): Promise<string | undefined>;
}

export const workingDirectory = serviceToken<WorkingDirectory>("workingDirectory");
