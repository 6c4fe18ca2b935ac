import {
  joinPath,
  ToolError,
  type ArtefactStore,
  type Host,
  type NewEvent,
  type Redaction,
  type Task,
} from "../core/index.ts";
import {
  keptJobs,
  workingDirectories,
  type KeptJobs,
  type WorkingDirectories,
} from "../session/index.ts";
import type { Place } from "./place.ts";

/** What commands may leave running: any that is past its time, only those that ask for it, or none. */
export type Background = "promote" | "asked" | "none";

/** The tasks of every session of a data directory, for people. */
export interface KitTasks {
  /** Newest first. */
  list(): Promise<readonly Task[]>;
  /** NOT_FOUND where there is none of that id. */
  stop(id: string): Promise<Task>;
}

export interface BesideOptions {
  readonly place: Place;
  readonly background: Background;
  readonly redactSecrets: boolean;
  readonly emit: (event: NewEvent) => void;
  readonly store: ArtefactStore;
}

/** What goes on beside the calls on one host. */
export interface Beside {
  readonly jobs: KeptJobs | undefined;
  readonly directories: WorkingDirectories;
  readonly redaction: Redaction;
  close(): Promise<void>;
}

export function besideCalls(host: Host, options: BesideOptions): Beside {
  const { place, background, redactSecrets, emit, store } = options;
  const { dataDirectory, workspace } = place;
  let redact: ReturnType<Redaction["load"]> | undefined;
  const loadRedact: Redaction["load"] = async () => await (redact ??= redaction(redactSecrets));
  const jobs =
    background === "none"
      ? undefined
      : keptJobs({
          host,
          directory: joinPath(dataDirectory, "tasks"),
          openOutput: (taskId) => store.open(taskId),
          emit,
          redact: loadRedact,
          filter: redactSecrets ? secretFilters : undefined,
          mayPromote: background === "promote",
        });
  const directory = joinPath(dataDirectory, "shell");
  const directories = workingDirectories({ host, workspace, directory });
  return {
    jobs,
    directories,
    redaction: { load: loadRedact },
    async close() {
      await jobs?.close();
      await directories.close();
    },
  };
}

async function redaction(redactSecrets: boolean): ReturnType<Redaction["load"]> {
  return redactSecrets ? (await import("../pipeline/index.ts")).redact : (text) => text;
}

async function secretFilters() {
  const { RedactedStream } = await import("../pipeline/index.ts");
  return () => new RedactedStream();
}

export async function stopTask(beside: Beside | undefined, id: string): Promise<Task> {
  if (beside?.jobs !== undefined) return await beside.jobs.stop(id);
  throw new ToolError("NOT_FOUND", `There is no task ${id}.`, {
    hint: "This toolkit runs nothing in the background.",
  });
}
