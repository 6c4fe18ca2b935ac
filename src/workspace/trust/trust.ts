/**
 * Trust of the user in the configuration that a workspace brings: its settings, hooks, skills, agents and servers.
 *
 * - `trust.ts` compares the configuration as it is now with the record of trust.
 * - `configuration.ts` lists the files that trust covers, with those that their commands run.
 * - `hash-files.ts` hashes files, directories and what their links lead to.
 * - `record.ts` reads the records, which are in the data directory, outside every workspace.
 * - `change-trust.ts` reviews, records and revokes trust, and accepts a change that the user approved.
 * - `trusted-files.ts` compares one file or program directly before it is used.
 * - `commands/started-programs.ts` finds the commands that a file of configuration starts, `program-files.ts` the files
 *   that they run, `uncovered-parts.ts` what only a run can tell; `command-words.ts` and `computed-parts.ts` split them.
 *   `unproven-commands.ts` lists the commands for which nothing proves which files they run.
 *
 * Commands are not parsed with `src/shell`, which decides about one command that runs next, and refuses what it does not
 * understand. Trust names every file that a command might run, also in a text that is not bash, cannot be parsed or has
 * quotes within quotes; its records contain these files, so another way to split would end trust that users gave.
 */

import { readConfiguration } from "./configuration.ts";
import { isSameHash, type FileHashes } from "./hash-files.ts";
import { trustRecord, type TrustOptions, type TrustRecord } from "./record.ts";

/** Whether the user trusts the workspace's configuration in its present state. */
export interface TrustState {
  /** Whether the workspace is recorded as trusted, as it is now. */
  readonly trusted: boolean;
  /** Paths that changed since the workspace was trusted: below it, or absolute where a link leads outside. */
  readonly changed: readonly string[];
  /**
   * Configuration to trust: paths below the workspace, and absolute ones to which links of it lead. Empty if the
   * workspace has none.
   */
  readonly brings: readonly string[];
}

/**
 * Reports whether a workspace is trusted. Trust applies to a directory and the exact configuration it had; any change
 * requires it again.
 */
export async function isTrusted(options: TrustOptions): Promise<TrustState> {
  return await trustState(await trustRecord(options), options);
}

/** The same for a record that was read. */
export async function trustState(
  record: TrustRecord | undefined,
  options: TrustOptions,
): Promise<TrustState> {
  // Files that are not trusted are only listed, not read: they may be of any size, and name any number of others.
  const of = record === undefined ? "name" : "content";
  return stateOf(record, (await readConfiguration(options, of)).hashes);
}

/** Trust state that results from a record and the present configuration. */
export function stateOf(record: TrustRecord | undefined, hashes: FileHashes): TrustState {
  const brings = [...hashes.keys()];
  if (record === undefined) return { trusted: false, changed: [], brings };
  const names = new Set([...brings, ...record.files.keys()]);
  const changed = [...names]
    .filter((name) => !isSameHash(hashes.get(name), record.files.get(name)))
    .toSorted();
  return { trusted: changed.length === 0, changed, brings };
}
