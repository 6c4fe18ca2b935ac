/** The kind of effects to which a tool name in a rule applies, beyond the tool itself. */
export type Family = "read" | "write" | "command" | "host" | "agent";

export interface FamilyEntry {
  readonly family: Family;
  /** The name applies to every effect of its family, whichever tool has it. */
  readonly isHead: boolean;
}

/** Tool names whose rules are matched against effects. `Edit(p)` covers every write, `Read(p)` every read. */
export const families: ReadonlyMap<string, FamilyEntry> = new Map<string, FamilyEntry>([
  ["Read", { family: "read", isHead: true }],
  ["Grep", { family: "read", isHead: false }],
  ["Glob", { family: "read", isHead: false }],
  ["ListDir", { family: "read", isHead: false }],
  ["Edit", { family: "write", isHead: true }],
  ["Write", { family: "write", isHead: false }],
  ["NotebookEdit", { family: "write", isHead: false }],
  ["Bash", { family: "command", isHead: true }],
  ["WebFetch", { family: "host", isHead: true }],
  ["Agent", { family: "agent", isHead: true }],
]);

/** Other names used in rules, and the tools they mean. */
export const ruleAliases: Readonly<Record<string, string>> = {
  Task: "Agent",
  FileRead: "Read",
  FileEdit: "Edit",
  FileWrite: "Write",
  MultiEdit: "Edit",
  LS: "ListDir",
  Shell: "Bash",
};

/** Names that a rule may use where no catalog is given. */
export const commonNames: readonly string[] = [...families.keys(), "WebSearch", "Skill", "AskUser"];

/** Input parameters that have their own rule form, with that form. */
export const primaryParameters: Readonly<Record<string, string>> = {
  command: "Bash(the command)",
  file_path: "Read(path) or Edit(path)",
  path: "Read(path) or Edit(path)",
  notebook_path: "Edit(path)",
  url: "WebFetch(domain:host)",
};

/**
 * Tools of haft that a toolkit may lack, and those of other programs, which lists of allowed tools in files for several
 * programs name. They permit nothing where they are not offered.
 */
export const otherTools: readonly string[] = [
  "AgentList AgentSend AgentStatus AgentStop ApplyPatch AskUserQuestion",
  "CreateTool Delegate ExitPlanMode Gitignore ListSkills LSP Notify",
  "ReadSkill SessionsHistory SessionsList SessionsSend SessionsSpawn",
  "SessionsYield SkillHubInstall SkillHubSearch SlashCommand TaskCreate",
  "TaskGet TaskInput TaskList TaskOutput TaskStop TaskUpdate ToolSearch",
  // Other names of these tools.
  "KillBash KillShell BashList ListTasks SearchTools SendMessage TodoCreate",
  "TodoList TodoUpdate WriteStdin",
  // Tools of other programs.
  "AgentOutput AgentOutputTool BashOutput Brief Computer CronCreate",
  "CronDelete CronList EnterPlanMode EnterWorktree ExitWorktree ListAgents",
  "ListMcpResources ListMcpResourcesTool ListPeers Memory Monitor",
  "NotebookRead PowerShell ProposeGoal PushNotification ReadMcpResource",
  "ReadMcpResourceDir ReadMcpResourceDirTool ReadMcpResourceTool RemoteTrigger",
  "REPL ScheduleWakeup SendUserMessage SetGoal TeamCreate TeamDelete",
  "TodoRead TodoWrite View WaitForMcpServers Workflow",
].flatMap((names) => names.split(" "));
