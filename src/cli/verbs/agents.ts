import type { AgentInfo, Kit } from "../../index.ts";
import { exitCodes, type ExitCode } from "../exit-codes.ts";
import { parseWords, refuseMore } from "../input/parse-arguments.ts";
import { openKit } from "../open-kit.ts";
import { kitOptions, recordOptionsHelp } from "../options.ts";
import { describeAgents } from "../print/agents/describe-agent.ts";
import { visibleText } from "../print/visible-text.ts";
import type { Terminal } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const help = `Usage: haft agents [list]   list the agents that were started in this workspace, by any process, the latest first
       haft agents ID       show the latest text, error and worktree of an agent
       haft agents kinds    list the kinds of agents that can be started, and those that cannot, with the reason

Each line has the id, state, kind, turns, calls, tokens, cost, the time since the latest activity, and what the agent is
doing. The state lost means that the process of the agent ended before the agent was done; resume continues it.

${recordOptionsHelp({ trust: true })}`;

/** `haft agents`: lists agents of this and other processes, shows one, and lists the kinds. */
export async function agents(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, words: rest } = parseWords(words, kitOptions);
  if (values.help === true) {
    terminal.out(help);
    return exitCodes.ok;
  }
  const [first] = rest;
  const name = first === "list" ? undefined : first;
  refuseMore(rest, 1, "haft agents takes one id.");
  const kit = await openKit(values, terminal);
  const print = (value: unknown): void => terminal.out(`${JSON.stringify(value, null, 2)}\n`);
  const json = values.json === true;
  try {
    if (name === "kinds") {
      const kinds = await kit.agents.definitions();
      if (json) print(kinds);
      else for (const line of kindLines(kinds)) terminal.out(`${line}\n`);
      return exitCodes.ok;
    }
    const all = await kit.agents.stored();
    if (name !== undefined) {
      const agent = agentOf(all, name);
      if (json) print(agent);
      else for (const line of detailsOf(agent)) terminal.out(`${line}\n`);
      return exitCodes.ok;
    }
    if (json) print(all);
    else if (all.length === 0) terminal.err("No agent was started here.\n");
    else for (const line of describeAgents(all, kit.now())) terminal.out(`${line}\n`);
    return exitCodes.ok;
  } finally {
    await kit.dispose();
  }
}

function agentOf(all: readonly AgentInfo[], id: string): AgentInfo {
  const found = all.find(({ agentId, runId }) => agentId === id || runId === id);
  if (found !== undefined) return found;
  throw new UsageError(`There is no agent ${visibleText(id)}.`, "List them with haft agents.");
}

function detailsOf({ agentId, agent, description, status, text, error, worktree }: AgentInfo) {
  return [
    `${agentId} (${visibleText(agent)}: ${visibleText(description)}): ${status}`,
    ...(error === undefined ? [] : [`${error.code}: ${visibleText(error.message)}`]),
    ...(worktree === undefined
      ? []
      : [`worktree ${visibleText(worktree.path)}, branch ${visibleText(worktree.branch)}`]),
    ...(text === "" ? [] : ["", visibleText(text)]),
  ];
}

function kindLines({ agents: kinds, unused }: Awaited<ReturnType<Kit["agents"]["definitions"]>>) {
  return [
    ...kinds.map(({ name, description }) => `${visibleText(name)}: ${visibleText(description)}`),
    ...unused.map(
      ({ name, file, reason, message }) =>
        `${visibleText(name)} (${reason === "trust" ? "needs trust" : "not used"}): ${visibleText(message)} ${visibleText(file)}`,
    ),
  ];
}
