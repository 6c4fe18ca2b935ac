import { visibleJson } from "../../text/index.ts";
import {
  permissionRows,
  settingRows,
  type SettingRow,
} from "../settings/schema/settings-schema.ts";
import type { SettingsLayer } from "../settings/loaded-settings.ts";
import type { FileProblem } from "./checked-file.ts";

/** Replacements of keys of another program's settings that nothing here reads. */
const instead: Readonly<Record<string, string>> = {
  agent: "Name an agent with haft run --agent.",
  allowedHttpHookUrls: "Remove the hooks of type http that are not to run.",
  allowedMcpServers: "List the servers in mcpServerIds of .haft/settings.json.",
  allowManagedHooksOnly: 'Set "disableAllHooks": true in the files whose hooks are not to run.',
  apiKeyHelper: "Give the key in the environment variable of the provider (docs/models.md).",
  attribution: "Describe in AGENTS.md how to sign commits.",
  availableModels: "Name models in models of .haft/settings.json.",
  claudeMdExcludes: "Remove what is not to apply from the instruction files.",
  cleanupPeriodDays: "Set limits.events in .haft/settings.json.",
  deniedMcpServers: "List the servers in disabledMcpjsonServers, or the others in mcpServerIds.",
  enabledPlugins: "Install each plugin with haft plugins add.",
  extraKnownMarketplaces: "Install each plugin with haft plugins add.",
  includeCoAuthoredBy: "Describe in AGENTS.md how to sign commits.",
  includeGitInstructions: "Write what is to apply into AGENTS.md.",
  language: "Write into AGENTS.md in which language to answer.",
  model: "Set models.default in .haft/settings.json.",
  otelHeadersHelper: "Pass a tracer to createToolkit (haft/telemetry).",
  outputStyle: "Write what is to apply into AGENTS.md.",
  respectGitignore: "Set search in .haft/settings.json.",
  sandbox: "Set sandbox in .haft/settings.json.",
  statusLine: "There is no status line here.",
  strictKnownMarketplaces: "haft plugins add shows what a plugin contains before it is installed.",
  subagentStatusLine: "There is no status line here.",
};

/** Names every key of another program's settings file that has no effect here. */
export function unusedSettings({
  isForeign,
  written,
  lineOf,
}: Pick<SettingsLayer, "isForeign" | "written" | "lineOf">): readonly FileProblem[] {
  if (!isForeign || typeof written !== "object" || written === null) return [];
  return Object.keys(written).flatMap((key): readonly FileProblem[] => {
    if (rows[key]?.isShared === true || Object.hasOwn(permissionRows, key)) return [];
    const hint = Object.hasOwn(instead, key)
      ? instead[key]
      : Object.hasOwn(rows, key)
        ? `Set ${key} in .haft/settings.json.`
        : undefined;
    const line = lineOf([key]);
    return [
      {
        severity: "warning",
        message: `haft does not use ${visibleJson(key.slice(0, maxKeyChars))} of this file.`,
        ...(hint === undefined ? {} : { hint }),
        ...(line === undefined ? {} : { line }),
      },
    ];
  });
}

const rows: Readonly<Record<string, SettingRow>> = settingRows;
const maxKeyChars = 64;
