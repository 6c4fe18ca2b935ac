import type { Host } from "../../core/index.ts";
import { isRecord, visibleText } from "../../text/index.ts";
import { readProjectFile } from "../check/checked-file.ts";
import { mcpServerSettings } from "../settings/schema/service-settings.ts";
import { readSetting } from "../settings/schema/setting.ts";
import type { LoadedSettings, SettingsLayer, SettingsScope } from "../settings/loaded-settings.ts";
import type { PluginServer } from "../plugins/plugin.ts";
import { isTrustedContent, verifyServer, type OpenedTrust } from "../trust/trusted-files.ts";
import { readSettingsText } from "../settings/settings-text.ts";

/** A setting that selects servers by their names. */
export type ExcludingSetting = "mcpServerIds" | "enabledMcpjsonServers" | "disabledMcpjsonServers";

/** An MCP server that a settings file or `.mcp.json` defines. */
export interface FoundServer {
  /** Name in the file. */
  readonly name: string;
  /** Definition as it is written. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly scope: SettingsScope;
  /** Undefined for a server that the program gives. */
  readonly file: string | undefined;
  /** Whether its tools are offered without a search. */
  readonly isDirect: boolean;
  /** The workspace that defines it is not trusted, so that it is never started. */
  readonly needsTrust: boolean;
  /** Rejects with PERMISSION_DENIED if the plugin that has it changed, or a file of the workspace that it runs. */
  readonly verify?: () => Promise<void>;
  /** Setting that excludes it. */
  readonly excludedBy: ExcludingSetting | undefined;
}

export interface LoadServersOptions extends OpenedTrust {
  readonly host: Pick<Host, "fs">;
  /** Canonical path. */
  readonly workspace: string;
  readonly settings: Pick<LoadedSettings, "layers" | "mcpServerIds" | "projectServers">;
  /** Directory of the records of trust. */
  readonly dataDirectory: string;
  /** Whether `.mcp.json` is read. */
  readonly files: boolean;
  /** Servers of installed plugins. */
  readonly plugins: readonly PluginServer[];
}

type Found = Omit<FoundServer, "excludedBy">;

function isUsers({ scope }: Found): boolean {
  return scope === "user";
}

/**
 * Finds the MCP servers of a workspace and its user. Of two servers with one name the more specific counts; `.mcp.json`
 * counts as a file of the project. Servers of an untrusted workspace are listed, and replace no other server.
 */
export async function findServers(options: LoadServersOptions): Promise<readonly FoundServer[]> {
  const { settings, files, plugins } = options;
  const fromSettings = settings.layers.flatMap(serversOf);
  const fromFile = files ? await serversOfProject(options) : [];
  const all = [
    ...fromSettings.filter((each) => !isUsers(each)),
    ...fromFile,
    ...fromSettings.filter(isUsers),
    ...plugins.flatMap(pluginServer),
  ];
  const chosen = new Map<string, FoundServer>();
  for (const found of all) {
    const each = { ...found, excludedBy: excludingSetting(found, options) };
    const before = chosen.get(each.name);
    const isUsable = each.excludedBy === undefined && !each.needsTrust;
    // A server that is not used hides no other one.
    const isHidden = before?.excludedBy === undefined && before?.needsTrust === false;
    if (before === undefined || (isUsable && !isHidden)) chosen.set(each.name, each);
  }
  return [...chosen.values()].map((each) => ({ ...each, ...verifiedServer(each, options) }));
}

function projectFile(workspace: string): string {
  return `${workspace}/.mcp.json`;
}

function excludingSetting(
  { name, file }: Pick<Found, "name" | "file">,
  {
    workspace,
    settings: {
      mcpServerIds,
      projectServers: { enabled, disabled },
    },
  }: Pick<LoadServersOptions, "workspace" | "settings">,
): ExcludingSetting | undefined {
  if (mcpServerIds?.includes(name) === false) return "mcpServerIds";
  if (file !== projectFile(workspace)) return undefined;
  if (disabled.includes(name) || disabled.includes("*")) return "disabledMcpjsonServers";
  return enabled?.includes(name) === false ? "enabledMcpjsonServers" : undefined;
}

/** A server of a trusted workspace starts only with the files with which it was trusted. */
function verifiedServer(
  { name, entry, scope, file, needsTrust, verify }: Found,
  { recorded, host, workspace, dataDirectory }: LoadServersOptions,
): Pick<Found, "verify"> {
  const isWorkspace = scope === "project" || scope === "local";
  if (!isWorkspace || needsTrust || verify !== undefined) return {};
  if (recorded === undefined) return {};
  const what = `The MCP server ${visibleText(name)}`;
  const where = { host, workspace, dataDirectory };
  return { verify: async () => await verifyServer({ entry, file, what }, where) };
}

function serversOf({ read, scope, file, mayWiden }: SettingsLayer): readonly Found[] {
  const { mcpServers = {}, directMcpServers = {} } = read.values;
  const found = (servers: Readonly<Record<string, unknown>>, isDirect: boolean): Found[] =>
    Object.entries(servers).flatMap(([name, entry]) =>
      isRecord(entry) ? [{ name, entry, scope, file, isDirect, needsTrust: !mayWiden }] : [],
    );
  return [...found(directMcpServers, true), ...found(mcpServers, false)];
}

function pluginServer(given: PluginServer): readonly Found[] {
  const { kind, plugin, name, config, scope, file, needsTrust, verify } = given;
  if (kind !== "mcp" || !isRecord(config)) return [];
  const from = scope === "user" ? "user" : "project";
  const named = { name: `plugin_${plugin}_${name}`, entry: config, scope: from, file } as const;
  return [{ ...named, isDirect: false, needsTrust, verify }];
}

/** Servers of `.mcp.json`; `haft config check` reports what is wrong in it. */
async function serversOfProject(options: LoadServersOptions): Promise<readonly Found[]> {
  const { host, workspace } = options;
  const path = projectFile(workspace);
  const file = await readProjectFile(path, host);
  if (file === undefined || "problem" in file) return [];
  const { value, broken } = readSettingsText(file.text);
  if (broken !== undefined || !isRecord(value)) return [];
  const { value: servers = {} } = readSetting(mcpServerSettings(""), value["mcpServers"] ?? {});
  // It may have been replaced since the workspace was compared as a whole.
  const isTrusted = await isTrustedContent(options, path, file.hash);
  return Object.entries(servers).flatMap(([name, entry]) => {
    if (!isRecord(entry)) return [];
    const scope = "project" as const;
    return [{ name, entry, scope, file: path, isDirect: false, needsTrust: !isTrusted }];
  });
}
