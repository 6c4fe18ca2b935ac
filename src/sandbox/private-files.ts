import { lstatSync } from "node:fs";
import { mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isWithin, joinPath, privateFolderName, ToolError } from "../core/index.ts";
import { ownedDirectory } from "./owned-directory.ts";
import type { SandboxPolicy } from "./policy.ts";

export interface PrivateFiles {
  readonly directory: string;
  /** Holds the private files of every sandbox of this user; what a command may write must leave it out. */
  readonly common: string;
  /** Writes a file and answers where it is. */
  keep(name: string, content: string | Uint8Array): Promise<string>;
  dispose(): Promise<void>;
}

export interface PrivateFilesOptions {
  /** Whether the driver can leave `common` out of what the policy opens. */
  readonly canLeaveOut?: boolean;
}

/** A directory for what a wrapper reads at each start. A command that could write there could undo its own sandbox. */
export async function privateFiles(
  policy: SandboxPolicy,
  { canLeaveOut = false }: PrivateFilesOptions = {},
): Promise<PrivateFiles> {
  const base = await realpath(tmpdir());
  const open = [...policy.writable, ...policy.granted].find(({ path }) => isWithin(path, base));
  if (open !== undefined && !canLeaveOut) {
    throw new ToolError(
      "UNAVAILABLE",
      `The sandbox cannot keep its files in ${base}, which it may write.`,
      {
        hint: `Do not open ${open.path} for writing, or set TMPDIR to a directory outside of it.`,
      },
    );
  }
  const common = joinPath(base, privateFolderName(process.getuid?.() ?? 0));
  const directory = await ownDirectory(common);
  return {
    directory,
    common,
    keep: async (name, content) => {
      const path = joinPath(directory, name);
      await writeFile(path, content, { mode: 0o600 });
      return path;
    },
    dispose: async () => {
      await rm(directory, { recursive: true, force: true });
      // The last one takes the common directory away.
      await rmdir(common).catch(() => undefined);
    },
  };
}

const attempts = 20;

async function ownDirectory(common: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(common, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(common);
      // In a place that everybody may write, somebody else may have made it first.
      if (uid !== (process.getuid?.() ?? uid) || (mode & 0o077) !== 0) throw notOurs(common);
      return await ownedDirectory(common, "haft-sandbox");
    } catch (error) {
      // Another one may have taken it away as the last.
      if (ToolError.is(error) || attempt === attempts) throw error;
    }
  }
}

function notOurs(path: string): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    `${path} is open to others, so no sandbox keeps files there.`,
    {
      hint: "Remove it, or set TMPDIR to a directory of your own.",
    },
  );
}
