import { pathExists } from "../../text/index.ts";
import type { LoadPluginsOptions } from "./load-plugins.ts";
import type { LoadedPlugins, Plugin } from "./plugin.ts";
import type { NamedToolFiles } from "./plugin-tools.ts";
import { pluginDirectory, pluginRecords } from "./plugin-store.ts";

/** Finds the plugins, with the reader loaded with the first one; undefined where none is installed. */
export async function loadPlugins(options: LoadPluginsOptions): Promise<LoadedPlugins | undefined> {
  const { host, workspace, home } = options;
  const found = await Promise.all(
    [workspace, home].map(
      async (base) => await pathExists(host.fs, `${base}/${pluginDirectory}/${pluginRecords}`),
    ),
  );
  if (!found.includes(true)) return undefined;
  const { findPlugins } = await import("./load-plugins.ts");
  return await findPlugins(options);
}

/** Reads the tools of a plugin from exactly the files that were installed. Throws PERMISSION_DENIED if they changed. */
export async function pluginTools(
  plugin: Plugin,
  host: LoadPluginsOptions["host"],
): Promise<readonly NamedToolFiles[]> {
  return await (await import("./plugin-tools.ts")).readPluginTools(plugin, host);
}
