import type { ArtifactRef, ArtifactStore } from "../core/index.ts";

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
