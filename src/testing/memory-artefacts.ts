import type { ArtefactRef, ArtefactStore } from "../core/index.ts";

/** Artefacts held in memory, for what a tool keeps while it runs. */
export interface MemoryArtefacts extends ArtefactStore {
  /** The text of every artefact by its path. */
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
