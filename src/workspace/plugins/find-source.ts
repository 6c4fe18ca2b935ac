import { ToolError } from "../../core/index.ts";
import { isAbsolutePath, isRecord, joinPath } from "../../text/index.ts";
import {
  createPackage,
  packageBelow,
  readPackage,
  textIn,
  type Package,
} from "../packages/package.ts";
import { readSettingsText } from "../settings/settings-text.ts";
import { isRepositoryUrl, readRepository, type ReadRepositoryOptions } from "./git-source.ts";
import type { PluginSource } from "./plugin-store.ts";
import { manifestFiles } from "./read-manifest.ts";

/** A plugin as its source has it now. */
export interface PluginAtSource {
  readonly package: Package;
  readonly source: PluginSource;
}

export interface FindSourceOptions extends ReadRepositoryOptions {
  readonly workspace: string;
  readonly home: string;
}

/** Places of a marketplace in a directory or repository. */
const marketplaceFiles = [".claude-plugin/marketplace.json", "marketplace.json"];

/**
 * Reads a plugin from its source: a directory, a repository, or an entry of the marketplace that is there. Throws
 * NOT_FOUND, with the names, if the marketplace has no such entry or none was named.
 */
export async function pluginAt(
  source: PluginSource,
  options: FindSourceOptions,
): Promise<PluginAtSource> {
  const found = await filesAt(source, options);
  const list = marketplaceOf(found);
  if (list === undefined) return { package: found, source };
  const names = list.map(({ name }) => String(name));
  const isPlugin = manifestFiles.some((file) => textIn(found, file) !== undefined);
  if (source.entry === undefined && (isPlugin || names.length === 0))
    return { package: found, source };
  const wanted = source.entry ?? (names.length === 1 ? names[0] : undefined);
  const entry = list.find(({ name }) => name === wanted);
  if (entry === undefined) {
    const what =
      wanted === undefined ? "Which plugin?" : `There is no plugin ${JSON.stringify(wanted)}.`;
    throw new ToolError("NOT_FOUND", `${what} The marketplace has ${names.join(", ")}.`, {
      hint: "Name one after the source.",
    });
  }
  const named = { ...source, entry: String(wanted) };
  const files = await filesOfEntry(entry, { found, options });
  return { package: withManifest(files, entry), source: named };
}

/** A plugin without a manifest of its own has the one that its marketplace gives. */
function withManifest(found: Package, entry: Entry): Package {
  if (manifestFiles.some((file) => textIn(found, file) !== undefined)) return found;
  const { source: _source, pluginRoot: _root, strict: _strict, ...manifest } = entry;
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const bytes = new TextEncoder().encode(text);
  const file = { path: ".claude-plugin/plugin.json", bytes, isExecutable: false };
  return createPackage([...found.files, file]);
}

async function filesAt({ from, ref }: PluginSource, options: FindSourceOptions): Promise<Package> {
  const { host, workspace, home } = options;
  const url = repositoryUrl(from);
  const path = from.startsWith("~/") ? `${home}/${from.slice(2)}` : from;
  const directory = isAbsolutePath(path) ? path : joinPath(workspace, path);
  const isDirectory =
    !isRepositoryUrl(from) &&
    (await host.fs.stat(await host.fs.canonical(directory)).catch(() => undefined))?.kind ===
      "directory";
  if (isDirectory && ref === undefined) return await readPackage(directory, host);
  if (isDirectory)
    return await readRepository({ url: `file://${directory}`, ...refOf(ref) }, options);
  if (url !== undefined) return await readRepository({ url, ...refOf(ref) }, options);
  throw new ToolError("NOT_FOUND", `${from} is neither a directory nor a repository.`, {
    hint: "Name a directory, an https address, or owner/name for GitHub.",
  });
}

function refOf(ref: string | undefined): { readonly ref?: string } {
  return ref === undefined ? {} : { ref };
}

function repositoryUrl(from: string): string | undefined {
  if (isRepositoryUrl(from)) return from;
  return /^[\w.-]+\/[\w.-]+$/u.test(from) && !from.startsWith(".")
    ? `https://github.com/${from}.git`
    : undefined;
}

type Entry = Readonly<Record<string, unknown>>;

function marketplaceOf(found: Package): readonly Entry[] | undefined {
  for (const file of marketplaceFiles) {
    const text = textIn(found, file);
    if (text === undefined) continue;
    const { value, broken } = readSettingsText(text);
    const plugins: unknown = isRecord(value) ? value["plugins"] : undefined;
    if (broken !== undefined || !Array.isArray(plugins)) {
      throw new ToolError("INVALID_INPUT", `${file} is not a list of plugins.`, {
        hint: "A marketplace is an object with a list `plugins`.",
      });
    }
    const root =
      isRecord(value) && isRecord(value["metadata"]) ? value["metadata"]["pluginRoot"] : undefined;
    return plugins.filter(isRecord).map((entry) => ({ ...entry, pluginRoot: root }));
  }
  return undefined;
}

/** Files of an entry: a directory of the marketplace itself, or another repository. */
async function filesOfEntry(
  { source, pluginRoot }: Entry,
  { found, options }: { readonly found: Package; readonly options: FindSourceOptions },
): Promise<Package> {
  if (typeof source === "string" && !isRepositoryUrl(source)) {
    return packageBelow(found, belowOf(source, pluginRoot));
  }
  const { url, ref, path } = remoteOf(source);
  if (url === undefined) {
    throw new ToolError(
      "UNAVAILABLE",
      `Plugins from ${JSON.stringify(source)} cannot be installed.`,
      {
        hint: "Sources are directories of the marketplace and git repositories.",
      },
    );
  }
  const remote = await readRepository({ url, ...refOf(ref) }, options);
  return path === undefined ? remote : packageBelow(remote, belowOf(path, undefined));
}

function belowOf(path: string, root: unknown): string {
  const parts = [typeof root === "string" && !path.startsWith("./") ? root : "", path];
  return parts
    .flatMap((part) => part.split("/"))
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

function remoteOf(source: unknown): { url?: string; ref?: string; path?: string } {
  if (typeof source === "string") return { url: repositoryUrl(source) ?? source };
  if (!isRecord(source)) return {};
  const { source: kind, repo, url, ref, sha, path } = source;
  const address =
    kind === "github" ? repo : kind === "url" || kind === "git-subdir" ? url : undefined;
  const found = typeof address === "string" ? repositoryUrl(address) : undefined;
  const version = typeof sha === "string" ? sha : ref;
  return {
    ...(found === undefined ? {} : { url: found }),
    ...(typeof version === "string" ? { ref: version } : {}),
    ...(typeof path === "string" ? { path } : {}),
  };
}
