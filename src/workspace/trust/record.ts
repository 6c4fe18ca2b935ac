import { pathBelow } from "../../text/index.ts";
import { changeRecords } from "../settings/change-file.ts";
import {
  addHashes,
  configurationHashes,
  readTrust,
  recordsIn,
  stateOf,
  trustRecords,
  type TrustOptions,
  type TrustRecord,
  type TrustState,
} from "./trust.ts";

/** Files that the user reviews before trusting a workspace. */
export interface TrustReview extends TrustState {
  /** Present content to trust: a hash for each path below the workspace. */
  readonly files: Readonly<Record<string, string>>;
}

/** Reports whether a workspace is trusted, and exactly which files trust would cover. */
export async function reviewTrust(options: TrustOptions): Promise<TrustReview> {
  const record = (await readTrust(options))[options.workspace];
  // Hashed once: the files reported and the files that would be recorded must be the same.
  const files = await configurationHashes(options);
  return { ...stateOf(record, files), files };
}

/**
 * Records that the user trusts the workspace with exactly these files, those of the review they saw; undefined revokes
 * the trust. A file that changed since the review is not trusted.
 */
export async function recordTrust(
  options: TrustOptions,
  files: Readonly<Record<string, string>> | undefined,
): Promise<void> {
  await changeRecord(options, () => files);
}

/**
 * Records that one file of a trusted workspace was changed with the user's approval; no other change is accepted. With a
 * `hash`, only the content that has it is trusted, also if another program changed the file meanwhile.
 */
export async function acceptChange(
  options: TrustOptions,
  file: string,
  hash?: string,
): Promise<void> {
  const name = pathBelow(options.workspace, file);
  if (name === undefined) return;
  const hashes: Record<string, string> = {};
  if (hash === undefined) await addHashes(name, hashes, options);
  else hashes[name] = hash;
  await changeRecord(options, (files) => files && { ...files, ...hashes });
}

type TrustedFiles = TrustRecord["files"];

/** Changes the record of the workspace, and no other one. */
async function changeRecord(
  options: TrustOptions,
  change: (files: TrustedFiles | undefined) => TrustedFiles | undefined,
): Promise<void> {
  const { host, workspace } = options;
  await changeRecords(
    trustRecords(options),
    (text) => {
      const records = new Map(Object.entries(text === undefined ? {} : recordsIn(text)));
      const before = records.get(workspace)?.files;
      const files = change(before);
      if (files === undefined && before === undefined) return undefined;
      if (files === undefined) records.delete(workspace);
      else records.set(workspace, { files, at: host.clock.now() });
      return records;
    },
    options,
  );
}
