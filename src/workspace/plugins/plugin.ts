import type { HookSource, SettingsProblem } from "../settings/loaded-settings.ts";
import type { PluginSource } from "./plugin-store.ts";
import type { PluginManifest } from "./read-manifest.ts";

/** An installed plugin: skills, commands, agents, hooks and servers under one name. */
export interface Plugin {
  readonly name: string;
  /** Directory of the version that this session uses. Canonical. */
  readonly root: string;
  /** Hash of its files when it was installed. */
  readonly hash: string;
  readonly scope: "workspace" | "user";
  readonly source: PluginSource;
  readonly manifest: PluginManifest;
  /** Reasons for which nothing of it is used. */
  readonly faults: readonly string[];
  /** Its workspace is not trusted, so that nothing of it runs. */
  readonly needsTrust: boolean;
  /** Rejects with PERMISSION_DENIED if its files are not the ones that were installed. */
  readonly verify: () => Promise<void>;
  /** Absolute paths of files and directories. */
  readonly commands: readonly string[];
  readonly agents: readonly string[];
  readonly skills: readonly string[];
  readonly hooks: readonly HookSource[];
  readonly servers: readonly PluginServer[];
}

/** A server that a plugin brings; it is named by plugin and server, as its tools are. */
export interface PluginServer {
  /** A server of the Model Context Protocol, or a language server. */
  readonly kind: "mcp" | "language";
  /** Name in the plugin. */
  readonly name: string;
  /** Name of the plugin. */
  readonly plugin: string;
  /** As it is written, with the plugin's directory in place of its variable. */
  readonly config: unknown;
  /** Whether the plugin is installed for this workspace or for all of the user's. */
  readonly scope: "workspace" | "user";
  /** Its workspace is not trusted, so that it must not be started. */
  readonly needsTrust: boolean;
  /** File that it is written in. */
  readonly file: string;
  /** Line of the file, counted from 1. */
  readonly line?: number;
  /** Rejects with PERMISSION_DENIED if the plugin changed; called before the server is started. */
  readonly verify: () => Promise<void>;
}

export interface LoadedPlugins {
  /** Every plugin, those that are not used included. */
  readonly all: readonly Plugin[];
  readonly problems: readonly SettingsProblem[];
}

/** Servers of the plugins that are used, those that need trust included: they are listed and never started. */
export function pluginServers(plugins: LoadedPlugins | undefined): readonly PluginServer[] {
  return (plugins?.all ?? []).flatMap(({ servers }) => servers);
}
