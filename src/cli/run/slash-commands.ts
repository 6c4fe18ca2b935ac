import type { ExpandedCommand, Kit } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { visibleText } from "../print/visible-text.ts";
import type { Terminal } from "../terminal.ts";
import type { VerbRun } from "../verbs.ts";

export interface SlashGiven {
  readonly kit: Kit;
  readonly terminal: Terminal;
  /** Options for the verbs that built-in commands run. */
  readonly places: readonly string[];
  readonly signal: AbortSignal;
  /** Session of the run that the command is for. */
  readonly sessionId: () => Promise<string>;
}

interface BuiltIn {
  readonly name: string;
  readonly summary: string;
  run(given: SlashGiven, text: string): Promise<ExitCode>;
}

/** Runs a verb with the words that a user would type, in the workspace of the run. */
function verb(load: () => Promise<VerbRun>, words: readonly string[] = []): BuiltIn["run"] {
  return async ({ places, terminal }, text) => {
    const more = text.split(/\s+/u).filter((word) => word !== "");
    const chosen = more.length > 0 ? more : words;
    const code = await (await load())([...chosen, ...places], terminal);
    return Object.values(exitCodes).find((each) => each === code) ?? exitCodes.failed;
  };
}

/** Every command that haft itself has. A command file of the same name is not used. */
export const builtInCommands: readonly BuiltIn[] = [
  { name: "help", summary: "list the commands", run: help },
  {
    name: "permissions",
    summary: "list the rules",
    run: verb(async () => (await import("../verbs/settings/permissions.ts")).permissions, ["list"]),
  },
  {
    name: "undo",
    summary: "undo the last call that changed files",
    run: verb(async () => (await import("../verbs/history.ts")).undo),
  },
  {
    name: "diff",
    summary: "show what the last call changed",
    run: verb(async () => (await import("../verbs/diff.ts")).diff),
  },
  {
    name: "cost",
    summary: "show tokens and cost of the session",
    run: cost,
  },
  {
    name: "compact",
    summary: "shorten the conversation of an active run",
    run: async ({ terminal }) => {
      terminal.err("/compact shortens the conversation of an active run, but no run is active.\n");
      return exitCodes.failed;
    },
  },
  { name: "agents", summary: "list the agents", run: agents },
  {
    name: "tasks",
    summary: "list the background tasks",
    run: verb(async () => (await import("../verbs/tasks.ts")).tasks),
  },
  {
    name: "config",
    summary: "show the settings",
    run: verb(async () => (await import("../verbs/settings/config.ts")).config, ["show"]),
  },
];

/** A message that is a command: it ran and is done, or it is a task for a run. */
export type SlashResult =
  | { readonly kind: "done"; readonly code: ExitCode }
  | { readonly kind: "task"; readonly command: ExpandedCommand };

/** Name and arguments of a message that is a command; a path such as `/etc/hosts` is not one. */
export function slashCommandIn(
  message: string,
): { readonly name: string; readonly text: string } | undefined {
  const [, name, text = ""] = /^\/([A-Za-z][\w:.-]*)(?:\s+([\s\S]*))?$/u.exec(message.trim()) ?? [];
  return name === undefined ? undefined : { name, text };
}

/** Runs a built-in command, or expands one of the project or the user. */
export async function runSlashCommand(
  { name, text }: { readonly name: string; readonly text: string },
  given: SlashGiven,
): Promise<SlashResult> {
  const builtIn = builtInCommands.find((each) => each.name === name);
  if (builtIn !== undefined) return { kind: "done", code: await builtIn.run(given, text) };
  const { kit, signal, sessionId } = given;
  const command = await kit.commands.expand(name, {
    arguments: text,
    signal,
    sessionId: await sessionId(),
  });
  return { kind: "task", command };
}

async function help({ kit, terminal }: SlashGiven): Promise<ExitCode> {
  const { commands } = await kit.commands.list();
  const rows = [
    ...builtInCommands.map(({ name, summary }) => [`/${name}`, summary]),
    ...commands.map(({ name, argumentHint, description, needsTrust }) => [
      `/${name}${argumentHint === undefined ? "" : ` ${argumentHint}`}`,
      needsTrust ? `${description} (needs trust)` : description,
    ]),
  ];
  const width = Math.min(40, Math.max(...rows.map(([name = ""]) => name.length)));
  for (const [name = "", summary = ""] of rows) {
    terminal.out(`${visibleText(`${name.padEnd(width)}  ${summary}`)}\n`);
  }
  return exitCodes.ok;
}

/** Shows the session of the run, the one that the text names, or where no run has begun the latest. */
async function cost({ kit, terminal, sessionId }: SlashGiven, text: string): Promise<ExitCode> {
  const { namedSession } = await import("./resolve-session.ts");
  const { describeSession } = await import("../print/describe-session.ts");
  const name = text.trim();
  const own = name === "" ? await kit.sessions.get(await sessionId()) : undefined;
  const session = own ?? (await namedSession(kit, name === "" ? "latest" : name));
  for (const line of describeSession(session)) terminal.out(`${line}\n`);
  return exitCodes.ok;
}

async function agents({ kit, terminal }: SlashGiven): Promise<ExitCode> {
  const found = await kit.agents.list();
  if (found.length === 0) terminal.out("No agent was started.\n");
  for (const { agentId, status } of found) terminal.out(`${agentId}  ${status}\n`);
  return exitCodes.ok;
}
