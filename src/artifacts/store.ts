import {
  defaultLimits,
  type ArtifactRef,
  type ArtifactStore,
  type ArtifactStream,
  type Host,
  type Limits,
} from "../core/index.ts";
import { joinPath, mayExist, parentPath, RecentMap } from "../text/index.ts";
import { sessionDirectory } from "./artifact-directory.ts";
import type { ArtifactFile, FileArtifact, TextFilter } from "./stream.ts";
import type { Swept } from "./collect.ts";

export interface ArtifactOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Absolute and canonical, outside the workspace. */
  readonly directory: string;
  /** Maximum size and age of stored artifacts. */
  readonly quota?: Partial<Limits["artifacts"]>;
  /** Lists files that are never removed: a background task may write nothing for longer than the maximum age. */
  readonly inUse?: (() => Promise<ReadonlySet<string>>) | undefined;
  /** Creates the filter that redacts secrets in streamed text. */
  readonly filter?: (() => Promise<TextFilter>) | undefined;
}

/** Artifacts of one session, or of calls without one. */
export interface SessionArtifacts extends ArtifactStore {
  /** Stores a full text under a name derived from the call. Undefined if it could not be stored. */
  keep(callId: string, text: string): Promise<ArtifactRef | undefined>;
}

export interface Artifacts extends SessionArtifacts {
  /** Artifacts of a session, in a directory of its own; undefined: those of calls without a session. */
  of(sessionId: string | undefined): SessionArtifacts;
  /** Stores the artifacts of a session with those of the one that started it, from now on. */
  share(sessionId: string, withSession: string): void;
  /** Artifact that a tool stored during its call. Returned once. */
  taken(callId: string): ArtifactRef | undefined;
  /** Removes what exceeds the quota. Runs automatically before the first artifact of a kit. */
  collect(options?: { readonly dryRun?: boolean }): Promise<Swept>;
}

/** Stays below 255 bytes, the longest file name on most file systems. */
const maxNameChars = 100;

/** Maximum number of files checked before the first artifact of a kit; `collect` checks all. */
const maxSwept = 10_000;

/** Time after which a full store is collected again. */
const againMs = 10 * 60 * 1000;

/** Maximum number of sessions whose artifacts are stored with those of another one. */
const maxShared = 10_000;

/** Maximum number of ended artifacts remembered until they are asked for; the files stay. */
const maxTaken = 1000;

/** Stores texts that are too long to show as files on the host, where the model's own tools can open them. */
export function artifacts(options: ArtifactOptions): Artifacts {
  const { host, directory, quota, filter } = options;
  const { bytes: maxBytes, totalBytes, days } = { ...defaultLimits.artifacts, ...quota };
  const ended = new Map<string, ArtifactRef>();
  /** Paths of streams that have not ended. */
  const open = new Set<string>();
  const shared = new RecentMap<string, string>(maxShared);
  let total = 0;
  let sweeping: Promise<void> | undefined;
  let sweptAt = 0;

  async function sweepNow(more: { readonly maxFiles?: number; readonly dryRun?: boolean }) {
    const inUse = new Set([...open, ...((await options.inUse?.()) ?? [])]);
    const { sweepArtifacts } = await import("./collect.ts");
    return await sweepArtifacts({ host, directory, totalBytes, days, inUse, ...more });
  }

  async function sweep(): Promise<void> {
    sweptAt = host.clock.now();
    // A directory that cannot be collected can still take one more file.
    const swept = await sweepNow({ maxFiles: maxSwept }).catch(() => undefined);
    total = swept?.left ?? total;
    await host.fs.mkdir(directory, { mode: 0o700 });
  }

  /** Whether there is room. Recent artifacts may be in use and are never removed to make room. */
  async function prepare(): Promise<boolean> {
    if (sweeping !== undefined && total >= totalBytes && host.clock.now() - sweptAt > againMs) {
      sweeping = undefined;
    }
    sweeping ??= sweep().catch((error: unknown) => {
      // The next artifact tries again.
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
    { onEnd, ...change }: Pick<ArtifactFile, "onEnd" | "filter">,
  ): ArtifactStream {
    const prepareFor = async (): Promise<boolean> => {
      const hasRoom = await prepare();
      const parent = parentPath(path);
      if (parent !== directory) await host.fs.mkdir(parent, { mode: 0o700 });
      return hasRoom;
    };
    return loadedArtifact({ ...change, host, path, prepare: prepareFor, maxBytes, onAdded, onEnd });
  }

  const artifactsIn = (own: string): SessionArtifacts => ({
    open(callId) {
      // A tool reports the path before anything is written, so the name alone must be unique.
      const unique = crypto.randomUUID().slice(0, 8);
      const path = joinPath(own, `${nameOf(callId)}-${unique}.txt`);
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
    async keep(callId, text) {
      for (let copy = 1; copy <= maxCopies; copy += 1) {
        const suffix = copy === 1 ? "" : `-${copy}`;
        const path = joinPath(own, `${nameOf(callId)}${suffix}.txt`);
        if (await mayExist(host.fs, path)) continue;
        // The text is already redacted.
        const kept = stream(path, { filter: undefined, onEnd: () => undefined });
        await kept.write(text);
        const ref = await kept.end();
        // Models choose call ids and reuse them: another call may have taken the name just now.
        if (ref !== undefined || !(await mayExist(host.fs, path))) return ref;
      }
      return undefined;
    },
  });
  return {
    ...artifactsIn(directory),
    of(sessionId) {
      if (sessionId === undefined) return artifactsIn(directory);
      const owner = shared.get(sessionId) ?? sessionId;
      return artifactsIn(joinPath(directory, sessionDirectory(owner)));
    },
    share: (sessionId, withSession) => void shared.set(sessionId, withSession),
    taken(callId) {
      const ref = ended.get(callId);
      ended.delete(callId);
      return ref;
    },
    collect: async ({ dryRun = false } = {}) => await sweepNow({ dryRun }),
  };
}

/**
 * Stream whose implementation is loaded with the first text, because most calls store none. Writes keep their order.
 */
function loadedArtifact(file: ArtifactFile): ArtifactStream {
  let loaded: FileArtifact | undefined;
  const open = async (): Promise<FileArtifact> => {
    const { FileArtifact } = await import("./stream.ts");
    return (loaded = new FileArtifact(file));
  };
  let loading: Promise<FileArtifact> | undefined;
  const load = async (): Promise<FileArtifact> => await (loading ??= open());
  return {
    path: file.path,
    write: async (text) => await (await load()).write(text),
    writeAscii: async (ascii) => await (await load()).writeAscii(ascii),
    leaveOut: (chars) => loaded?.leaveOut(chars) ?? false,
    end: async () => await (await load()).end(),
  };
}

/** Maximum number of artifacts of one name. More of them mean that something else is wrong. */
const maxCopies = 10_000;

function nameOf(callId: string): string {
  return callId.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, maxNameChars);
}
