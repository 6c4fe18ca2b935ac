import type { Host } from "../../core/index.ts";
import { inBatches, isWithin, joinPath, protectedMatch } from "../../text/index.ts";
import { hashFiles, isSameHash, trustName } from "./hash-files.ts";
import { trustRecord, type TrustOptions, type TrustRecord } from "./trust.ts";

/** Files of a workspace, compared with the content with which the user trusted it. */
export interface TrustedFiles {
  /** The record of trust; without one, as where a program trusts the workspace for once, every content counts. */
  readonly record: TrustRecord | undefined;
  /** Whether a hash is that of the trusted content; undefined stands for a file that is absent. */
  has(path: string, hash: string | undefined): Promise<boolean>;
  /** Reads the text of a file; undefined if it is absent, or its content is not the trusted one. */
  read(path: string, options: { readonly maxBytes: number }): Promise<string | undefined>;
  /** Returns the first of these files, or of the files below these directories, that is not the trusted one. */
  findChange(paths: readonly string[]): Promise<string | undefined>;
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
