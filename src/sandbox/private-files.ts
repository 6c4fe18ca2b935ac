import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isWithin, joinPath } from "../text/index.ts";
import { privateFolderName, ToolError } from "../core/index.ts";
import { ownedDirectory } from "./owned-directory.ts";
import type { SandboxPolicy } from "./policy/policy.ts";

export interface PrivateFiles {
  readonly directory: string;
  /** Holds the private files of every sandbox of this user; what a command may write must leave it out. */
  readonly common: string;
  /** Where those of others are as well, if it is another directory. */
  readonly others: string | undefined;
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
  const base = await baseFor(policy, canLeaveOut);
  const name = privateFolderName(process.getuid?.() ?? 0);
  const common = joinPath(base, name);
  const usual = joinPath(await realpath(tmpdir()), name);
  const directory = await ownDirectory(common);
  return {
    directory,
    common,
    others: usual !== common && existsSync(usual) ? usual : undefined,
    keep: async (file, content) => {
      const path = joinPath(directory, file);
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

/** Used where the directory for temporary files lies in what a command may write. */
const otherBases = ["/var/tmp", "/tmp", "/dev/shm"];

/**
 * Where the directory is made. What lies deeper in a tree that a command may write can be left out of it, but a directory
 * on the way there can be renamed and made again with other content, which the next command would start with.
 */
async function baseFor(policy: SandboxPolicy, canLeaveOut: boolean): Promise<string> {
  const base = await realpath(tmpdir());
  const trees = [...policy.writable, ...policy.granted];
  const open = trees.find(({ path }) => isWithin(path, base));
  if (open === undefined || (canLeaveOut && open.path === base)) return base;
  for (const other of canLeaveOut ? otherBases : []) {
    const real = await realpath(other).catch(() => undefined);
    const isOpen = real === undefined || trees.some(({ path }) => isWithin(path, real));
    if (!isOpen && isWritable(real)) return real;
  }
  throw new ToolError(
    "UNAVAILABLE",
    `The sandbox cannot keep its files in ${base}, which it may write.`,
    {
      hint: `Do not open ${open.path} for writing, or set TMPDIR to a directory outside of it.`,
    },
  );
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
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
