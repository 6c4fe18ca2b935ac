import { joinPath, type ArtefactRef, type Host } from "../core/index.ts";

export interface Artefacts {
  /** A read-only root: Read and Grep may open what is kept here. */
  readonly directory: string;
  /** Keeps a text whole, under a name made from the call. Undefined when it could not be kept. */
  keep(callId: string, text: string): Promise<ArtefactRef | undefined>;
}

/** Keeps what was cut from answers in files on the host, where the model's own tools can open them. */
export function artefacts(host: Host, directory: string): Artefacts {
  return {
    directory,
    async keep(callId, text) {
      const path = joinPath(directory, `${callId.replaceAll(/[^A-Za-z0-9_-]/gu, "_")}.txt`);
      try {
        await host.fs.mkdir(directory, { mode: 0o700 });
        await host.fs.writeAtomic(path, new TextEncoder().encode(text), { mode: 0o600 });
      } catch {
        // The answer itself is more important than its overflow; the text says that nothing was kept.
        return undefined;
      }
      return { path, chars: text.length, lines: countLines(text) };
    },
  };
}

function countLines(text: string): number {
  let lines = text === "" ? 0 : 1;
  for (
    let at = text.indexOf("\n");
    at >= 0 && at < text.length - 1;
    at = text.indexOf("\n", at + 1)
  ) {
    lines += 1;
  }
  return lines;
}
