import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { capabilityFacts, capabilityLevel, type Tool } from "../src/core/index.ts";
import { renderDescription } from "../src/registry/index.ts";
import { toJsonSchema } from "../src/schema/index.ts";
import { agentList } from "../src/tools/agent-list/agent-list.ts";
import { agentSend } from "../src/tools/agent-send/agent-send.ts";
import { agentStatus } from "../src/tools/agent-status/agent-status.ts";
import { agentStop } from "../src/tools/agent-stop/agent-stop.ts";
import { agent } from "../src/tools/agent/agent.ts";
import { applyPatch } from "../src/tools/apply-patch/apply-patch.ts";
import { askUserQuestion } from "../src/tools/ask-user-question/ask-user-question.ts";
import { bash } from "../src/tools/bash/bash.ts";
import { createTool } from "../src/tools/create-tool/create-tool.ts";
import { delegate } from "../src/tools/delegate/delegate.ts";
import { edit } from "../src/tools/edit/edit.ts";
import { exitPlanMode } from "../src/tools/exit-plan-mode/exit-plan-mode.ts";
import { gitignore } from "../src/tools/gitignore/gitignore.ts";
import { glob } from "../src/tools/glob/glob.ts";
import { grep } from "../src/tools/grep/grep.ts";
import { listDir } from "../src/tools/list-dir/list-dir.ts";
import { lsp } from "../src/tools/lsp/lsp.ts";
import { notebookEdit } from "../src/tools/notebook-edit/notebook-edit.ts";
import { notify } from "../src/tools/notify/notify.ts";
import { read } from "../src/tools/read/read.ts";
import { sessionsHistory } from "../src/tools/sessions-history/sessions-history.ts";
import { sessionsList } from "../src/tools/sessions-list/sessions-list.ts";
import { sessionsSend } from "../src/tools/sessions-send/sessions-send.ts";
import { sessionsSpawn } from "../src/tools/sessions-spawn/sessions-spawn.ts";
import { sessionsYield } from "../src/tools/sessions-yield/sessions-yield.ts";
import { skillhubInstall } from "../src/tools/skillhub-install/skillhub-install.ts";
import { skillhubSearch } from "../src/tools/skillhub-search/skillhub-search.ts";
import { slashCommand } from "../src/tools/slash-command/slash-command.ts";
import { taskCreate } from "../src/tools/task-create/task-create.ts";
import { taskGet } from "../src/tools/task-get/task-get.ts";
import { taskInput } from "../src/tools/task-input/task-input.ts";
import { taskList } from "../src/tools/task-list/task-list.ts";
import { taskOutput } from "../src/tools/task-output/task-output.ts";
import { taskStop } from "../src/tools/task-stop/task-stop.ts";
import { taskUpdate } from "../src/tools/task-update/task-update.ts";
import { toolSearchTool } from "../src/tools/tool-search/tool-search.ts";
import { webFetch } from "../src/tools/web-fetch/web-fetch.ts";
import { webSearch } from "../src/tools/web-search/web-search.ts";
import { write } from "../src/tools/write/write.ts";

// Writes src/tools/catalog.json, what can be said of the built-in tools without loading one:
//   node scripts/catalog.ts          writes it; format it afterwards
//   node scripts/catalog.ts --check  exits with 1 where it is not current

const catalogFile = path.join(import.meta.dirname, "../src/tools/catalog.json");

export const tools: readonly Tool[] = [
  agent,
  agentList,
  agentSend,
  agentStatus,
  agentStop,
  applyPatch,
  askUserQuestion,
  bash,
  createTool,
  delegate,
  edit,
  exitPlanMode,
  gitignore,
  glob,
  grep,
  listDir,
  lsp,
  notebookEdit,
  notify,
  read,
  sessionsHistory,
  sessionsList,
  sessionsSend,
  sessionsSpawn,
  sessionsYield,
  skillhubInstall,
  skillhubSearch,
  slashCommand,
  taskCreate,
  taskGet,
  taskInput,
  taskList,
  taskOutput,
  taskStop,
  taskUpdate,
  toolSearchTool,
  webFetch,
  webSearch,
  write,
];

/** Content of the catalog when it is made from the current tools, as JSON would carry it. */
export async function catalogEntries(): Promise<unknown> {
  return JSON.parse(JSON.stringify(await Promise.all(tools.map(entryOf))));
}

/** Whether the file says the same, however it is laid out. */
export async function isCurrent(): Promise<boolean> {
  const kept: unknown = JSON.parse(readFileSync(catalogFile, "utf8"));
  return JSON.stringify(kept) === JSON.stringify(await catalogEntries());
}

async function entryOf(tool: Tool) {
  const { name, displayName, category, aliases, searchHint, alwaysLoad, variantOf } = tool;
  const { touches, flags, modes, staged, needs, timeoutMs, maxChars } = tool;
  const { summary, text } = renderDescription(tool.description);
  return {
    name,
    displayName,
    category,
    aliases,
    searchHint,
    alwaysLoad,
    variantOf,
    touches,
    flags,
    modes,
    staged,
    needs: needs?.map(({ id }) => ({ id })),
    timeoutMs,
    maxChars,
    summary,
    description: text,
    level: capabilityLevel(capabilityFacts(tool)),
    inputSchema: await toJsonSchema(tool.input),
  };
}

if (process.argv[1] === import.meta.filename) {
  if (!process.argv.includes("--check")) {
    writeFileSync(catalogFile, `${JSON.stringify(await catalogEntries(), null, 2)}\n`);
  } else if (!(await isCurrent())) {
    process.stderr.write("src/tools/catalog.json is not current; run node scripts/catalog.ts\n");
    process.exitCode = 1;
  }
}
