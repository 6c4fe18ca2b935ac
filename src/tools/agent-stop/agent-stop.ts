import { z } from "zod";
import { agents, defineTool } from "../../core/index.ts";
import { AgentId, agentIdAliases } from "../files/agent-id.ts";
import { agentAnswer, callerOf } from "../files/agent-state.ts";

export const agentStop = defineTool({
  name: "AgentStop",
  displayName: "Stop agent",
  description: "End an agent and those it started. Its work so far stays; resume continues it.",
  category: "agents",
  searchHint: "sub-agent subagent kill end cancel",
  aliases: ["subagent_stop"],
  input: z.strictObject({ agent_id: AgentId }),
  inputAliases: { agent_id: agentIdAliases },
  // It ends only what this agent started itself.
  touches: [],
  needs: [agents],
  signature: ({ agent_id: id }) => `AgentStop ${id}`,

  async run({ agent_id: id }, context) {
    const info = await context.service(agents).stop(id, callerOf(context));
    return agentAnswer(info, `Stop ${info.agentId}`);
  },
});
