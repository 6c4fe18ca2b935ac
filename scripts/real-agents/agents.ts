import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { commandFile, type OnDemand } from "../install-on-demand.ts";

/** How an agent reaches haft. */
export type ServerAddress =
  | { readonly kind: "stdio"; readonly command: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly token: string };

/** Parameters of the start of an agent. */
export interface Setup {
  /** Home directory of its own. */
  readonly home: string;
  readonly workspace: string;
  readonly modelUrl: string;
  readonly server: ServerAddress;
  readonly task: string;
}

/** How to start it. */
export interface Start {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A program that brings an agent and is a client of MCP servers. */
export interface RealAgent {
  readonly name: string;
  readonly source: OnDemand;
  start(folder: string, setup: Setup): Promise<Start>;
}

export const opencode: OnDemand = { name: "opencode-ai", version: "1.18.33" };

/** Program of opencode, from the folder of its package. */
export function opencodeProgram(folder: string): string {
  return path.join(platformFolder(folder, "opencode"), "bin", "opencode");
}

/** Settings with which opencode asks a model on this machine and nothing else. */
export function opencodeSettings(modelUrl: string): Readonly<Record<string, unknown>> {
  return {
    autoupdate: false,
    share: "disabled",
    model: "loopback/fake",
    small_model: "loopback/fake",
    provider: {
      loopback: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL: `${modelUrl}/v1`, apiKey: "none" },
        models: { fake: { tool_call: true } },
      },
    },
  };
}

export const realAgents: readonly RealAgent[] = [
  {
    name: "Claude Code",
    source: { name: "@anthropic-ai/claude-code", version: "2.1.331" },
    async start(folder, { home, modelUrl, server, task }) {
      const servers = path.join(home, "mcp.json");
      const haft =
        server.kind === "stdio"
          ? { command: server.command[0], args: server.command.slice(1) }
          : { type: "http", url: server.url, headers: bearer(server.token) };
      await writeJson(servers, { mcpServers: { haft } });
      const program = path.join(platformFolder(folder, "@anthropic-ai/claude-code"), "claude");
      return {
        command: [
          program,
          "-p",
          task,
          "--mcp-config",
          servers,
          "--strict-mcp-config",
          "--tools",
          "",
          "--allowedTools",
          "mcp__haft",
          "--model",
          "claude-sonnet-4-5",
        ],
        env: {
          ANTHROPIC_BASE_URL: modelUrl,
          ANTHROPIC_API_KEY: "sk-ant-none",
          CLAUDE_CONFIG_DIR: path.join(home, ".claude"),
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_AUTOUPDATER: "1",
          ENABLE_TOOL_SEARCH: "false",
        },
      };
    },
  },
  {
    name: "Codex",
    source: { name: "@openai/codex", version: "0.169.0" },
    async start(folder, { home, modelUrl, server, task }) {
      const config = path.join(home, ".codex");
      await mkdir(config, { recursive: true });
      const haft =
        server.kind === "stdio"
          ? `command = ${JSON.stringify(server.command[0])}\nargs = ${JSON.stringify(server.command.slice(1))}`
          : `url = ${JSON.stringify(server.url)}\nbearer_token_env_var = "HAFT_TOKEN"`;
      await writeFile(
        path.join(config, "config.toml"),
        `model = "gpt-5"
model_provider = "loopback"
sandbox_mode = "read-only"
approval_policy = "never"
web_search = "disabled"
check_for_update_on_startup = false

[model_providers.loopback]
name = "loopback"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"

[analytics]
enabled = false

[features]
shell_tool = false
unified_exec = false
apply_patch_freeform = false
view_image = false
goals = false
apps = false
plugins = false

[agents]
enabled = false

[mcp_servers.haft]
${haft}
default_tools_approval_mode = "approve"
`,
      );
      return {
        command: [
          process.execPath,
          await commandFile(folder, "codex"),
          "exec",
          "--skip-git-repo-check",
          task,
        ],
        env: {
          CODEX_HOME: config,
          LOOPBACK_KEY: "none",
          ...(server.kind === "http" ? { HAFT_TOKEN: server.token } : {}),
        },
      };
    },
  },
  {
    name: "Gemini CLI",
    source: { name: "@google/gemini-cli", version: "0.61.0" },
    async start(folder, { home, modelUrl, server, task }) {
      const haft =
        server.kind === "stdio"
          ? { command: server.command[0], args: server.command.slice(1), trust: true }
          : { httpUrl: server.url, headers: bearer(server.token), trust: true };
      await writeJson(path.join(home, ".gemini", "settings.json"), {
        mcpServers: { haft },
        tools: { exclude: geminiTools },
        security: { auth: { selectedType: "gemini-api-key" } },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      });
      return {
        command: [
          process.execPath,
          await commandFile(folder, "gemini"),
          "--skip-trust",
          "-m",
          "gemini-2.5-pro",
          "-p",
          task,
        ],
        env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: modelUrl },
      };
    },
  },
  {
    name: "opencode",
    source: opencode,
    async start(folder, { home, modelUrl, server, task }) {
      const haft =
        server.kind === "stdio"
          ? { type: "local", command: server.command, enabled: true }
          : { type: "remote", url: server.url, headers: bearer(server.token), oauth: false };
      const config = path.join(home, "opencode.json");
      const own = [
        "todowrite",
        "bash",
        "edit",
        "read",
        "glob",
        "grep",
        "list",
        "webfetch",
        "task",
        "skill",
      ];
      await writeJson(config, {
        ...opencodeSettings(modelUrl),
        mcp: { haft },
        permission: { ...Object.fromEntries(own.map((name) => [name, "deny"])), "haft_*": "allow" },
      });
      return {
        command: [opencodeProgram(folder), "run", task],
        env: { OPENCODE_CONFIG: config, OPENCODE_DISABLE_MODELS_FETCH: "1" },
      };
    },
  },
];

/** Gemini CLI's own tools. An empty list of allowed ones would switch off those of servers too. */
const geminiTools = [
  "run_shell_command",
  "write_file",
  "replace",
  "read_file",
  "read_many_files",
  "list_directory",
  "glob",
  "grep_search",
  "web_fetch",
  "google_web_search",
  "save_memory",
  "invoke_agent",
  "enter_plan_mode",
  "update_topic",
  "activate_skill",
];

/** Folder of the package with the program for this platform, which npm installs next to the agent's own. */
function platformFolder(folder: string, name: string): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const modules = folder.slice(0, folder.lastIndexOf("node_modules") + "node_modules".length);
  return path.join(modules, ...`${name}-${platform}-${process.arch}`.split("/"));
}

function bearer(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token}` };
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(value, undefined, 2));
}
