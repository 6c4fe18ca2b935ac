import type { ArtefactStream } from "./artifacts.ts";
import { serviceToken } from "./service-token.ts";
import type { Trust } from "../tool/tool.ts";

/** "lost": it was running when its program ended, is gone now, and nobody saw its end. */
export type TaskStatus = "running" | "ended" | "lost";

/** Work of a session that goes on beside its calls. */
export interface Task {
  readonly id: string;
  readonly kind: "command";
  readonly status: TaskStatus;
  /** What a person reads: of a command its text. */
  readonly title: string;
  readonly cwd: string;
  readonly pid: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Absent while it runs, and where nobody knows. */
  readonly endedAt?: number;
  /** Null when a signal ended it; absent while it runs, and where nobody knows. */
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  /** Why it was ended, if it did not end by itself. */
  readonly endedBy?: "stop" | "session-end" | "output-limit" | "timeout";
  /** Where its output is kept; absent where it cannot be. */
  readonly outputFile?: string;
  /** Bytes printed so far. */
  readonly printedBytes: number;
  /** Bytes of the output that were shown before. */
  readonly seenBytes: number;
  readonly takesInput: boolean;
  /** Whether what it prints may come from outside, as of the call that started it. */
  readonly trust: Trust;
  readonly callId: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}

/** How the bytes a program prints become text. */
export interface OutputReading {
  /** Returns what to add to the joined text of both streams for a piece of one. */
  readonly marks: { mark(stream: "stdout" | "stderr", text: string): string };
  /** The text of the next bytes of a stream, without marks; without bytes, what is left at its end. */
  decode(stream: "stdout" | "stderr", bytes?: Uint8Array): string;
}

/** A process that a call started and leaves running. */
export interface LeftProcess {
  /** Of a task that was prepared; else one is made. */
  readonly taskId?: string;
  /** The id it has with the host. */
  readonly processId: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly title: string;
  readonly cwd: string;
  readonly takesInput: boolean;
  readonly trust: Trust;
  readonly callId: string;
  readonly agentId: string | undefined;
  /** What the call has taken of its output, and where the output goes on. */
  readonly taken?: {
    readonly afterSeq: number;
    readonly text: string;
    /** Where the call has begun to keep it; then `text` is only the latest of it. */
    readonly stream?: ArtefactStream | undefined;
    /** Of `text` and of all before it, in UTF-8. */
    readonly bytes: number;
    /** Goes on where the call stopped: half a character, a marked stream or data that is no text may have been last. */
    readonly reading?: OutputReading | undefined;
  };
}

export interface PreparedTask {
  readonly taskId: string;
  /** Starts the same, and leaves the exit where a later program finds it. */
  readonly argv: readonly string[];
}

export interface TaskRead {
  /** Byte of the output to start at; 0 is the first. Default: where the last reading ended. */
  readonly from?: number | undefined;
  readonly maxBytes: number;
  /** Where there is more than fits: which share of it comes from the end. 0 reads on from `from`. */
  readonly tailShare: number;
}

export interface TaskReading {
  readonly task: Task;
  /** In order; between two of them output is left out. */
  readonly parts: readonly { readonly at: number; readonly text: string }[];
  /** Where this reading ends; the next one starts here. */
  readonly next: number;
  /** Bytes there are. */
  readonly total: number;
}

/** The tasks of one session. An id of another session is NOT_FOUND. */
export interface Jobs {
  /** Whether a command past its time may become a task. */
  readonly mayPromote: boolean;
  prepare(argv: readonly string[]): PreparedTask;
  /** Takes a process over: from now on it ends with the kit, and its output and its end are recorded. */
  adopt(left: LeftProcess): Promise<Task>;
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  get(id: string): Promise<Task>;
  /** Resolves when it is no longer running, waits for input, or the time has passed. */
  wait(id: string, options: { readonly ms: number; readonly signal: AbortSignal }): Promise<Task>;
  read(id: string, options: TaskRead): Promise<TaskReading>;
  /** Whether it seems to wait for input: a guess, and only made where the system tells. */
  isWaiting(id: string): Promise<boolean>;
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  /** Ends it with all it started: TERM, 5 s, KILL. */
  stop(id: string): Promise<Task>;
}

export const jobs = serviceToken<Jobs>("jobs");

/** The folder the commands of one session work in. */
export interface WorkingDirectory {
  /** Where this agent's last command ended, canonical and inside the workspace when it was kept. */
  current(agentId: string | undefined): string | undefined;
  /** Keeps a folder if it is one inside the workspace, and says under which path; else the one before stays. */
  keep(agentId: string | undefined, path: string): Promise<string | undefined>;
  reset(agentId: string | undefined): void;
  /** A place outside the workspace where one command can leave the folder it ended in. */
  openChannel(): Promise<DirectoryChannel>;
}

export interface DirectoryChannel {
  readonly path: string;
  /** What was left there, once; the place is gone afterwards. */
  take(): Promise<string | undefined>;
}

export const workingDirectory = serviceToken<WorkingDirectory>("workingDirectory");
