import { ToolError, type Host } from "../../core/index.ts";
import { messageOf, parentPath } from "../../text/index.ts";
import { readPackage, writePackage, type Package } from "../packages/package.ts";
import {
  hiddenTexts,
  reviewFiles,
  type HiddenText,
  type PackageProgram,
  type ReviewedFile,
} from "../packages/review-package.ts";
import { pluginAt, type FindSourceOptions } from "./find-source.ts";
import type { Plugin } from "./plugin.ts";
import { contentsOf, filesIn, type PackagePart, type PluginContents } from "./plugin-contents.ts";
import {
  pluginDirectory,
  readPluginStore,
  writePluginStore,
  type InstalledPlugin,
  type PluginSource,
  type PluginStore,
} from "./plugin-store.ts";
import { readManifest, type PluginProblem } from "./read-manifest.ts";

/** A plugin as its source has it, compared with the installed version. */
export interface ReviewedPlugin {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly hash: string;
  readonly source: PluginSource;
  /** Hash of the installed version. */
  readonly installedHash?: string;
  readonly files: readonly ReviewedFile[];
  readonly hidden: readonly HiddenText[];
  readonly parts: readonly PackagePart[];
  readonly programs: readonly (PackageProgram & { readonly isNew: boolean })[];
  /** An error is a reason why nothing of it would be used. */
  readonly problems: readonly PluginProblem[];
  /** Installs exactly these files. Throws INVALID_INPUT if the plugin has errors. */
  readonly install: () => Promise<InstalledPlugin>;
}

export interface PluginPlace extends FindSourceOptions {
  readonly host: FindSourceOptions["host"] & Pick<Host, "clock">;
  /** Workspace or home directory below which the plugin is installed. */
  readonly base: string;
}

/** Reads a plugin from its source and compares it with the installed version. Installs and runs nothing. */
export async function reviewPlugin(
  given: PluginSource,
  place: PluginPlace,
): Promise<ReviewedPlugin> {
  const { package: found, source } = await pluginAt(given, place);
  const manifest = await readManifest(filesIn(found));
  const { parts, programs, problems } = await contentsOf(manifest, found);
  const store = await readPluginStore(place.base, place.host);
  const installed = store.plugins.find((each) => each.name === manifest.name);
  const before = installed === undefined ? undefined : await installedPackage(installed, place);
  const old = before === undefined ? [] : await programsIn(before);
  const { name, version, description } = manifest;
  const parted = {
    parts,
    problems,
    programs: programs.map((each) => ({ ...each, isNew: isNewIn(each, old) })),
  };
  return {
    name,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    hash: found.hash,
    source,
    // The files as they are: what was changed after it was installed can be installed again.
    ...(installed === undefined || before === undefined ? {} : { installedHash: before.hash }),
    files: reviewFiles(found, before),
    hidden: hiddenTexts(found),
    ...parted,
    install: async () => {
      const error = problems.find(({ file, severity }) => isManifest(file) && severity === "error");
      if (error !== undefined) {
        throw new ToolError("INVALID_INPUT", `The plugin cannot be used: ${error.message}`, {
          hint: "Ask its author to correct it.",
        });
      }
      return await install({ name, found, source }, { store, place });
    },
  };
}

/** A skill or command that cannot be used does not keep the rest of the plugin from being used. */
function isManifest(file: string): boolean {
  return file.endsWith(".json");
}

function isNewIn({ name, command }: PackageProgram, old: readonly PackageProgram[]): boolean {
  return !old.some((each) => each.name === name && each.command === command);
}

async function programsIn(found: Package): Promise<readonly PackageProgram[]> {
  return (await contentsOf(await readManifest(filesIn(found)), found)).programs;
}

/** Files of the installed version; undefined if they cannot be read any more. */
async function installedPackage(
  { directory }: InstalledPlugin,
  { base, host }: PluginPlace,
): Promise<Package | undefined> {
  return await readPackage(`${base}/${pluginDirectory}/${directory}`, host).catch(() => undefined);
}

interface Installing {
  readonly name: string;
  readonly found: Package;
  readonly source: PluginSource;
}

/** Writes the files next to the installed version, then switches to them in one step. */
async function install(
  { name, found, source }: Installing,
  {
    store,
    place: { base, host, newId },
  }: { readonly store: PluginStore; readonly place: PluginPlace },
): Promise<InstalledPlugin> {
  const directory = `${name}.${found.hash.slice("sha256:".length, "sha256:".length + 16)}`;
  const path = `${base}/${pluginDirectory}/${directory}`;
  await host.fs.mkdir(parentPath(path));
  const present = await readPackage(path, host).catch(() => undefined);
  if (present?.hash !== found.hash) {
    await host.fs.remove(path, { recursive: true }).catch(() => undefined);
    await writePackage(found, path, { host, token: newId() });
  }
  const plugin = { name, hash: found.hash, directory, source, at: host.clock.now() };
  const others = store.plugins.filter((each) => each.name !== name);
  await writePluginStore(base, { before: store, plugins: [...others, plugin] }, host);
  return plugin;
}

/** Removes a plugin. Throws NOT_FOUND if it is not installed. */
export async function removePlugin(
  name: string,
  { base, host }: { readonly base: string; readonly host: Pick<Host, "fs" | "clock"> },
): Promise<void> {
  const store = await readPluginStore(base, host);
  const plugins = store.plugins.filter((each) => each.name !== name);
  if (plugins.length === store.plugins.length) {
    const names = store.plugins.map((each) => each.name).join(", ");
    throw new ToolError("NOT_FOUND", `No plugin ${JSON.stringify(name)} is installed.`, {
      hint: names === "" ? "None is installed here." : `Installed are ${names}.`,
    });
  }
  await writePluginStore(base, { before: store, plugins }, host);
}

/** Parts and problems of an installed plugin; of one that changed, also that it did. */
export async function contentsAt(
  plugin: Pick<Plugin, "root" | "hash" | "manifest">,
  host: Pick<Host, "fs">,
): Promise<PluginContents> {
  try {
    const found = await readPackage(plugin.root, host);
    const contents = await contentsOf(plugin.manifest, found);
    if (found.hash === plugin.hash) return contents;
    return { ...contents, problems: [changedProblem("They are not used."), ...contents.problems] };
  } catch (error) {
    const { problems } = plugin.manifest;
    return { parts: [], programs: [], problems: [changedProblem(messageOf(error)), ...problems] };
  }
}

function changedProblem(why: string): PluginProblem {
  const message = `Its files changed after it was installed. ${why}`;
  return { file: "", severity: "error", message, hint: "haft plugins update installs it again." };
}
