import { type Host } from "../../core/index.ts";
import { isNotFound } from "../../text/index.ts";
import type { CompileOptions } from "../../policy/index.ts";
import { mergeSettings } from "./merge/merge-settings.ts";
import type { SettingsSource } from "./merge/source.ts";
import { readSettings } from "./read-settings.ts";
import { trustRecords } from "../trust/record.ts";
import type { TrustedFiles } from "../trust/trusted-files.ts";
import type { Settings } from "./settings.ts";
import type {
  LoadedSettings,
  ReadSettings,
  SettingsContent,
  SettingsFile,
  SettingsProblem,
} from "./loaded-settings.ts";
import type { UserSavedRules } from "./saved-rules.ts";

export interface LoadSettingsOptions {
  readonly host: Pick<Host, "fs">;
  /** Canonical path. */
  readonly workspace: string;
  /** Canonical path. */
  readonly home: string;
  /** Directory against which relative patterns are resolved. Default: the workspace. */
  readonly cwd?: string;
  /** Whether the workspace's files may widen permissions. */
  readonly trusted: boolean;
  /**
   * Rules in the workspace's files that the user saved on this system; they apply even if the workspace is not trusted.
   */
  readonly saved?: readonly UserSavedRules[];
  /** Settings given by the embedding program, read like a file that takes precedence over all others. */
  readonly settings?: Settings;
  /**
   * Whether to read the files too.
   *
   * @default true
   */
  readonly files?: boolean;
  readonly compile?: CompileOptions;
}

/** Settings files of a workspace and its user, the most specific first and those of another program last. */
export function settingsFiles(workspace: string, home: string): readonly SettingsFile[] {
  return [".haft", ".claude"].flatMap((folder) => {
    const isForeign = folder === ".claude";
    return [
      { path: `${workspace}/${folder}/settings.local.json`, scope: "local", isForeign },
      { path: `${workspace}/${folder}/settings.json`, scope: "project", isForeign },
      { path: `${home}/${folder}/settings.json`, scope: "user", isForeign },
    ] as const;
  });
}

/** Settings of the administrator of this machine. They count more than any other, and need no trust. */
export const managedSettingsFiles: readonly SettingsFile[] = [
  { path: "/etc/haft/managed-settings.json", scope: "managed", isForeign: false },
  { path: "/etc/claude-code/managed-settings.json", scope: "managed", isForeign: true },
];

/** Files whose change may change the settings of a workspace: settings, and the records of trust. */
export function watchedFiles({
  workspace,
  anchors: { home },
  dataDirectory,
}: {
  readonly workspace: string;
  readonly anchors: { readonly home: string };
  readonly dataDirectory: string;
}): { readonly settings: readonly string[]; readonly trust: string } {
  const files = [...managedSettingsFiles, ...settingsFiles(workspace, home)];
  return { settings: files.map(({ path }) => path), trust: trustRecords({ dataDirectory }) };
}

/**
 * Loads the settings of all sources. Lists are concatenated; a single value comes from the most specific source. Until
 * the workspace is trusted, what its files allow, add or set as the mode is ignored and listed in `withheld`; their
 * deny and ask rules always apply. If a file exists but cannot be read, every call needs approval.
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const { workspace, home, settings, host } = options;
  const isLoading = options.files !== false;
  const managed = isLoading ? await readFiles(managedSettingsFiles, options) : [];
  const given: readonly SettingsSource[] =
    settings === undefined
      ? []
      : [{ scope: "option", read: readSettings(settings), folder: workspace, written: settings }];
  const files = isLoading ? await readFiles(settingsFiles(workspace, home), options) : [];
  return await mergeSettings([...managed, ...given, ...files], { ...options, fs: host.fs });
}

/**
 * Whether the settings that were read from files of the workspace are the ones with which it was trusted: a file may
 * have been replaced, added or removed since the workspace was compared as a whole.
 */
export async function areTrustedSettings(
  { layers }: Pick<LoadedSettings, "layers">,
  { workspace, home, recorded }: SettingsAsRecorded,
): Promise<boolean> {
  const files = settingsFiles(workspace, home).filter(({ scope }) => scope !== "user");
  const same = await Promise.all(
    files.map(async ({ path, scope }) => {
      const layer = layers.find((each) => each.file === path && each.scope === scope);
      return await recorded.has(path, layer?.content?.hash);
    }),
  );
  return !same.includes(false);
}

interface SettingsAsRecorded extends Pick<LoadSettingsOptions, "workspace" | "home"> {
  readonly recorded: TrustedFiles;
}

async function readFiles(
  files: readonly SettingsFile[],
  { host, workspace }: LoadSettingsOptions,
): Promise<readonly SettingsSource[]> {
  const found: SettingsSource[] = [];
  for (const file of files) {
    const source = await readFile(file, { host, workspace });
    if (source !== undefined) found.push(source);
  }
  return found;
}

async function readFile(
  file: SettingsFile,
  { host, workspace }: Pick<LoadSettingsOptions, "host" | "workspace">,
): Promise<SettingsSource | undefined> {
  const { path, scope, isForeign } = file;
  // A leading slash means the project in the project's files, and the settings directory in other files.
  const isOfProject = scope === "project" || scope === "local";
  const folder = isOfProject ? workspace : path.slice(0, path.lastIndexOf("/"));
  const source = { scope, folder, file };
  let text: string;
  let content: SettingsContent;
  try {
    const { bytes, hash, stat } = await host.fs.readFile(await host.fs.canonical(path), {
      maxBytes: maxSettingsBytes,
    });
    text = new TextDecoder().decode(bytes);
    content = { hash, version: stat.version };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    return { ...source, read: unreadable(file, reason) };
  }
  // Most workspaces have no settings file, so its parser is loaded with the first one.
  const { readSettingsText } = await import("./settings-text.ts");
  const parsed = readSettingsText(text);
  return {
    ...source,
    read: readSettings(parsed.value, { file: path, text: parsed, isForeign }),
    written: parsed.value,
    lineOf: (at) => parsed.lineOf(at),
    content,
  };
}

const maxSettingsBytes = 4_000_000;

function unreadable(file: SettingsFile, reason: string): ReadSettings {
  const problem: SettingsProblem = {
    severity: "error",
    file: file.path,
    message: `This file is there and cannot be read, so what it denies is not known. ${reason}`,
    hint: "Make it readable or remove it; until then every call is asked about.",
  };
  return { ...readSettings({ permissions: { ask: ["*"] } }), problems: [problem] };
}
