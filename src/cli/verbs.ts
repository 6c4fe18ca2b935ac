import type { Terminal } from "./terminal.ts";

/** Runs a verb with the arguments after its name and the terminal it may print to. Returns the exit code. */
export type VerbRun = (words: readonly string[], terminal: Terminal) => Promise<number>;

interface Verb {
  readonly name: string;
  readonly summary: string;
  /** Loads the verb's code; `haft --help` loads none. */
  load(): Promise<VerbRun>;
}

/** Every verb of the command, in the order help lists them. */
export const verbs: readonly Verb[] = [
  {
    name: "call",
    summary: "run one tool: haft call Read file_path=README.md limit:=5",
    load: async () => (await import("./verbs/call.ts")).call,
  },
  {
    name: "tools",
    summary: "list, show or export the tools",
    load: async () => (await import("./verbs/tools.ts")).tools,
  },
  {
    name: "explain",
    summary: "show what a call would do and which rule decides it; nothing runs",
    load: async () => (await import("./verbs/explain/explain.ts")).explain,
  },
  {
    name: "permissions",
    summary: "list, add, remove and test the rules",
    load: async () => (await import("./verbs/settings/permissions.ts")).permissions,
  },
  {
    name: "trust",
    summary: "let a workspace's own settings allow things: haft trust add",
    load: async () => (await import("./verbs/trust.ts")).trust,
  },
  {
    name: "hooks",
    summary: "list and test the hooks of the settings: haft hooks test PreToolUse Bash",
    load: async () => (await import("./verbs/extensions/hooks.ts")).hooks,
  },
  {
    name: "skills",
    summary: "list, check, find and install skills: haft skills search WORDS",
    load: async () => (await import("./verbs/extensions/skills.ts")).skills,
  },
  {
    name: "plugins",
    summary: "list, add, update, remove and check plugins: haft plugins add owner/name",
    load: async () => (await import("./verbs/extensions/plugins.ts")).plugins,
  },
  {
    name: "config",
    summary: "show, change and check settings: haft config show --origin",
    load: async () => (await import("./verbs/settings/config.ts")).config,
  },
  {
    name: "run",
    summary: 'run an agent: haft run --model provider:model "task"',
    load: async () => (await import("./verbs/run.ts")).run,
  },
  {
    name: "mcp",
    summary:
      "manage MCP servers: haft mcp list; without arguments: serve the tools to an MCP client",
    load: async () => (await import("./verbs/mcp/mcp.ts")).mcp,
  },
  {
    name: "serve",
    summary: "serve tools, events and questions over HTTP to programs on this machine",
    load: async () => (await import("./verbs/serve/serve.ts")).serve,
  },
  {
    name: "history",
    summary: "list the calls that changed files",
    load: async () => (await import("./verbs/history.ts")).history,
  },
  {
    name: "diff",
    summary: "show what a call changed: haft diff, or haft diff CALL",
    load: async () => (await import("./verbs/diff.ts")).diff,
  },
  {
    name: "undo",
    summary: "undo the last call that changed files, or the last N",
    load: async () => (await import("./verbs/history.ts")).undo,
  },
  {
    name: "redo",
    summary: "redo the last undo (every call it undid)",
    load: async () => (await import("./verbs/history.ts")).redo,
  },
  {
    name: "agents",
    summary: "list agents and what each is doing: haft agents ID",
    load: async () => (await import("./verbs/agents.ts")).agents,
  },
  {
    name: "tasks",
    summary: "list, show and stop background tasks: haft tasks stop ID",
    load: async () => (await import("./verbs/tasks.ts")).tasks,
  },
  {
    name: "sessions",
    summary: "list, show, fork and export stored sessions: haft sessions show latest",
    load: async () => (await import("./verbs/sessions.ts")).sessions,
  },
  {
    name: "gc",
    summary: "delete old artifacts and journal entries",
    load: async () => (await import("./verbs/gc.ts")).gc,
  },
  {
    name: "sandbox",
    summary: "run a command in the sandbox: haft sandbox -- npm test",
    load: async () => (await import("./verbs/sandbox.ts")).sandbox,
  },
  {
    name: "doctor",
    summary: "report what works on this machine and what does not",
    load: async () => (await import("./verbs/doctor.ts")).doctor,
  },
  {
    name: "demo",
    summary: "watch an agent fix a failing test, with a scripted model",
    load: async () => (await import("./verbs/demo.ts")).demo,
  },
];
