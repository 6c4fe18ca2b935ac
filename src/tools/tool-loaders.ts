import type { Tool } from "../core/index.ts";

/**
 * Loads each built-in tool, by its name. A new tool is its directory and one line here; `node scripts/catalog.ts` then
 * writes what can be said of it without loading it.
 */
export const toolLoaders: Readonly<Record<string, () => Promise<Tool>>> = {
  Agent: async () => (await import("./agent/agent.ts")).agent,
  AgentList: async () => (await import("./agent-list/agent-list.ts")).agentList,
  AgentSend: async () => (await import("./agent-send/agent-send.ts")).agentSend,
  AgentStatus: async () => (await import("./agent-status/agent-status.ts")).agentStatus,
  AgentStop: async () => (await import("./agent-stop/agent-stop.ts")).agentStop,
  ApplyPatch: async () => (await import("./apply-patch/apply-patch.ts")).applyPatch,
  AskUserQuestion: async () =>
    (await import("./ask-user-question/ask-user-question.ts")).askUserQuestion,
  Bash: async () => (await import("./bash/bash.ts")).bash,
  CreateTool: async () => (await import("./create-tool/create-tool.ts")).createTool,
  Delegate: async () => (await import("./delegate/delegate.ts")).delegate,
  Edit: async () => (await import("./edit/edit.ts")).edit,
  ExitPlanMode: async () => (await import("./exit-plan-mode/exit-plan-mode.ts")).exitPlanMode,
  Gitignore: async () => (await import("./gitignore/gitignore.ts")).gitignore,
  Glob: async () => (await import("./glob/glob.ts")).glob,
  Grep: async () => (await import("./grep/grep.ts")).grep,
  ListDir: async () => (await import("./list-dir/list-dir.ts")).listDir,
  LSP: async () => (await import("./lsp/lsp.ts")).lsp,
  NotebookEdit: async () => (await import("./notebook-edit/notebook-edit.ts")).notebookEdit,
  Notify: async () => (await import("./notify/notify.ts")).notify,
  Read: async () => (await import("./read/read.ts")).read,
  SessionsHistory: async () =>
    (await import("./sessions-history/sessions-history.ts")).sessionsHistory,
  SessionsList: async () => (await import("./sessions-list/sessions-list.ts")).sessionsList,
  SessionsSend: async () => (await import("./sessions-send/sessions-send.ts")).sessionsSend,
  SessionsSpawn: async () => (await import("./sessions-spawn/sessions-spawn.ts")).sessionsSpawn,
  SessionsYield: async () => (await import("./sessions-yield/sessions-yield.ts")).sessionsYield,
  SkillHubInstall: async () =>
    (await import("./skillhub-install/skillhub-install.ts")).skillhubInstall,
  SkillHubSearch: async () => (await import("./skillhub-search/skillhub-search.ts")).skillhubSearch,
  SlashCommand: async () => (await import("./slash-command/slash-command.ts")).slashCommand,
  TaskCreate: async () => (await import("./task-create/task-create.ts")).taskCreate,
  TaskGet: async () => (await import("./task-get/task-get.ts")).taskGet,
  TaskInput: async () => (await import("./task-input/task-input.ts")).taskInput,
  TaskList: async () => (await import("./task-list/task-list.ts")).taskList,
  TaskOutput: async () => (await import("./task-output/task-output.ts")).taskOutput,
  TaskStop: async () => (await import("./task-stop/task-stop.ts")).taskStop,
  TaskUpdate: async () => (await import("./task-update/task-update.ts")).taskUpdate,
  ToolSearch: async () => (await import("./tool-search/tool-search.ts")).toolSearchTool,
  WebFetch: async () => (await import("./web-fetch/web-fetch.ts")).webFetch,
  WebSearch: async () => (await import("./web-search/web-search.ts")).webSearch,
  Write: async () => (await import("./write/write.ts")).write,
};
