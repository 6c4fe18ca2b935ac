import { z } from "zod";
import { agents, defineTool } from "../../core/index.ts";
import { AgentId, agentIdAliases } from "../files/agent-id.ts";
import { agentAnswer, callerOf } from "../files/agent-state.ts";

export const agentStatus = defineTool({
  name: "AgentStatus",
  displayName: "Agent status",
  description: "Show what an agent does or has answered. With block, wait for its end.",
  category: "agents",
  searchHint: "sub-agent subagent progress result wait",
  aliases: ["subagent_status"],
  tags: ["polling"],
  input: z.strictObject({
    agent_id: AgentId,
    block: z.boolean().optional().describe("Wait for its end."),
    timeout: z.int().min(1).optional().describe("Milliseconds to wait at most."),
  }),
  inputAliases: { agent_id: agentIdAliases, block: ["wait"] },
  touches: [],
  needs: [agents],
  timeoutMs: 86_400_000,
  signature: ({ agent_id: id }) => `AgentStatus ${id}`,

  async run({ agent_id: id, block, timeout }, context) {
    const service = context.service(agents);
    const caller = callerOf(context);
    const info =
      block === true ? await service.wait(id, caller, timeout) : await service.get(id, caller);
    return agentAnswer(info, `Status of ${info.agentId}`);
  },
});
