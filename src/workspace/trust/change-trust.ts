import { changeRecords } from "../settings/change-file.ts";
import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { trustName, unhashed, type FileHashes } from "./hash-files.ts";
import type { StartedProgram } from "./commands/command-words.ts";
import type { CoverageChange } from "./commands/started-programs.ts";
import { readConfiguration, trustedConfiguration } from "./configuration.ts";
import {
  recordsIn,
  trustRecord,
  trustRecords,
  writtenRecords,
  type TrustedGuards,
  type TrustOptions,
} from "./record.ts";
import { stateOf, type TrustState } from "./trust.ts";
import { filesOfRecord } from "./trusted-files.ts";

/** Files that the user reviews before trusting a workspace. */
export interface TrustReview extends TrustState {
  /** Present content to trust: a hash for each path. */
  readonly files: FileHashes;
  /** Commands that it starts. */
  readonly programs: readonly TrustedProgram[];
}

/** A command of a hook, an MCP server, a checker or a language server. */
export interface TrustedProgram {
  /** As in "hook PreToolUse" or "MCP server github". */
  readonly what: string;
  /** The command as it is written. */
  readonly command: string;
  /** Parts of it whose files are not known before it runs, so that trust does not cover them. */
  readonly uncovered: readonly string[];
}

/** Reports whether a workspace is trusted, and exactly which files trust would cover. */
export async function reviewTrust(options: TrustOptions): Promise<TrustReview> {
  const record = await trustRecord(options);
  // Hashed once: the files reported and the files that would be recorded must be the same.
  const { hashes: files, programs } = await readConfiguration(options);
  return { ...stateOf(record, files), files, programs: await describePrograms(programs) };
}

async function describePrograms(
  programs: readonly StartedProgram[],
): Promise<readonly TrustedProgram[]> {
  if (programs.length === 0) return [];
  const { uncoveredParts } = await import("./commands/uncovered-parts.ts");
  return programs.map(({ what, command }) => ({
    what,
    command: typeof command === "string" ? command : command.join(" "),
    uncovered: uncoveredParts({ command }),
  }));
}

/**
 * Records that the user trusts the workspace with exactly these files, those of the review they saw; undefined revokes
 * the trust. A file that changed since the review is not trusted.
 */
export async function recordTrust(
  options: TrustOptions,
  files: FileHashes | undefined,
): Promise<void> {
  for (const [name, hash] of files ?? []) {
    if (hash !== unhashed) continue;
    throw new ToolError(
      "TOO_LARGE",
      `${name} holds more than can be compared, so nothing was trusted.`,
      {
        hint: "Move what is not configuration out of it, or remove the link that leads there.",
        data: { path: name },
      },
    );
  }
  await changeRecord(options, () => files);
}

/** A file that was written with the user's approval, and the files that its programs run. */
export interface AcceptedChange extends Partial<CoverageChange> {
  readonly path: string;
  readonly hash: string;
}

/**
 * Records that one file of a trusted workspace was changed with the user's approval, with the files of the programs that
 * it starts; no other change is accepted. Only content that has the hash is trusted, also if another program changed the
 * file meanwhile.
 */
export async function acceptChange(
  options: TrustOptions,
  { path, hash, added = new Map(), removed = new Set() }: AcceptedChange,
): Promise<void> {
  const { host, workspace } = options;
  const name = trustName(workspace, await host.fs.canonical(path));
  const named = removed.size === 0 ? undefined : (await readConfiguration(options)).hashes;
  await changeRecord(options, (files) => {
    if (files === undefined) return undefined;
    const kept = [...files].filter(([each]) => !removed.has(each) || named?.has(each) === true);
    // A recorded hash stays: another program may have changed it since it was compared.
    return new Map([...added, ...kept, [name, hash]]);
  });
}

/** Changes the record of the workspace, and no other one. */
async function changeRecord(
  options: TrustOptions,
  change: (files: FileHashes | undefined) => FileHashes | undefined,
): Promise<void> {
  const { host, workspace } = options;
  await changeRecords(
    trustRecords(options),
    async (text) => {
      const records = new Map(text === undefined ? [] : recordsIn(text));
      const before = records.get(workspace);
      const files = change(before?.files);
      if (files === undefined && before === undefined) return undefined;
      if (files === undefined) records.delete(workspace);
      else {
        const guards = await guardsIn(files, before?.guards ?? [], options);
        const at = host.clock.now();
        records.set(workspace, { files, ...(guards.length === 0 ? {} : { guards }), at });
      }
      return writtenRecords(records);
    },
    options,
  );
}

/** Hooks before calls in trusted settings. Of a file that is not the trusted one, those that were recorded stay. */
async function guardsIn(
  files: FileHashes,
  before: readonly TrustedGuards[],
  options: TrustOptions,
): Promise<readonly TrustedGuards[]> {
  const { host, workspace } = options;
  const trusted = filesOfRecord({ files, at: 0 }, options);
  const guards: TrustedGuards[] = [];
  for (const name of trustedConfiguration.filter((each) => settingsFile.test(each))) {
    const file = `${workspace}/${name}`;
    if (!files.has(trustName(workspace, await host.fs.canonical(file).catch(() => file)))) continue;
    const text = await trusted.read(file, { maxBytes: maxSettingsBytes });
    if (text === undefined) guards.push(...before.filter((each) => each.file === file));
    else if (mayHaveHooks.test(text)) {
      // Loaded with the first workspace that has hooks.
      const { readSettingsText } = await import("../settings/settings-text.ts");
      const { value } = readSettingsText(text);
      if (!isRecord(value)) continue;
      if (value["disableAllHooks"] === true) return [];
      const hooks = isRecord(value["hooks"]) ? value["hooks"]["PreToolUse"] : undefined;
      if (hooks !== undefined) guards.push({ file, hooks });
    }
  }
  return guards;
}

/** A text that may have the key of hooks, or switch them off; letters of a key can be written with escapes. */
const mayHaveHooks = /hooks|\\u/iu;

const settingsFile = /\/settings(?:\.local)?\.json$/u;
const maxSettingsBytes = 4_000_000;
