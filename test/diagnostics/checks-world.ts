import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { EditFindings } from "../../src/core/index.ts";
import {
  openDiagnostics,
  type Diagnostics,
  type DiagnosticsOptions,
} from "../../src/diagnostics/index.ts";
import { localHost, type LocalHost } from "../../src/host/index.ts";

/** A folder with checks on a real host, without a sandbox. */
export interface ChecksWorld {
  readonly host: LocalHost;
  readonly diagnostics: Diagnostics;
  readonly at: (name: string) => string;
  readonly write: (name: string, text: string) => Promise<void>;
  /** Reports of an edit that gives a file another content. */
  readonly edit: (
    name: string,
    text: string,
    signal?: AbortSignal,
  ) => Promise<EditFindings | undefined>;
  dispose(): Promise<void>;
}

const fake = path.join(import.meta.dirname, "fake-server.mjs");

export function fakeServer(mode: string): readonly string[] {
  return [process.execPath, fake, mode];
}

export async function checksWorld(
  given: Partial<DiagnosticsOptions> & { readonly mode?: string },
): Promise<ChecksWorld> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "checks-")));
  const host = await localHost();
  let ids = 0;
  const { mode, ...options } = given;
  const diagnostics = openDiagnostics({
    checkers: [],
    servers: mode === undefined ? {} : { fake: { command: fakeServer(mode), files: ["*.txt"] } },
    matcher: (patterns) => (file) => patterns.some((each) => file.endsWith(each.slice(1))),
    waitMs: 20_000,
    ...options,
    programs: {
      host,
      workspace: folder,
      newId: () => `check-${(ids += 1)}`,
      verify: async () => undefined,
      confine: async () => ({ confinement: undefined, close: async () => undefined }),
    },
  });
  const at = (name: string): string => path.join(folder, name);
  const write = async (name: string, text: string): Promise<void> =>
    await writeFile(at(name), text);
  return {
    host,
    diagnostics,
    at,
    write,
    async edit(name, text, signal) {
      const begun = await diagnostics.edits.begin([at(name)], signal);
      await write(name, text);
      return await begun?.end(signal);
    },
    async dispose() {
      await diagnostics.dispose();
      await host[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
