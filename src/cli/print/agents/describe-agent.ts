import type { AgentInfo, HaftEvent } from "../../../index.ts";
import type { Terminal } from "../../terminal.ts";
import { counted, moneyOf } from "../describe-session.ts";
import { shortTitle } from "../describe-task.ts";
import { visibleText } from "../visible-text.ts";

type AgentEvent = Extract<
  HaftEvent,
  { readonly type: "agent-start" | "agent-event" | "agent-end" }
>;

/** Turns, calls, tokens and money of an agent. */
export function agentFacts(agent: AgentInfo): string {
  const { turns, calls, usage } = agent;
  const tokens = usage.input + usage.output;
  const money = agent.costUsd === 0 ? [] : moneyOf(agent);
  return [counted(turns, "turn"), counted(calls, "call"), counted(tokens, "token"), ...money].join(
    ", ",
  );
}

/** Lines of the tree of agents: one when an agent starts or ends, and one whenever it does something else. */
export function agentLines(terminal: Terminal): (event: AgentEvent) => string | undefined {
  const activities = new Map<string, string>();
  return ({ type, agent }) => {
    const { agentId, depth, description, activity, status, error } = agent;
    const indent = "  ".repeat(Math.max(0, depth));
    const name = `${visibleText(agent.agent)}: ${shortTitle(description)}`;
    if (type === "agent-start")
      return `${indent}${terminal.style("cyan", "▸")} ${name} (${agentId})\n`;
    if (type === "agent-end") {
      activities.delete(agentId);
      const mark = status === "done" ? terminal.style("green", "✓") : terminal.style("red", "✗");
      const reason = error === undefined ? "" : `: ${visibleText(error.message)}`;
      return `${indent}${mark} ${name}: ${status}${reason} ${terminal.style("dim", `(${agentFacts(agent)})`)}\n`;
    }
    if (activity === "thinking" || activities.get(agentId) === activity) return undefined;
    activities.set(agentId, activity);
    const doing = `${shortTitle(description)}: ${shortTitle(activity)} (${agentFacts(agent)})`;
    return `${indent}  ${terminal.style("dim", doing)}\n`;
  };
}

/** Rows of a table of agents: id, state, kind, facts, time since the latest activity, what it does. */
export function describeAgents(agents: readonly AgentInfo[], now: number): readonly string[] {
  const rows = agents.map((agent) => {
    const seconds = Math.max(0, Math.round((now - agent.lastActivityAt) / 1000));
    const doing = agent.status === "running" ? `: ${agent.activity}` : "";
    return [
      `${"  ".repeat(Math.max(0, agent.depth - 1))}${agent.agentId}`,
      agent.status,
      visibleText(agent.agent),
      agentFacts(agent),
      `${seconds} s ago`,
      shortTitle(`${agent.description}${doing}`),
    ];
  });
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
