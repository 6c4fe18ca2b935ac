import {
  type ArtifactRef,
  type ArtifactStore,
  type FileView,
  type SeenFiles,
  type Services,
  type ServiceToken,
} from "../core/index.ts";

/** Services by the id of their token. */
export function servicesOf(services: Readonly<Record<string, unknown>>): Services {
  const byId = new Map(Object.entries(services));
  return {
    get<T>(token: ServiceToken<T>): T | undefined {
      const service = byId.get(token.id);
      return isServiceOf(token, service) ? service : undefined;
    },
  };
}

/** The caller who registers a service under a token's id is responsible for its type. */
function isServiceOf<T>(token: ServiceToken<T>, service: unknown): service is T {
  return token.id !== "" && service !== undefined;
}

/** File state of one bench: views of the same content are merged, a new content or encoding replaces the old view. */
export function memoryFileState(): SeenFiles {
  const views = new Map<string, FileView>();
  return {
    saw: (path, view) => {
      views.set(path, addedUp(views.get(path), view));
    },
    view: (path) => views.get(path),
    forget: (path) => {
      views.delete(path);
    },
  };
}

function addedUp(before: FileView | undefined, now: FileView): FileView {
  if (before?.hash !== now.hash || before.encoding?.name !== now.encoding?.name) return now;
  const known = before.encoding?.isConcluded === true ? now : before;
  const encoding = known.encoding === undefined ? {} : { encoding: known.encoding };
  if (before.ranges === undefined || now.ranges === undefined)
    return { hash: now.hash, ...encoding };
  return { hash: now.hash, ranges: [...before.ranges, ...now.ranges], ...encoding };
}

/** Artifact store in memory, for output that a tool stores while it runs. */
export interface MemoryArtifacts extends ArtifactStore {
  /** Text of every artifact, by path. */
  texts(): Readonly<Record<string, string>>;
}

export function memoryArtifacts(): MemoryArtifacts {
  const texts = new Map<string, string>();
  let count = 0;
  return {
    open(callId) {
      count += 1;
      const path = `/artifacts/${callId}-${count}.txt`;
      let ended: ArtifactRef | undefined;
      return {
        path,
        async write(text) {
          if (ended === undefined) texts.set(path, (texts.get(path) ?? "") + text);
        },
        async end() {
          const text = texts.get(path);
          if (text === undefined) return undefined;
          const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
          ended ??= { path, chars: text.length, lines };
          return ended;
        },
      };
    },
    texts: () => Object.fromEntries(texts),
  };
}
