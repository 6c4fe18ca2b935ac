import {
  joinPath,
  ToolError,
  type ArtefactStore,
  type ArtefactStream,
  type Host,
} from "../../core/index.ts";

/** What is kept of one output at most. */
const maxBytes = 67_108_864;

/** Keeps outputs in files of a folder on the host, for a kit that has no other place for them. */
export function outputFiles(host: Host, directory: string): ArtefactStore {
  return { open: (id) => outputFile(host, directory, id) };
}

function outputFile(host: Host, directory: string, id: string): ArtefactStream {
  const path = joinPath(directory, `${id.replaceAll(/[^\w-]/gu, "_").slice(0, 100)}.txt`);
  const encoder = new TextEncoder();
  let made: Promise<void> | undefined;
  let isWhole = true;
  let chars = 0;
  let bytes = 0;
  let lines = 0;
  return {
    path,
    async write(text) {
      chars += text.length;
      lines += text.split("\n").length - 1;
      if (!isWhole) return;
      const data = encoder.encode(text);
      bytes += data.length;
      if (bytes > maxBytes) {
        isWhole = false;
        return;
      }
      try {
        await (made ??= host.fs.mkdir(directory, { mode: 0o700 }));
        await host.fs.append(path, data);
      } catch (error) {
        if (!ToolError.is(error)) throw error;
        isWhole = false;
      }
    },
    end: async () => (isWhole && chars > 0 ? { path, chars, lines } : undefined),
  };
}
