import { ToolError, type Host } from "../core/index.ts";

export interface TrustOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Canonical. */
  readonly workspace: string;
  /** Where this system keeps its own records, outside every workspace. */
  readonly dataDirectory: string;
}

/** Whether a person trusts what a workspace brings, as it is now. */
export interface TrustState {
  readonly trusted: boolean;
  /** Trusted before, and its configuration has changed since. */
  readonly changed: readonly string[];
  /** What there is to trust: paths below the workspace. Empty: the workspace brings nothing. */
  readonly brings: readonly string[];
}

/** Files and folders of a workspace that run code or widen what a session may do. */
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
];

/** Trust holds for a folder and the exact configuration it had; any change to that asks again. */
export async function isTrusted(options: TrustOptions): Promise<TrustState> {
  const record = (await readTrust(options))[options.workspace];
  // What nobody trusts is only named: it may be of any size.
  return stateOf(
    record,
    await configurationHashes(options, record === undefined ? "name" : "content"),
  );
}

/** What a record says about what a workspace brings. */
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

/** Where a workspace's records lie unless somebody names another folder. */
export function defaultDataDirectory(home: string, workspace: string): string {
  const name = workspace.slice(workspace.lastIndexOf("/") + 1).replaceAll(/[^\w.-]+/gu, "-");
  // Not an import: that would evaluate all of `node:crypto`.
  const { createHash } = process.getBuiltinModule("node:crypto");
  const digest = createHash("sha256").update(workspace).digest("hex").slice(0, 16);
  return `${home}/.local/share/haft/${name === "" ? "root" : name}-${digest}`;
}

/** What was trusted, and when. */
export interface TrustRecord {
  /** `sha256:` of each file, by path below the workspace. */
  readonly files: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** The file of the records. */
export function trustRecords({ dataDirectory }: Pick<TrustOptions, "dataDirectory">): string {
  return `${dataDirectory}/trust.json`;
}

/** What is recorded, by workspace. Whatever is no record of ours counts as no trust. */
export async function readTrust(
  options: TrustOptions,
): Promise<Readonly<Record<string, TrustRecord>>> {
  const { fs } = options.host;
  let text: string;
  try {
    text = new TextDecoder().decode((await fs.readFile(trustRecords(options))).bytes);
  } catch (error) {
    if (ToolError.is(error) && isAbsent.has(error.code)) return {};
    throw error;
  }
  const records: Record<string, TrustRecord> = {};
  for (const [workspace, record] of Object.entries(workspacesIn(text))) {
    if (isTrustRecord(record)) records[workspace] = record;
  }
  return records;
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

/** What the workspace brings, by path below it: of each file what it is, or only that it is there. */
export async function configurationHashes(
  options: TrustOptions,
  of: "name" | "content" = "content",
): Promise<Readonly<Record<string, string>>> {
  const hashes: Record<string, string> = {};
  for (const name of trustedConfiguration) await addHashes(name, hashes, { ...options, of });
  return hashes;
}

/** Adds what one file is, or every one in a folder. */
export async function addHashes(
  name: string,
  hashes: Record<string, string>,
  options: TrustOptions & { readonly of?: "name" | "content" },
): Promise<void> {
  const { host, workspace } = options;
  const path = `${workspace}/${name}`;
  try {
    const { kind, size } = await host.fs.stat(path);
    if (kind === "directory") {
      for await (const entry of host.fs.list(path)) {
        await addHashes(`${name}/${entry.name}`, hashes, options);
      }
    } else if (options.of === "name") {
      hashes[name] = "";
    } else if (kind === "symlink") {
      // What a link names may change without it, so both count.
      // One that leads nowhere, or in a circle, must not keep anybody from taking trust back.
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

function isTrustRecord(value: unknown): value is TrustRecord {
  if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["files"]))
    return false;
  return Object.values(value["files"]).every((hash) => typeof hash === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
