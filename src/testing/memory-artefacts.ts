import type { ArtefactRef, ArtefactStore } from "../core/index.ts";

/** Artifact store in memory, for output that a tool stores while it runs. */
export interface MemoryArtefacts extends ArtefactStore {
  /** Text of every artifact, by path. */
  texts(): Readonly<Record<string, string>>;
}

export function memoryArtefacts(): MemoryArtefacts {
  const texts = new Map<string, string>();
  let count = 0;
  return {
    open(callId) {
      count += 1;
      const path = `/artefacts/${callId}-${count}.txt`;
      let ended: ArtefactRef | undefined;
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
