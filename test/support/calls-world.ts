import type { HostFs, WriteEffect } from "../../src/core/index.ts";
import { memoryHost, type MemoryHost, type MemoryHostOptions } from "../../src/host/index.ts";
import { createJournal, type Journal, type JournalOptions } from "../../src/journal/index.ts";

/** A write effect of one file, unless said otherwise. */
export function write(
  path: string,
  more: Partial<Pick<WriteEffect, "scope" | "change">> = {},
): WriteEffect {
  return { kind: "write", path, scope: "file", change: "any", ...more };
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

interface World {
  readonly host: MemoryHost;
  readonly fs: HostFs;
  readonly journal: Journal;
  /** A call that writes these paths in this way. */
  readonly call: (
    id: string,
    writes: readonly WriteEffect[],
    act: () => Promise<unknown>,
  ) => Promise<void>;
  readonly put: (path: string, text: string) => Promise<void>;
}

/** A journal of a project in memory. */
export function world(
  files: NonNullable<MemoryHostOptions["files"]> = {},
  options: Partial<JournalOptions> = {},
): World {
  const host = memoryHost({ files, root: "/project" });
  const journal = createJournal({ host, directory: "/data/journal", ...options });
  return {
    host,
    fs: host.fs,
    journal,
    call: async (id, writes, act) => {
      await journal.checkpoint(id, writes, { tool: "Test" });
      await act();
      await journal.settle(id);
    },
    put: async (path, text) => void (await host.fs.writeAtomic(path, bytes(text))),
  };
}

/** The project's files. */
export function project(host: MemoryHost): Record<string, string> {
  const own = Object.entries(host.control.texts()).filter(([path]) => path.startsWith("/project/"));
  return Object.fromEntries(own);
}
