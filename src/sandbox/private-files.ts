import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isWithin, joinPath, ToolError } from "../core/index.ts";
import type { SandboxPolicy } from "./policy.ts";

export interface PrivateFiles {
  readonly directory: string;
  /** Writes a file and answers where it is. */
  keep(name: string, content: string | Uint8Array): Promise<string>;
  dispose(): Promise<void>;
}

/** A directory for what a wrapper reads at each start. A command that could write there could undo its own sandbox. */
export async function privateFiles(policy: SandboxPolicy): Promise<PrivateFiles> {
  const base = await realpath(tmpdir());
  const open = [...policy.writable, ...policy.granted].find(({ path }) => isWithin(path, base));
  if (open !== undefined) {
    throw new ToolError(
      "UNAVAILABLE",
      `The sandbox cannot keep its files in ${base}, which it may write.`,
      {
        hint: `Do not open ${open.path} for writing, or set TMPDIR to a directory outside of it.`,
      },
    );
  }
  const directory = await mkdtemp(joinPath(base, "haft-sandbox-"));
  return {
    directory,
    keep: async (name, content) => {
      const path = joinPath(directory, name);
      await writeFile(path, content, { mode: 0o600 });
      return path;
    },
    dispose: async () => {
      await rm(directory, { recursive: true, force: true });
    },
  };
}
