import { z } from "zod";
import { agents, defineTool, type AgentInfo } from "../../core/index.ts";
import { callerOf } from "../files/agent-state.ts";
import { fitted, padded } from "../files/display-width.ts";
import { counted } from "../files/paths/display-path.ts";

/** Maximum number of agents shown; the rest are counted. */
const maxShown = 50;
const titleColumns = 50;

export const agentList = defineTool({
  name: "AgentList",
  displayName: "List agents",
  description: "List the agents that can be started, and those that were.",
  category: "agents",
  searchHint: "sub-agents subagents running kinds definitions",
  aliases: ["subagent_list", "ListAgents"],
  input: z.strictObject({}),
  touches: [],
  needs: [agents],
  signature: () => "AgentList",

  async run(_input, context) {
    const service = context.service(agents);
    const { agents: kinds } = await service.definitions();
    const all = await service.list(callerOf(context));
    const shown = all.slice(0, maxShown);
    const lines = [
      "Kinds:",
      ...kinds.map(({ name, description }) => `- ${name}: ${description}`),
      ...(all.length === 0 ? [] : ["", "Started, the latest first:", ...rowsOf(shown)]),
      ...(all.length > shown.length ? [`(${all.length - shown.length} more)`] : []),
    ];
    const running = all.filter(({ status }) => status === "running").length;
    return {
      content: lines.join("\n"),
      title: "List agents",
      summary: `${counted(running, "agent")} running`,
      metadata: { agents: all.map((each) => ({ ...each })) },
    };
  },
});

function rowsOf(shown: readonly AgentInfo[]): readonly string[] {
  const rows = shown.map(({ agentId, status, agent, turns, calls, usage, description, depth }) => [
    `${"  ".repeat(depth - 1)}${agentId}`,
    status,
    agent,
    `${turns} turns`,
    `${calls} calls`,
    `${usage.input + usage.output} tokens`,
    fitted(description.replaceAll(/\s+/gu, " "), titleColumns),
  ]);
  const widths = [0, 1, 2, 3, 4, 5].map((column) =>
    Math.max(0, ...rows.map((row) => (row[column] ?? "").length)),
  );
  return rows.map((row) =>
    row.map((cell, at) => (at < 6 ? padded(cell, widths[at] ?? 0) : cell)).join("  "),
  );
}
