import { ToolError, type Host } from "../../core/index.ts";
import { parentPath } from "../../text/index.ts";
import { readPackage, textIn, type Package } from "../packages/package.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginManifest } from "./read-manifest.ts";

/** Files of a tool that a plugin brings. */
export interface PluginToolFiles {
  /** Name of its directory. */
  readonly name: string;
  /** Path of the directory below the plugin's. */
  readonly path: string;
  /** Text of each file, by name. */
  readonly files: ReadonlyMap<string, string>;
}

/** Files of the tools of a plugin: those in a directory that has a `tool.json`. */
export function toolFiles({ tools }: PluginManifest, found: Package): readonly PluginToolFiles[] {
  return filesBelow(found, { paths: tools, ending: /\/tool\.json$/u }).map(({ path }) => {
    const directory = path.slice(0, path.lastIndexOf("/"));
    const own = found.files.filter((file) => parentPath(file.path) === directory);
    return {
      name: directory.split("/").at(-1) ?? "",
      path: directory,
      files: new Map(
        own.map((file) => [file.path.slice(directory.length + 1), textIn(found, file.path) ?? ""]),
      ),
    };
  });
}

/** Name under which a model calls a tool of a plugin. */
export function pluginToolName(plugin: string, tool: string): string {
  return `${plugin}__${tool}`;
}

/** A tool with the name under which a model calls it. */
export interface NamedToolFiles extends PluginToolFiles {
  readonly fullName: string;
}

/**
 * Reads the tools of a plugin from exactly the files that were installed. Throws PERMISSION_DENIED if they changed.
 */
export async function readPluginTools(
  { name, root, hash, manifest }: Plugin,
  host: Pick<Host, "fs">,
): Promise<readonly NamedToolFiles[]> {
  const found = await readPackage(root, host);
  if (found.hash !== hash) throw pluginChanged(name);
  return toolFiles(manifest, found).map((tool) => ({
    ...tool,
    fullName: pluginToolName(name, tool.name),
  }));
}

/** Error for a plugin whose files are not the ones that were installed. */
export function pluginChanged(name: string): ToolError {
  return new ToolError("PERMISSION_DENIED", `The plugin ${name} changed after it was installed.`, {
    hint: "haft plugins check shows it; haft plugins update installs it again.",
  });
}

/** Files of a package below some of its paths, with their text. */
export function filesBelow(
  found: Package,
  { paths, ending }: { readonly paths: readonly string[]; readonly ending: RegExp },
): readonly { readonly path: string; readonly text: string; readonly below: string }[] {
  return found.files.flatMap(({ path }) => {
    if (!ending.test(path)) return [];
    const root = paths.find((each) => path === each || path.startsWith(`${each}/`));
    if (root === undefined) return [];
    const below = path === root ? (path.split("/").at(-1) ?? "") : path.slice(root.length + 1);
    return [{ path, text: textIn(found, path) ?? "", below }];
  });
}
