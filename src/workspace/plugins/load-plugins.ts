import { ToolError, type Host } from "../../core/index.ts";
import { inBatches, isRecord, messageOf } from "../../text/index.ts";
import { readPackage, type Package } from "../packages/package.ts";
import type { HookSource, SettingsProblem } from "../settings/loaded-settings.ts";
import type { TrustOptions } from "../trust/record.ts";
import { isTrustedContent, type OpenedTrust } from "../trust/trusted-files.ts";
import type { LoadedPlugins, Plugin, PluginServer } from "./plugin.ts";
import { pluginChanged } from "./plugin-tools.ts";
import {
  pluginDirectory,
  pluginRecords,
  readPluginStore,
  type InstalledPlugin,
} from "./plugin-store.ts";
import {
  readManifest,
  type PluginFiles,
  type PluginJson,
  type PluginManifest,
} from "./read-manifest.ts";
import { withPluginRoot } from "./plugin-root.ts";

export interface LoadPluginsOptions extends TrustOptions, OpenedTrust {
  readonly home: string;
}

/** Finds the plugins of a workspace and its user. Never rejects: one that cannot be read is listed with the reason. */
export async function findPlugins(options: LoadPluginsOptions): Promise<LoadedPlugins> {
  const { workspace, home, host } = options;
  const all: Plugin[] = [];
  const problems: SettingsProblem[] = [];
  const bases = home === workspace ? [workspace] : [workspace, home];
  for (const base of bases) {
    const scope = base === home ? "user" : "workspace";
    try {
      const store = await readPluginStore(base, host);
      if (scope === "workspace") await checkTrusted(store.hash, options);
      const read = await inBatches(
        store.plugins,
        async (each) => await readPlugin(each, base, host),
      );
      for (const each of read) {
        const plugin = openPlugin(each, { scope, before: all, options });
        all.push(plugin);
        problems.push(...problemsOf(plugin));
      }
    } catch (error) {
      const file = `${base}/${pluginDirectory}/${pluginRecords}`;
      const message = `No plugin of this file is used: ${messageOf(error)}`;
      problems.push({
        severity: "error",
        file,
        message,
        hint: "haft plugins check names all problems.",
      });
    }
  }
  return { all, problems };
}

/** The records of a trusted workspace must be the ones that were trusted: they hold the hashes of the plugins. */
async function checkTrusted(hash: string | null, options: LoadPluginsOptions): Promise<void> {
  if (!options.trusted) return;
  const name = `${pluginDirectory}/${pluginRecords}`;
  if (await isTrustedContent(options, `${options.workspace}/${name}`, hash ?? undefined)) return;
  throw new ToolError("PERMISSION_DENIED", `${name} changed after the workspace was trusted.`, {
    hint: "haft trust shows what changed.",
  });
}

/** An installed plugin with what its manifest says. */
interface ReadPlugin extends InstalledPlugin {
  /** Canonical path of its directory. */
  readonly root: string;
  readonly manifest: PluginManifest;
}

async function readPlugin(
  installed: InstalledPlugin,
  base: string,
  host: Pick<Host, "fs">,
): Promise<ReadPlugin> {
  const root = await host.fs.canonical(`${base}/${pluginDirectory}/${installed.directory}`);
  return { ...installed, root, manifest: await readManifest(filesAt(root, host)) };
}

interface Opening {
  readonly scope: Plugin["scope"];
  readonly before: readonly Plugin[];
  readonly options: LoadPluginsOptions;
}

function openPlugin(
  { name, hash, source, root, manifest }: ReadPlugin,
  { scope, before, options: { host, trusted } }: Opening,
): Plugin {
  const faults = manifest.problems
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
  // One that is not used takes no name, so that an untrusted workspace switches off nothing of the user.
  const first = before.find(
    (each) => each.name === name && each.faults.length === 0 && !each.needsTrust,
  );
  if (first !== undefined) faults.push(`The name ${name} is taken by ${first.root}.`);
  if (manifest.name !== "" && manifest.name !== name) {
    faults.push(`It calls itself ${manifest.name}, and not ${name} as when it was installed.`);
  }
  const verify = async (): Promise<void> => {
    const { hash: present } = await packageAt(root, host);
    if (present === hash) return;
    throw pluginChanged(name);
  };
  const needsTrust = scope === "workspace" && !trusted;
  const at = (path: string): string => `${root}/${path}`;
  const plugin = { name, root, hash, scope, source, manifest, faults, needsTrust, verify };
  const isUsable = faults.length === 0;
  const paths = (list: readonly string[]): readonly string[] => (isUsable ? list.map(at) : []);
  return {
    ...plugin,
    commands: paths(manifest.commands),
    agents: paths(manifest.agents),
    skills: paths(manifest.skills),
    hooks: isUsable ? manifest.hooks.map((json) => hooksOf(json, plugin)) : [],
    servers: isUsable ? serversOf(manifest, plugin) : [],
  };
}

