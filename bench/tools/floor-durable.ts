import { fdatasync, fsync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import { promisify } from "node:util";
import type { Subject } from "./subject.ts";

const flushData = promisify(fdatasync);
const flush = promisify(fsync);

/**
 * The least cost of an edit that survives a power cut and can be undone: the old content is added to a log and the
 * new content written next to the file, both flushed at the same time, and only then the file is replaced.
 */
export function openDurableFloor(log: string): Subject {
  const logging = open(log, "a", 0o600);
  return {
    async edit(file, { from, to }) {
      const { fd } = await logging;
      const text = await readFile(file, "utf8");
      const at = text.indexOf(from);
      await (await logging).appendFile(JSON.stringify({ file, text }));
      const draft = await open(`${file}.new`, "wx");
      try {
        await draft.writeFile(text.slice(0, at) + to + text.slice(at + from.length));
        await Promise.all([flushData(fd), flush(draft.fd)]);
      } finally {
        await draft.close();
      }
      await rename(`${file}.new`, file);
      return "edited";
    },
    async close() {
      await (await logging).close();
      await rm(log, { force: true });
    },
  };
}
