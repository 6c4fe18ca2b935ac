import type { LazyTool, SkillInfo, Tool } from "../core/index.ts";
import { catalogued } from "./catalog.ts";
import type { Envelope } from "./tool-search/tool-call.ts";

export { builtInListings } from "./catalog.ts";

export type { OpenEnvelope } from "./tool-search/tool-call.ts";

/** Loads the tool that calls others under their own names. */
export async function loadEnvelope(): Promise<Envelope> {
  return await import("./tool-search/tool-call.ts");
}

/** All built-in tools, by name. Importing this loads no tool and no schema library. */
export const builtInTools: readonly LazyTool[] = [
  catalogued("Agent", async () => (await import("./agent/agent.ts")).agent),
  catalogued("AgentList", async () => (await import("./agent-list/agent-list.ts")).agentList),
  catalogued("AgentSend", async () => (await import("./agent-send/agent-send.ts")).agentSend),
  catalogued(
    "AgentStatus",
    async () => (await import("./agent-status/agent-status.ts")).agentStatus,
  ),
  catalogued("AgentStop", async () => (await import("./agent-stop/agent-stop.ts")).agentStop),
  catalogued("ApplyPatch", async () => (await import("./apply-patch/apply-patch.ts")).applyPatch),
  catalogued(
    "AskUserQuestion",
    async () => (await import("./ask-user-question/ask-user-question.ts")).askUserQuestion,
  ),
  catalogued("Bash", async () => (await import("./bash/bash.ts")).bash),
  catalogued("CreateTool", async () => (await import("./create-tool/create-tool.ts")).createTool),
  catalogued("Delegate", async () => (await import("./delegate/delegate.ts")).delegate),
  catalogued("Edit", async () => (await import("./edit/edit.ts")).edit),
  catalogued(
    "ExitPlanMode",
    async () => (await import("./exit-plan-mode/exit-plan-mode.ts")).exitPlanMode,
  ),
  catalogued("Gitignore", async () => (await import("./gitignore/gitignore.ts")).gitignore),
  catalogued("Glob", async () => (await import("./glob/glob.ts")).glob),
  catalogued("Grep", async () => (await import("./grep/grep.ts")).grep),
  catalogued("ListDir", async () => (await import("./list-dir/list-dir.ts")).listDir),
  catalogued("LSP", async () => (await import("./lsp/lsp.ts")).lsp),
  catalogued(
    "NotebookEdit",
    async () => (await import("./notebook-edit/notebook-edit.ts")).notebookEdit,
  ),
  catalogued("Notify", async () => (await import("./notify/notify.ts")).notify),
  catalogued("Read", async () => (await import("./read/read.ts")).read),
  catalogued(
    "SessionsHistory",
    async () => (await import("./sessions-history/sessions-history.ts")).sessionsHistory,
  ),
  catalogued(
    "SessionsList",
    async () => (await import("./sessions-list/sessions-list.ts")).sessionsList,
  ),
  catalogued(
    "SessionsSend",
    async () => (await import("./sessions-send/sessions-send.ts")).sessionsSend,
  ),
  catalogued(
    "SessionsSpawn",
    async () => (await import("./sessions-spawn/sessions-spawn.ts")).sessionsSpawn,
  ),
  catalogued(
    "SessionsYield",
    async () => (await import("./sessions-yield/sessions-yield.ts")).sessionsYield,
  ),
  catalogued(
    "SkillHubInstall",
    async () => (await import("./skillhub-install/skillhub-install.ts")).skillhubInstall,
  ),
  catalogued(
    "SkillHubSearch",
    async () => (await import("./skillhub-search/skillhub-search.ts")).skillhubSearch,
  ),
  catalogued(
    "SlashCommand",
    async () => (await import("./slash-command/slash-command.ts")).slashCommand,
  ),
  catalogued("TaskCreate", async () => (await import("./task-create/task-create.ts")).taskCreate),
  catalogued("TaskGet", async () => (await import("./task-get/task-get.ts")).taskGet),
  catalogued("TaskInput", async () => (await import("./task-input/task-input.ts")).taskInput),
  catalogued("TaskList", async () => (await import("./task-list/task-list.ts")).taskList),
  catalogued("TaskOutput", async () => (await import("./task-output/task-output.ts")).taskOutput),
  catalogued("TaskStop", async () => (await import("./task-stop/task-stop.ts")).taskStop),
  catalogued("TaskUpdate", async () => (await import("./task-update/task-update.ts")).taskUpdate),
  catalogued(
    "ToolSearch",
    async () => (await import("./tool-search/tool-search.ts")).toolSearchTool,
  ),
  catalogued("WebFetch", async () => (await import("./web-fetch/web-fetch.ts")).webFetch),
  catalogued("WebSearch", async () => (await import("./web-search/web-search.ts")).webSearch),
  catalogued("Write", async () => (await import("./write/write.ts")).write),
];

/** Decodes the sides of one file in legacy encodings as Read shows them; undefined for each side that is not text. */
export async function decodeOlderTexts(
  sides: readonly Uint8Array[],
): Promise<readonly ({ readonly text: string; readonly encoding: string } | undefined)[]> {
  const { olderTexts } = await import("./files/encodings/older-texts.ts");
  return olderTexts(sides);
}

/** Names of the tools for skills; they exist only where a skill can be used. */
export const skillToolNames: readonly string[] = ["ListSkills", "ReadSkill", "Skill"];

/** Tools for skills; the description of one lists them. */
export async function loadSkillTools(all: readonly SkillInfo[]): Promise<readonly Tool[]> {
  const { skillTools } = await import("./skill/skill-tools.ts");
  return skillTools(all);
}