async function packageAt(root: string, host: Pick<Host, "fs">): Promise<Pick<Package, "hash">> {
  try {
    return await readPackage(root, host);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    // A file was added, removed or replaced by something that no package holds.
    return { hash: "" };
  }
}

type PluginRoot = Pick<Plugin, "name" | "root" | "scope" | "needsTrust" | "verify">;

function hooksOf({ file, value, lineOf }: PluginJson, plugin: PluginRoot): HookSource {
  const { name, root, verify } = plugin;
  return {
    hooks: withRoot(value, root),
    disableAllHooks: false,
    scope: plugin.scope === "workspace" ? "project" : "user",
    file: `${root}/${file}`,
    isForeign: true,
    needsTrust: plugin.needsTrust,
    plugin: { name, root, verify },
    lineOf: (path) => lineOf(path),
  };
}

function serversOf(
  { mcpServers, languageServers }: PluginManifest,
  plugin: PluginRoot,
): readonly PluginServer[] {
  const { name: pluginName, root, scope, needsTrust, verify } = plugin;
  const kinds = [
    { kind: "mcp", list: mcpServers },
    { kind: "language", list: languageServers },
  ] as const;
  return kinds.flatMap(({ kind, list }) =>
    list.flatMap(({ file, value, lineOf }) =>
      Object.entries(isRecord(value) ? value : {}).map(([name, config]): PluginServer => {
        const line = lineOf([name]);
        return {
          kind,
          name,
          plugin: pluginName,
          config: withRoot(config, root),
          scope,
          needsTrust,
          file: `${root}/${file}`,
          ...(line === undefined ? {} : { line }),
          verify,
        };
      }),
    ),
  );
}

/** The value with the plugin's directory in place of its variable, in every text. */
function withRoot(value: unknown, root: string): unknown {
  if (typeof value === "string") return withPluginRoot(value, root);
  if (Array.isArray(value)) return value.map((each) => withRoot(each, root));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withRoot(each, root)]),
  );
}

function problemsOf({ name, root, manifest, faults }: Plugin): readonly SettingsProblem[] {
  const own = manifest.problems.map(({ file, ...problem }) => ({
    ...problem,
    file: `${root}/${file}`,
  }));
  if (faults.length === 0) return own;
  const message = `The plugin ${name} is not used: ${faults.join(" ")}`;
  return [
    { severity: "error", file: root, message, hint: "haft plugins update installs it again." },
  ];
}

function filesAt(root: string, { fs }: Pick<Host, "fs">): PluginFiles {
  // Most plugins have few of the parts that a manifest can name: one listing answers for those that are absent.
  const listing = namesIn(root, fs);
  const kind: PluginFiles["kind"] = async (path) => {
    if ((await listing)?.has(folded(path.split("/")[0] ?? "")) === false) return undefined;
    const found = (await fs.stat(`${root}/${path}`).catch(() => undefined))?.kind;
    return found === "file" || found === "directory" ? found : undefined;
  };
  return {
    kind,
    read: async (path) => {
      if ((await kind(path)) !== "file") return undefined;
      const { bytes } = await fs.readFile(`${root}/${path}`, { maxBytes: maxJsonBytes });
      return new TextDecoder().decode(bytes);
    },
  };
}

/** Names in a directory without their case; undefined where it cannot be listed. */
async function namesIn(
  directory: string,
  fs: Host["fs"],
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set<string>();
  try {
    for await (const { name } of fs.list(directory)) names.add(folded(name));
    return names;
  } catch {
    return undefined;
  }
}

/** A name as a file system that ignores case compares it. */
function folded(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

const maxJsonBytes = 4_000_000;
