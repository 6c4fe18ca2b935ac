import { ToolError, type Host, type PathTurns } from "../../core/index.ts";
import { isRecord, isWithin, pathBelow } from "../../text/index.ts";

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
  /** Paths that changed since the workspace was trusted. */
  readonly changed: readonly string[];
  /** Configuration to trust: paths below the workspace. Empty if the workspace has none. */
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
  const record = (await readTrust(options))[options.workspace];
  // Files that are not trusted are only listed, not hashed: they may be of any size.
  return stateOf(
    record,
    await configurationHashes(options, record === undefined ? "name" : "content"),
  );
}

/** Trust state that results from a record and the present configuration. */
export function stateOf(
  record: TrustRecord | undefined,
  hashes: Readonly<Record<string, string>>,
): TrustState {
  const brings = Object.keys(hashes);
  if (record === undefined) return { trusted: false, changed: [], brings };
  const names = new Set([...brings, ...Object.keys(record.files)]);
  const changed = [...names].filter((name) => hashes[name] !== record.files[name]).toSorted();
  return { trusted: changed.length === 0, changed, brings };
}

/** Default directory of a workspace's records; with an id, those of a workspace on another host. */
export function defaultDataDirectory(home: string, workspace: string, hostId?: string): string {
  const name = workspace.slice(workspace.lastIndexOf("/") + 1).replaceAll(/[^\w.-]+/gu, "-");
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const digest = createHash("sha256")
    .update(hostId === undefined ? workspace : `${hostId}\0${workspace}`)
    .digest("hex")
    .slice(0, 16);
  return `${home}/.local/share/haft/${name === "" ? "root" : name}-${digest}`;
}

/** Configuration that was trusted, and when. */
export interface TrustRecord {
  /** `sha256:` of each file, by path below the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Path of the records. */
export function trustRecords({ dataDirectory }: Pick<TrustOptions, "dataDirectory">): string {
  return `${dataDirectory}/trust.json`;
}

/** Reads the records, by workspace. */
export async function readTrust(
  options: Pick<TrustOptions, "dataDirectory"> & { readonly host: Pick<Host, "fs"> },
): Promise<Readonly<Record<string, TrustRecord>>> {
  const { fs } = options.host;
  let text: string;
  try {
    text = new TextDecoder().decode((await fs.readFile(trustRecords(options))).bytes);
  } catch (error) {
    if (ToolError.is(error) && isAbsent.has(error.code)) return {};
    throw error;
  }
  return recordsIn(text);
}

/** Records in the content of their file, by workspace. An invalid record counts as not trusted. */
export function recordsIn(text: string): Readonly<Record<string, TrustRecord>> {
  const records: Record<string, TrustRecord> = {};
  for (const [workspace, record] of Object.entries(workspacesIn(text))) {
    if (isTrustRecord(record)) records[workspace] = record;
  }
  return records;
}

/**
 * Returns a check whether a file of the workspace still has the content with which the workspace was trusted. Without a
 * record, as where a program trusts it for once, every content counts.
 */
export async function trustedContent(
  options: Pick<TrustOptions, "workspace" | "dataDirectory"> & { readonly host: Pick<Host, "fs"> },
): Promise<(path: string, hash: string | undefined) => boolean> {
  const record = (await readTrust(options))[options.workspace];
  return (path, hash) => {
    const name = pathBelow(options.workspace, path);
    return record === undefined || name === undefined || record.files[name] === hash;
  };
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

const isAbsent: ReadonlySet<string> = new Set(["NOT_FOUND", "NOT_A_DIRECTORY"]);

/** Configuration of the workspace, by path below it: a hash of each file, or only a sign that it exists. */
export async function configurationHashes(
  options: TrustOptions,
  of: "name" | "content" = "content",
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const name of trustedConfiguration) await addHashes(name, hashes, { ...options, of });
  for (const name of await scriptNames(Object.keys(hashes), options)) {
    if (hashes[name] === undefined) await addHashes(name, hashes, { ...options, of });
  }
  return hashes;
}

const maxSettingsBytes = 4_000_000;

/** Files whose fields may have hooks, and settings. */
const hookFiles = /\/settings(?:\.local)?\.json$|\/SKILL\.md$|\/agents\/.*\.md$/u;

/** Scripts in the workspace that its hooks run. */
async function scriptNames(
  names: readonly string[],
  { host, workspace }: TrustOptions,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names.filter((each) => hookFiles.test(each))) {
    const path = await host.fs.canonical(`${workspace}/${name}`).catch(() => undefined);
    if (path === undefined) continue;
    const file = await host.fs
      .readFile(path, { maxBytes: maxSettingsBytes })
      .catch(() => undefined);
    const text = file === undefined ? "" : new TextDecoder().decode(file.bytes);
    if (!text.includes("hooks")) continue;
    // Loaded with the first workspace that has hooks.
    const { scriptsOfDocument, scriptsOfHooks } = await import("../hooks/load-hooks.ts");
    const scripts = name.endsWith(".md") ? scriptsOfDocument : scriptsOfHooks;
    found.push(...(await scripts(text, { host, workspace })));
  }
  return found;
}

/** Adds the hash of a file, or of every file in a directory. */
export async function addHashes(
  name: string,
  hashes: Record<string, string>,
  options: TrustOptions & {
    readonly of?: "name" | "content";
    /** Linked directories that were hashed already, so that links in a circle end. */
    readonly followed?: Set<string>;
  },
): Promise<void> {
  const { host, workspace } = options;
  const path = `${workspace}/${name}`;
  try {
    const { kind, size } = await host.fs.stat(path);
    if (kind === "directory") {
      const names: string[] = [];
      for await (const entry of host.fs.list(path)) names.push(entry.name);
      for (const each of names.toSorted()) await addHashes(`${name}/${each}`, hashes, options);
    } else if (kind === "symlink" && (await addLinked(name, hashes, options))) {
      hashes[name] = options.of === "name" ? "" : `link:${await host.fs.readLink(path)}`;
    } else if (options.of === "name") {
      hashes[name] = "";
    } else if (kind === "symlink") {
      // The target of a link may change independently of the link, so both count. A link that is broken or circular
      // must not keep the user from revoking trust.
      const target = await host.fs.canonical(path).catch(() => path);
      const content = await host.fs.readFile(target).catch(() => undefined);
      hashes[name] = `link:${await host.fs.readLink(path)}:${content?.hash ?? "none"}`;
    } else if (kind === "file") {
      hashes[name] = (await host.fs.readFile(path)).hash;
    } else {
      hashes[name] = `${kind}:${size}`;
    }
  } catch (error) {
    if (ToolError.is(error) && isAbsent.has(error.code)) return;
    throw error;
  }
}

/** Adds the files of a linked directory in the workspace; whether it is one. One that contains the link is not followed. */
async function addLinked(
  name: string,
  hashes: Record<string, string>,
  options: Parameters<typeof addHashes>[2],
): Promise<boolean> {
  const { host, workspace, followed = new Set<string>() } = options;
  const path = `${workspace}/${name}`;
  const target = await host.fs.canonical(path).catch(() => path);
  const below = pathBelow(workspace, target);
  if (below === undefined || below === "" || isWithin(target, path)) return false;
  const found = await host.fs.stat(target).catch(() => undefined);
  if (found?.kind !== "directory") return false;
  if (followed.has(target)) return true;
  followed.add(target);
  for await (const entry of host.fs.list(target)) {
    await addHashes(`${below}/${entry.name}`, hashes, { ...options, followed });
  }
  return true;
}

function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["files"]))
    return false;
  return Object.values(value["files"]).every((hash) => typeof hash === "string");
}
