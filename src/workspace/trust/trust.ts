import type { Host, PathTurns } from "../../core/index.ts";
import { inBatches, isRecord } from "../../text/index.ts";
import { hashFiles, isAbsent, isSameHash, type FileHashes } from "./hash-files.ts";
import type { StartedProgram } from "./command-words.ts";

export interface TrustOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Canonical path. */
  readonly workspace: string;
  /** Directory of this system's own records, outside every workspace. */
  readonly dataDirectory: string;
  /** Turns among the processes that change the records. */
  readonly turns?: PathTurns | undefined;
}

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

/** Files and directories of a workspace that run code or widen what a session may do. */
export const trustedConfiguration: readonly string[] = [
  ...[".haft", ".claude"].flatMap((folder) =>
    [
      "settings.json",
      "settings.local.json",
      "agents",
      "commands",
      "hooks",
      "plugins",
      "skills",
      "tools",
    ].map((name) => `${folder}/${name}`),
  ),
  ".mcp.json",
  ".agents/skills",
  ".agents/plugins",
  "skills-lock.json",
  ".haft/skills-lock.json",
];

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

/** Default directory of a workspace's records; with an id, those of a workspace on another host. */
export function defaultDataDirectory(home: string, workspace: string, hostId?: string): string {
  const name = workspace.slice(workspace.lastIndexOf("/") + 1).replaceAll(/[^\w.-]+/gu, "-");
  return `${dataDirectories(home)}/${name === "" ? "root" : name}-${workspaceId(workspace, hostId)}`;
}

/** Directory with the default data directories of all workspaces. */
export function dataDirectories(home: string): string {
  return `${home}/.local/share/haft`;
}

/** Id of a workspace in names of files; with an id of a host, that of a workspace there. */
export function workspaceId(workspace: string, hostId?: string): string {
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256")
    .update(hostId === undefined ? workspace : `${hostId}\0${workspace}`)
    .digest("hex")
    .slice(0, 16);
}

/** Configuration that was trusted, and when. */
export interface TrustRecord {
  /** `sha256:` of each file, by `trustName`. */
  readonly files: FileHashes;
  /** Hooks that may block calls, by settings file: calls that they match are asked about once trust has ended. */
  readonly guards?: readonly TrustedGuards[];
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Hooks before calls, as a trusted settings file has them. */
export interface TrustedGuards {
  readonly file: string;
  /** Value of `PreToolUse`. */
  readonly hooks: unknown;
}

/** Path of the records. */
export function trustRecords({ dataDirectory }: Pick<TrustOptions, "dataDirectory">): string {
  return `${dataDirectory}/trust.json`;
}

/** Record of the workspace; undefined where the user did not trust it. */
export async function trustRecord(
  options: Pick<TrustOptions, "workspace" | "dataDirectory"> & { readonly host: Pick<Host, "fs"> },
): Promise<TrustRecord | undefined> {
  const { fs } = options.host;
  try {
    const { bytes } = await fs.readFile(trustRecords(options));
    return recordsIn(new TextDecoder().decode(bytes)).get(options.workspace);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Records in the content of their file, by workspace. An invalid record counts as not trusted. */
export function recordsIn(text: string): ReadonlyMap<string, TrustRecord> {
  const records = new Map<string, TrustRecord>();
  for (const [workspace, record] of Object.entries(workspacesIn(text))) {
    const read = readRecord(record);
    if (read !== undefined) records.set(workspace, read);
  }
  return records;
}

/** The records as they are written. */
export function writtenRecords(
  records: ReadonlyMap<string, TrustRecord>,
): ReadonlyMap<string, unknown> {
  return new Map(
    [...records].map(([workspace, record]) => [
      workspace,
      { ...record, files: Object.fromEntries(record.files) },
    ]),
  );
}

function workspacesIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || value["version"] !== 1) return {};
    return isRecord(value["workspaces"]) ? value["workspaces"] : {};
  } catch {
    return {};
  }
}

/** Configuration of a workspace, and what it starts. */
export interface WorkspaceConfiguration {
  /** A hash of each file, or only a sign that it exists. */
  readonly hashes: FileHashes;
  /** Commands that it starts. */
  readonly programs: readonly StartedProgram[];
}

/** Reads the configuration of the workspace, with the files that its commands run. */
export async function readConfiguration(
  options: TrustOptions,
  of: "name" | "content" = "content",
): Promise<WorkspaceConfiguration> {
  const texts: (readonly [name: string, text: string])[] = [];
  const onText = {
    wants: (name: string) => startingFiles.test(name),
    read: (name: string, text: string) => void (mayStart.test(text) && texts.push([name, text])),
  };
  if (of === "name") {
    return { hashes: await hashFiles(trustedConfiguration, { ...options, of }), programs: [] };
  }
  const hashes = await hashFiles(trustedConfiguration, { ...options, onText });
  if (texts.length === 0) return { hashes, programs: [] };
  // Loaded with the first workspace that starts something.
  const { programsIn } = await import("./started-programs.ts");
  const { filesOfProgram, maxLookups } = await import("./program-files.ts");
  const found = await inBatches(texts, async ([name, text]) => await programsIn(name, text));
  const programs = found.flat();
  const where = { ...options, stats: new Map(), lookups: { left: maxLookups } };
  const files = await inBatches(programs, async (each) => await filesOfProgram(each, where));
  const run = await hashFiles(files.flat(), options);
  return { hashes: new Map([...hashes, ...run]), programs };
}

/** Files whose fields may have commands: settings, servers, skills and agents. */
const startingFiles = /\/settings(?:\.local)?\.json$|^\.mcp\.json$|\/SKILL\.md$|\/agents\/.*\.md$/u;

/** A text that may have the key of a command, which can be written with escapes. */
const mayStart = /command|\\[ux]/iu;

function readRecord(value: unknown): TrustRecord | undefined {
  if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["files"])) {
    return undefined;
  }
  const files = new Map<string, string>();
  for (const [name, hash] of Object.entries(value["files"])) {
    if (typeof hash !== "string") return undefined;
    files.set(name, hash);
  }
  const guards: readonly unknown[] = Array.isArray(value["guards"]) ? value["guards"] : [];
  const read = guards.flatMap((each) => {
    if (!isRecord(each) || typeof each["file"] !== "string") return [];
    return [{ file: each["file"], hooks: each["hooks"] }];
  });
  return { files, at: value["at"], ...(read.length === 0 ? {} : { guards: read }) };
}
