import { ToolError, type Host } from "../../core/index.ts";
import { isNotFound, isRecord } from "../../text/index.ts";

/** Source of an installed plugin, from which it is updated. */
export interface PluginSource {
  /** Directory, address of a repository, or `owner/name` on GitHub. */
  readonly from: string;
  /** Branch, tag or commit. */
  readonly ref?: string;
  /** Name in the marketplace of the source. */
  readonly entry?: string;
}

/** A plugin as `plugins.json` records it. */
export interface InstalledPlugin {
  readonly name: string;
  /** Hash of its files: its identity. */
  readonly hash: string;
  /** Name of its directory, next to `plugins.json`; another one for each version. */
  readonly directory: string;
  readonly source: PluginSource;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Versions that were replaced; a session that began before may still use them. */
interface ReplacedVersion {
  readonly directory: string;
  readonly at: number;
}

export interface PluginStore {
  readonly plugins: readonly InstalledPlugin[];
  readonly replaced: readonly ReplacedVersion[];
  /** Hash of the file as it was read; null if there is none. */
  readonly hash: string | null;
}

/** Directory of plugins below a workspace or a home directory. */
export const pluginDirectory = ".haft/plugins";

/** Records of the plugins of a directory. */
export const pluginRecords = "plugins.json";

const maxBytes = 1_000_000;

/** Milliseconds for which a replaced version is kept for sessions that use it. */
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** Reads the plugins installed below a workspace or home directory. Throws INVALID_INPUT if the records are not valid. */
export async function readPluginStore(base: string, host: Pick<Host, "fs">): Promise<PluginStore> {
  const path = `${base}/${pluginDirectory}/${pluginRecords}`;
  let file: { readonly bytes: Uint8Array; readonly hash: string };
  try {
    file = await host.fs.readFile(await host.fs.canonical(path), { maxBytes });
  } catch (error) {
    if (isNotFound(error)) {
      return { plugins: [], replaced: [], hash: null };
    }
    throw error;
  }
  const value = parsed(new TextDecoder().decode(file.bytes));
  if (!isRecord(value) || value["version"] !== 1 || !isRecord(value["plugins"])) {
    throw new ToolError("INVALID_INPUT", `${path} does not record plugins in a form haft knows.`, {
      hint: "Restore the file, or remove it and add the plugins again.",
    });
  }
  const plugins = Object.entries(value["plugins"]).map(([name, entry]) => {
    const plugin = installed(name, entry);
    if (plugin !== undefined) return plugin;
    throw new ToolError("INVALID_INPUT", `${path} records ${JSON.stringify(name)} wrongly.`, {
      hint: "Restore the file, or remove it and add the plugins again.",
    });
  });
  const given: unknown = value["replaced"];
  const replaced: readonly unknown[] = Array.isArray(given) ? given : [];
  return { plugins, replaced: replaced.flatMap(replacedVersion), hash: file.hash };
}

/**
 * Records plugins in one step: a session that starts sees either all of the old versions or all of the new ones.
 * Versions replaced long ago are removed. Throws STALE_READ if another process changed the records meanwhile.
 */
export async function writePluginStore(
  base: string,
  {
    before,
    plugins,
  }: { readonly before: PluginStore; readonly plugins: readonly InstalledPlugin[] },
  host: Pick<Host, "fs" | "clock">,
): Promise<void> {
  const directory = `${base}/${pluginDirectory}`;
  const now = host.clock.now();
  const isUsed = new Set(plugins.map((each) => each.directory));
  const old = [
    ...before.replaced,
    ...before.plugins.map((each) => ({ directory: each.directory, at: now })),
  ].filter((each) => !isUsed.has(each.directory));
  const expired = old.filter(({ at }) => now - at > keptMs);
  const replaced = old.filter((each) => !expired.includes(each));
  const entries = Object.fromEntries(plugins.map(({ name, ...rest }) => [name, rest]));
  const text = `${JSON.stringify({ version: 1, plugins: entries, replaced }, undefined, 2)}\n`;
  await host.fs.mkdir(directory);
  await host.fs.writeAtomic(`${directory}/${pluginRecords}`, new TextEncoder().encode(text), {
    ifMatch: before.hash,
  });
  for (const { directory: name } of expired) {
    await host.fs.remove(`${directory}/${name}`, { recursive: true }).catch(() => undefined);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const directoryPattern = /^[a-z0-9][a-z0-9-]*\.[0-9a-f]{16}$/u;

function installed(name: string, entry: unknown): InstalledPlugin | undefined {
  if (!isRecord(entry) || !isRecord(entry["source"])) return undefined;
  const { hash, directory, at } = entry;
  const { from, ref, entry: of } = entry["source"];
  if (typeof hash !== "string" || !/^sha256:[0-9a-f]{64}$/u.test(hash)) return undefined;
  if (typeof directory !== "string" || !directoryPattern.test(directory)) return undefined;
  if (typeof at !== "number" || typeof from !== "string") return undefined;
  const source = {
    from,
    ...(typeof ref === "string" ? { ref } : {}),
    ...(typeof of === "string" ? { entry: of } : {}),
  };
  return { name, hash, directory, source, at };
}

function replacedVersion(value: unknown): readonly ReplacedVersion[] {
  if (!isRecord(value)) return [];
  const { directory, at } = value;
  if (typeof directory !== "string" || !directoryPattern.test(directory)) return [];
  return typeof at === "number" ? [{ directory, at }] : [];
}
