import { accessSync, constants, existsSync, lstatSync } from "node:fs";
import { mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isWithin, joinPath } from "../text/index.ts";
import { privateFolderName, ToolError } from "../core/index.ts";
import { ownedDirectory, temporaryFileError } from "./owned-directory.ts";
import type { SandboxPolicy } from "./policy/policy.ts";

export interface PrivateFiles {
  readonly directory: string;
  /** Directory of the private files of every sandbox of this user; the writable paths of a command must exclude it. */
  readonly common: string;
  /** Directory of the private files of other sandboxes, if it is a different one. */
  readonly others: string | undefined;
  /** Writes a file and returns its path. */
  keep(name: string, content: string | Uint8Array): Promise<string>;
  dispose(): Promise<void>;
}

export interface PrivateFilesOptions {
  /** Whether the driver can exclude `common` from what the policy opens. */
  readonly canLeaveOut?: boolean;
}

/**
 * Creates a directory for files that a wrapper reads at each start. A command that could write there could disable its
 * own sandbox.
 */
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
      try {
        await writeFile(path, content, { mode: 0o600 });
      } catch (error) {
        throw temporaryFileError(error, directory);
      }
      return path;
    },
    dispose: async () => {
      await rm(directory, { recursive: true, force: true });
      // The last sandbox removes the common directory.
      await rmdir(common).catch(() => undefined);
    },
  };
}

/** Used if the directory for temporary files is writable for the command. */
const otherBases = ["/var/tmp", "/tmp", "/dev/shm"];

/**
 * Returns the base of the directory. A path deep in a writable tree can be excluded, but a directory on the way to it
 * can be renamed and created again with other content, which the next command would start with.
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
      // In a directory that everyone may write, another user may have created it first.
      if (uid !== (process.getuid?.() ?? uid) || (mode & 0o077) !== 0) throw notOurs(common);
      return await ownedDirectory(common, "haft-sandbox");
    } catch (cause) {
      const error = temporaryFileError(cause, common);
      // Another sandbox may have removed it as the last one.
      if (ToolError.is(error) || attempt === attempts) throw error;
    }
  }
}

function notOurs(path: string): ToolError {
  return new ToolError(
    "UNAVAILABLE",
    `${path} is open to others, so haft stores no files of sandboxes there.`,
    {
      hint: "Remove it, or set TMPDIR to a directory of your own.",
    },
  );
}
