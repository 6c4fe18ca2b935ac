import {
  defaultLimits,
  ToolError,
  type ArtefactRef,
  type ArtefactStore,
  type ArtefactStream,
  type Host,
  type Limits,
} from "../core/index.ts";
import { joinPath } from "../text/index.ts";
import type { ArtefactFile, FileArtefact, TextFilter } from "./stream.ts";
import { sweepArtefacts, type Swept } from "./collect.ts";

export interface ArtefactOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Absolute and canonical, outside the workspace. */
  readonly directory: string;
  /** How much is kept, and for how long. */
  readonly quota?: Partial<Limits["artefacts"]>;
  /** Asks for files that stay: a task may be silent for longer than anything is kept. */
  readonly inUse?: (() => Promise<ReadonlySet<string>>) | undefined;
  /** Makes what takes secrets out of a text as it streams. */
  readonly filter?: (() => Promise<TextFilter>) | undefined;
}

export interface Artefacts extends ArtefactStore {
  /** Keeps a text whole, under a name made from the call. Undefined when it could not be kept. */
  keep(callId: string, text: string): Promise<ArtefactRef | undefined>;
  /** What a tool has kept of its call while it ran; asked once. */
  taken(callId: string): ArtefactRef | undefined;
  /** Takes away what is beyond the quota; happens by itself before the first artefact of a kit. */
  collect(options?: { readonly dryRun?: boolean }): Promise<Swept>;
}

/** A read-only root: Read and Grep may open what is kept here. */
export function artefactDirectory(dataDirectory: string): string {
  return joinPath(dataDirectory, "artefacts");
}

/** A file name of 255 bytes is the longest most file systems take. */
const maxNameChars = 100;

/** Files looked at before the first artefact of a kit; `collect` looks at all. */
const maxSwept = 10_000;

/** A store that is full is looked through again after this long. */
const againMs = 10 * 60 * 1000;

/** Artefacts of calls that nobody asks for are forgotten past so many; the files stay. */
const maxTaken = 1000;

/** Keeps what is too long to show in files on the host, where the model's own tools can open them. */
export function artefacts(options: ArtefactOptions): Artefacts {
  const { host, directory, quota, filter } = options;
  const { bytes: maxBytes, totalBytes, days } = { ...defaultLimits.artefacts, ...quota };
  const ended = new Map<string, ArtefactRef>();
  /** Of streams that have not ended. */
  const open = new Set<string>();
  let total = 0;
  let sweeping: Promise<void> | undefined;
  let sweptAt = 0;

  async function sweepNow(more: { readonly maxFiles?: number; readonly dryRun?: boolean }) {
    const inUse = new Set([...open, ...((await options.inUse?.()) ?? [])]);
    return await sweepArtefacts({ host, directory, totalBytes, days, inUse, ...more });
  }

  async function sweep(): Promise<void> {
    sweptAt = host.clock.now();
    // A folder that cannot be swept can still take one more file.
    const swept = await sweepNow({ maxFiles: maxSwept }).catch(() => undefined);
    total = swept?.left ?? total;
    await host.fs.mkdir(directory, { mode: 0o700 });
  }

  /** Whether there is room; what was kept a moment ago may be in use and is never taken away for it. */
  async function prepare(): Promise<boolean> {
    if (sweeping !== undefined && total >= totalBytes && host.clock.now() - sweptAt > againMs) {
      sweeping = undefined;
    }
    sweeping ??= sweep().catch((error: unknown) => {
      // The next artefact tries again.
      sweeping = undefined;
      throw error;
    });
    await sweeping;
    return total < totalBytes;
  }

  const onAdded = (bytes: number): void => {
    total += bytes;
  };

  function stream(
    path: string,
    { onEnd, ...change }: Pick<ArtefactFile, "onEnd" | "filter">,
  ): ArtefactStream {
    return loadedArtefact({ ...change, host, path, prepare, maxBytes, onAdded, onEnd });
  }

  return {
    open(callId) {
      // A tool tells the path before anything is written, so the name must be nobody else's by itself.
      const unique = crypto.randomUUID().slice(0, 8);
      const path = joinPath(directory, `${nameOf(callId)}-${unique}.txt`);
      open.add(path);
      return stream(path, {
        filter,
        onEnd: (ref) => {
          open.delete(path);
          if (ref === undefined) return;
          ended.set(callId, ref);
          const [oldest] = ended.keys();
          if (ended.size > maxTaken && oldest !== undefined) ended.delete(oldest);
        },
      });
    },
    taken(callId) {
      const ref = ended.get(callId);
      ended.delete(callId);
      return ref;
    },
    async keep(callId, text) {
      for (let copy = 1; copy <= maxCopies; copy += 1) {
        const suffix = copy === 1 ? "" : `-${copy}`;
        const path = joinPath(directory, `${nameOf(callId)}${suffix}.txt`);
        if (await isThere(host, path)) continue;
        // It comes as it is shown, without secrets.
        const kept = stream(path, { filter: undefined, onEnd: () => undefined });
        await kept.write(text);
        const ref = await kept.end();
        // Ids of calls come from models, which use one again: somebody else may have taken the name just now.
        if (ref !== undefined || !(await isThere(host, path))) return ref;
      }
      return undefined;
    },
    collect: async ({ dryRun = false } = {}) => await sweepNow({ dryRun }),
  };
}

/** What writes is loaded with the first text: most calls keep none. Whatever is given goes on in its order. */
function loadedArtefact(file: ArtefactFile): ArtefactStream {
  let loaded: FileArtefact | undefined;
  const open = async (): Promise<FileArtefact> => {
    const { FileArtefact } = await import("./stream.ts");
    return (loaded = new FileArtefact(file));
  };
  let loading: Promise<FileArtefact> | undefined;
  const load = async (): Promise<FileArtefact> => await (loading ??= open());
  return {
    path: file.path,
    write: async (text) => await (await load()).write(text),
    writeAscii: async (ascii) => await (await load()).writeAscii(ascii),
    leaveOut: (chars) => loaded?.leaveOut(chars) ?? false,
    end: async () => await (await load()).end(),
  };
}

/** Past so many of one name something else is wrong. */
const maxCopies = 10_000;

function nameOf(callId: string): string {
  return callId.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, maxNameChars);
}

async function isThere({ fs }: Pick<Host, "fs">, path: string): Promise<boolean> {
  try {
    await fs.stat(path);
    return true;
  } catch (error) {
    return !(ToolError.is(error) && error.code === "NOT_FOUND");
  }
}
