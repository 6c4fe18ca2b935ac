import type { LoadPluginsOptions } from "./load-plugins.ts";
import type { LoadedPlugins } from "./plugin.ts";
import { pluginDirectory, pluginRecords } from "./plugin-store.ts";

/** Finds the plugins, with the reader loaded with the first one; undefined where none is installed. */
export async function loadPlugins(options: LoadPluginsOptions): Promise<LoadedPlugins | undefined> {
  const { host, workspace, home } = options;
  const found = await Promise.all(
    [workspace, home].map(
      async (base) =>
        await host.fs.stat(`${base}/${pluginDirectory}/${pluginRecords}`).catch(() => undefined),
    ),
  );
  if (found.every((each) => each === undefined)) return undefined;
  const { findPlugins } = await import("./load-plugins.ts");
  return await findPlugins(options);
}
