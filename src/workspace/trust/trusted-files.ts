import { ToolError, type Host } from "../../core/index.ts";
import { inBatches, isWithin, joinPath, protectedMatch } from "../../text/index.ts";
import { hashFiles, isSameHash, tooManyFiles, trustName } from "./hash-files.ts";
import type { StartedProgram } from "./commands/command-words.ts";
import { trustRecord, type TrustOptions, type TrustRecord } from "./record.ts";

/** Files of a workspace, compared with the content with which the user trusted it. */
export interface TrustedFiles {
  /** The record of trust; without one, as where a program trusts the workspace for once, every content counts. */
  readonly record: TrustRecord | undefined;
  /** Whether a hash is that of the trusted content; undefined stands for a file that is absent. */
  has(path: string, hash: string | undefined): Promise<boolean>;
  /** Whether a file, named by its canonical path, is recorded. */
  covers(path: string): boolean;
  /** Reads the text of a file; undefined if it is absent, or its content is not the trusted one. */
  read(path: string, options: { readonly maxBytes: number }): Promise<string | undefined>;
  /** Returns the first of these files, or of the files below these directories, that is not the trusted one. */
  findChange(paths: readonly string[]): Promise<string | undefined>;
}

/** Trust that a kit was opened with. Readers get it, so that all of them compare with the same content. */
export interface OpenedTrust {
  /** Whether the workspace is trusted, by its record or for once. */
  readonly trusted: boolean;
  /** Content with which it was trusted; undefined where it is not, or a program trusts it as it is. */
  readonly recorded: TrustedFiles | undefined;
}

/** Whether what was read from a file of the workspace counts. */
export async function isTrustedContent(
  { trusted, recorded }: OpenedTrust,
  path: string,
  hash: string | undefined,
): Promise<boolean> {
  return trusted && (await recorded?.has(path, hash)) !== false;
}

export type TrustedFilesOptions = Pick<TrustOptions, "workspace" | "dataDirectory"> & {
  readonly host: Pick<Host, "fs">;
};

/**
 * Opens the trusted content of a workspace. What is read of its configuration counts only after this comparison: the
 * file may have been replaced since the whole workspace was compared.
 */
export async function trustedFiles(options: TrustedFilesOptions): Promise<TrustedFiles> {
  const record = await trustRecord(options);
  return filesOfRecord(record, options);
}

/** The same for a record that is known, or for content that takes its place. */
export function filesOfRecord(
  record: TrustRecord | undefined,
  { host, workspace }: Pick<TrustedFilesOptions, "host" | "workspace">,
): TrustedFiles {
  const has: TrustedFiles["has"] = async (path, hash) => {
    if (record === undefined) return true;
    const canonical = await host.fs.canonical(path).catch(() => path);
    return isSameHash(hash, record.files.get(trustName(workspace, canonical)));
  };
  return {
    record,
    has,
    covers: (path) => record?.files.has(trustName(workspace, path)) === true,
    async read(path, { maxBytes }) {
      const canonical = await host.fs.canonical(path).catch(() => path);
      const found = await host.fs.readFile(canonical, { maxBytes }).catch(() => undefined);
      if (found === undefined || !(await has(canonical, found.hash))) return undefined;
      return new TextDecoder().decode(found.bytes);
    },
    async findChange(paths) {
      if (record === undefined) return undefined;
      const now = await hashFiles(paths, { host, workspace });
      // Those that are gone as well, which are recorded where links led.
      const roots = await inBatches(paths, async (path) => {
        const full = joinPath(workspace, path);
        const target = await host.fs.canonical(full).catch(() => full);
        return [trustName(workspace, full), trustName(workspace, target)];
      });
      const recorded = [...record.files.keys()].filter((name) =>
        roots.flat().some((root) => name === root || name.startsWith(`${root}/`)),
      );
      return [...now.keys(), ...recorded].find(
        (name) => !isSameHash(now.get(name), record.files.get(name)),
      );
    },
  };
}

/** Whether the user has ended the trust that a kit was opened with: what it brings is then not used any more. */
export async function isTrustRevoked(
  { recorded }: Pick<OpenedTrust, "recorded">,
  options: TrustedFilesOptions,
): Promise<boolean> {
  return recorded?.record !== undefined && (await trustRecord(options)) === undefined;
}

/** A program of the workspace that is about to start. */
export interface CheckedProgram {
  readonly program: Omit<StartedProgram, "what">;
  /** File of the workspace that defines it; undefined if it may be the user's, which may run what trust does not cover. */
  readonly file: string | undefined;
  /** Its name, for users. */
  readonly what: string;
}

/**
 * For a kit that was opened with a record of trust: rejects with PERMISSION_DENIED if a file that the program runs, or
 * that defines it, is not the trusted one.
 */
export async function verifyProgram(
  { program, file, what }: CheckedProgram,
  options: TrustedFilesOptions,
): Promise<void> {
  const recorded = await trustedFiles(options);
  if (recorded.record === undefined) {
    // The user has ended trust since the kit was opened; programs of the user need none.
    if (file === undefined) return;
    throw new ToolError(
      "PERMISSION_DENIED",
      `${what} was not started: the workspace is not trusted any more.`,
      { hint: "haft trust add trusts it again." },
    );
  }
  const { filesOfProgram } = await import("./commands/program-files.ts");
  const { files } = recorded.record;
  const run = await filesOfProgram(program, options);
  const changed = await recorded.findChange(
    file === undefined
      ? run.filter((name) => files.has(name) || name === tooManyFiles)
      : [trustName(options.workspace, file), ...run],
  );
  if (changed === undefined) return;
  throw new ToolError(
    "PERMISSION_DENIED",
    `${what} was not started: ${changed} changed after the workspace was trusted.`,
    { hint: "haft trust show names what changed; haft trust add trusts it as it is." },
  );
}

/** Rejects with PERMISSION_DENIED if a file that a server of the workspace runs is not the trusted one. */
export async function verifyServer(
  {
    entry,
    ...about
  }: Omit<CheckedProgram, "program"> & {
    readonly entry: Readonly<Record<string, unknown>>;
  },
  options: TrustedFilesOptions,
): Promise<void> {
  const { programOfServer } = await import("./commands/started-programs.ts");
  const program = programOfServer(entry);
  if (program !== undefined) await verifyProgram({ ...about, program }, options);
}

/** Files of the workspace that trust covers and that are not protected by their names, such as scripts of hooks. */
export function coveredPaths(
  { record }: Pick<TrustedFiles, "record">,
  workspace: string,
): readonly string[] {
  return [...(record?.files.keys() ?? [])]
    .map((name) => (name.startsWith("/") ? name : `${workspace}/${name}`))
    .filter(
      (path) => isWithin(workspace, path) && protectedMatch(path, workspace.length) === undefined,
    );
}
