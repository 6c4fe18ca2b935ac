import { defaultMaxChars, modes } from "../../../core/index.ts";
import {
  agentSettings,
  bashSettings,
  grepSettings,
  limitSettings,
  modelSettings,
  sandboxSettings,
  searchSettings,
  toolAgentSettings,
  toolSearchSettings,
  toolSettings,
} from "./named-settings.ts";
import {
  diagnosticSettings,
  hookSettings,
  mcpServerSettings,
  skillHubSettings,
  webSearchSettings,
} from "./service-settings.ts";
import {
  choice,
  count,
  data,
  either,
  flag,
  list,
  map,
  object,
  text,
  type Setting,
  type ValueOf,
} from "./setting.ts";

const rule = either(
  text(),
  data("object", { json: { required: ["rule"], properties: { rule: { type: "string" } } } }),
  { is: "a rule" },
);

/** Whether a setting of an untrusted workspace counts: no part of it, or what makes things stricter. */
export type SettingTrust = "needed" | "to-widen" | "not-needed";

export interface SettingRow<T = unknown> {
  readonly setting: Setting<T>;
  readonly trust: SettingTrust;
  /** Whether the same key of another program's settings means the same and is read there too. */
  readonly isShared?: true;
}

/** Every key inside `permissions`. The lists of rules are compiled by the policy, which reports each wrong one. */
export const permissionRows = {
  deny: list(rule, { is: "a list of rules", doc: "Rules that refuse, whatever allows the call." }),
  ask: list(rule, { is: "a list of rules", doc: "Rules that ask the user first." }),
  allow: list(rule, { is: "a list of rules", doc: "Rules that allow without a question." }),
  additionalDirectories: list(text(), {
    doc: "More directories that count as inside the workspace.",
  }),
  defaultMode: choice([...modes, "manual"], {
    default: "default",
    doc: "Permission mode; `manual` is another name of `default`.",
  }),
  disableBypassPermissionsMode: choice(["disable"], {
    is: '"disable" or left out',
    wrong: { value: "disable", hint: "It is taken as disabled." },
    doc: 'With "disable" the mode bypassPermissions cannot be chosen.',
  }),
} as const;

const restricting = { value: true, hint: "It is taken as true." } as const;

/** Every setting: its type, default, documentation and what it needs. Reading and the published schema derive from it. */
export const settingRows = {
  $schema: row(text({ doc: "Address of this schema, for editors." }), "not-needed", true),
  permissions: row(
    object(permissionRows, { doc: "Rules, directories and the mode (docs/permissions.md)." }),
    "to-widen",
    true,
  ),
  defaultWorkingDirectory: row(
    text({ doc: "Working directory if none is given otherwise." }),
    "needed",
  ),
  restrictToWorkspace: row(
    flag({ wrong: restricting, default: false, doc: "Refuse everything outside the workspace." }),
    "to-widen",
  ),
  dangerousCommandWhitelist: row(
    list(text(), { doc: "Commands that are allowed exactly as written." }),
    "needed",
  ),
  confirmDangerousCommands: row(
    flag({
      wrong: restricting,
      default: false,
      doc: "Ask before commands that destroy data or publish something, even if a rule allows them.",
    }),
    "not-needed",
  ),
  enableToolCalls: row(
    flag({
      wrong: { value: false, hint: "It is taken as false." },
      default: true,
      doc: "With false no tool is offered and no call runs.",
    }),
    "to-widen",
  ),
  tools: row(toolSettings, "to-widen"),
  allowedTools: row(
    list(text(), {
      wrong: { value: [], hint: "It is taken as an empty list." },
      doc: "The only tools and rules that calls may use, as in `Read`, `Bash(git *)` or `mcp__*`: a ceiling that allows nothing by itself.",
    }),
    "not-needed",
  ),
  builtInAllow: row(
    list(choice(["interact", "device", "connect-public", "delegate"]), {
      is: 'a list of "interact", "device", "connect-public", "delegate"',
      wrong: { value: [], hint: "It is taken as an empty list." },
      default: ["interact", "device", "connect-public", "delegate"],
      doc: "The built-in allow rules that stay: showing something, devices such as /dev/null, reading public pages, starting agents.",
    }),
    "not-needed",
  ),
  maxChars: row(
    count({ default: defaultMaxChars, doc: "Characters of an answer that the model sees." }),
    "to-widen",
  ),
  bash: row(bashSettings, "to-widen"),
  limits: row(limitSettings, "to-widen"),
  sandbox: row(sandboxSettings, "to-widen"),
  search: row(searchSettings, "not-needed"),
  grep: row(grepSettings, "not-needed"),
  toolSearch: row(toolSearchSettings, "not-needed"),
  models: row(modelSettings, "needed"),
  agents: row(agentSettings, "needed"),
  toolAgentSettings: row(toolAgentSettings, "needed"),
  webSearch: row(webSearchSettings, "needed"),
  mcpServers: row(mcpServerSettings("MCP servers by name."), "needed", true),
  mcpServerIds: row(
    list(text(), {
      wrong: { value: [], hint: "It is taken as an empty list." },
      doc: "The only MCP servers that are started, by name.",
    }),
    "not-needed",
  ),
  enabledMcpjsonServers: row(
    list(text(), {
      wrong: { value: [], hint: "It is taken as an empty list." },
      doc: "The only servers of `.mcp.json` that are started, by name.",
    }),
    "needed",
    true,
  ),
  disabledMcpjsonServers: row(
    list(text(), {
      wrong: { value: ["*"], hint: "No server of .mcp.json is started." },
      doc: 'Servers of `.mcp.json` that are not started, by name; "*" means all of them.',
    }),
    "not-needed",
    true,
  ),
  enableAllProjectMcpServers: row(
    flag({
      wrong: { value: false, hint: "It is taken as false." },
      doc: "Whether servers of `.mcp.json` are started that `enabledMcpjsonServers` does not name.",
    }),
    "needed",
    true,
  ),
  directMcpServers: row(
    mcpServerSettings("MCP servers whose tools are offered at once, without a search."),
    "needed",
  ),
  hooks: row(hookSettings, "needed", true),
  disableAllHooks: row(
    flag({ default: false, doc: "With true no hook of a settings file runs." }),
    "needed",
    true,
  ),
  env: row(map(text(), { doc: "Environment variables of commands." }), "needed", true),
  skillHubs: row(skillHubSettings, "needed"),
  diagnostics: row(diagnosticSettings, "needed"),
} as const satisfies Readonly<Record<string, SettingRow>>;

function row<T>(setting: Setting<T>, trust: SettingTrust, isShared?: true): SettingRow<T> {
  return { setting, trust, ...(isShared === undefined ? {} : { isShared }) };
}

export type SettingName = keyof typeof settingRows;

/** Settings of one source as they were read: only values of the right type. */
export type SettingValues = {
  readonly [K in SettingName]?: ValueOf<(typeof settingRows)[K]["setting"]>;
};

/** JSON Schema of a settings file, as `haft/settings.schema.json` publishes it. */
export function settingsJsonSchema(): Readonly<Record<string, unknown>> {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "haft settings",
    description:
      "Content of .haft/settings.json, .haft/settings.local.json and ~/.haft/settings.json.",
    type: "object",
    properties: Object.fromEntries(
      Object.entries(settingRows).map(([name, { setting }]) => [name, setting.json]),
    ),
    additionalProperties: false,
  };
}
