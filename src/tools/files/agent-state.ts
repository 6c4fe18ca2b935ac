import { ToolError, type AgentCaller, type AgentInfo, type ToolContext } from "../../core/index.ts";
import { counted } from "./paths/display-path.ts";

/** Caller of a tool that works with agents. */
export function callerOf(context: ToolContext): AgentCaller {
  const { runId, sessionId, agentId, callId, signal } = context;
  return { runId, sessionId, agentId, callId, signal };
}

/** Ids, state and costs of an agent, as the model reads them. */
export function agentFacts(agent: AgentInfo): string {
  const {
    agentId,
    runId,
    sessionId,
    status,
    turns,
    calls,
    usage,
    costUsd,
    worktree,
    denials = [],
    savedUsd,
  } = agent;
  const money = costUsd === undefined || costUsd === 0 ? "" : `, $${costUsd.toFixed(4)}`;
  const saved = savedUsd === undefined ? "" : `, $${savedUsd.toFixed(4)} saved`;
  const cached =
    usage.cacheRead === undefined || usage.cacheRead === 0
      ? ""
      : `, ${usage.cacheRead} of them read from the cache${saved}`;
  const refused = denials.length === 0 ? "" : `, ${counted(denials.length, "refused call")}`;
  const ids = `agentId ${agentId}, runId ${runId}, sessionId ${sessionId}`;
  const work = `${counted(turns, "turn")}, ${counted(calls, "call")}, ${counted(usage.input + usage.output, "token")}${money}${cached}${refused}`;
  const facts = [`(${ids}: ${status}; ${work})`];
  if (worktree !== undefined) {
    const { path, branch, commits, changedFiles, isKept } = worktree;
    const changes = `${counted(commits, "commit")}, ${counted(changedFiles, "changed file")} not committed`;
    facts.push(
      isKept
        ? `(worktree ${path} on branch ${branch}: ${changes})`
        : `(worktree without changes removed; branch ${branch})`,
    );
  }
  return facts.join("\n");
}

/** Result of a tool that has waited for an agent, or has looked at one. */
export function agentAnswer(agent: AgentInfo, title: string) {
  const { status, text, error } = agent;
  const isRunning = status === "running";
  const isFailure = !isRunning && status !== "done";
  const reason = error === undefined ? "" : `${error.code}: ${error.message}`;
  const doing = isRunning && agent.activity !== "" ? `Running: ${agent.activity}` : "";
  const heading = isFailure ? `The agent did not finish (${status}). ${reason}`.trim() : doing;
  const said = isRunning && text !== "" ? `Latest text: ${text}` : text;
  const hint = error?.hint === undefined ? "" : error.hint;
  const content = [heading, said, isFailure ? hint : "", agentFacts(agent)]
    .filter((part) => part !== "")
    .join("\n\n");
  return { content, title, summary: status, metadata: { agent: { ...agent } } };
}

/**
 * Error of an agent that did not finish, with the code of its reason. The text holds the work so far and the ids with
 * which it continues.
 */
export function agentFailure(agent: AgentInfo): ToolError {
  const { error, agentId, runId, sessionId, status, text } = agent;
  const { content } = agentAnswer(agent, "");
  const code = error === undefined || error.code === "INTERNAL" ? "TOOL_FAILED" : error.code;
  return new ToolError(code, content, {
    hint: `To continue it, call Agent with resume: ${JSON.stringify(agentId)}.`,
    retryable: false,
    data: {
      ...error?.data,
      agentId,
      runId,
      sessionId,
      status,
      text,
      agent: { ...agent },
    },
  });
}
