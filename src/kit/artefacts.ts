import { joinPath, ToolError, type ArtefactRef, type Host } from "../core/index.ts";

/** A file name of 255 bytes is the longest most file systems take. */
const maxNameChars = 100;

export interface Artefacts {
  /** Keeps a text whole, under a name made from the call. Undefined when it could not be kept. */
  keep(callId: string, text: string): Promise<ArtefactRef | undefined>;
}

/** A read-only root: Read and Grep may open what is kept here. */
export function artefactDirectory(dataDirectory: string): string {
  return joinPath(dataDirectory, "artefacts");
}

/** Keeps what was cut from answers in files on the host, where the model's own tools can open them. */
export function artefacts(host: Host, directory: string): Artefacts {
  return {
    async keep(callId, text) {
      const name = callId.replaceAll(/[^A-Za-z0-9_-]/gu, "_").slice(0, maxNameChars);
      const bytes = new TextEncoder().encode(text);
      try {
        await host.fs.mkdir(directory, { mode: 0o700 });
        for (let copy = 1; ; copy += 1) {
          const path = joinPath(directory, `${name}${copy === 1 ? "" : `-${copy}`}.txt`);
          if (await isMade(host, path, bytes)) {
            return { path, chars: text.length, lines: countLines(text) };
          }
        }
      } catch {
        // The answer itself is more important than its overflow; the text says that nothing was kept.
        return undefined;
      }
    },
  };
}

/** Ids of calls come from models, which use one again in the next session: nothing kept is ever replaced. */
async function isMade(host: Host, path: string, bytes: Uint8Array): Promise<boolean> {
  try {
    await host.fs.writeAtomic(path, bytes, { mode: 0o600, ifMatch: null });
    return true;
  } catch (error) {
    if (ToolError.is(error) && error.code === "ALREADY_EXISTS") return false;
    throw error;
  }
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
