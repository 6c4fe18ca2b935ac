import { z } from "zod";
import { defineTool, otherSessions } from "../../core/index.ts";
import { callerOf } from "../files/agent-state.ts";

export const sessionsYield = defineTool({
  name: "SessionsYield",
  displayName: "Yield",
  description:
    "End your run with a message. The end of agents and commands in the background wakes you again.",
  category: "agents",
  searchHint: "end turn wait for background sessions yield",
  aliases: ["sessions_yield"],
  input: z.strictObject({ message: z.string().min(1).describe("Your answer.") }),
  inputAliases: { message: ["text", "content"] },
  freeText: ["message"],
  touches: [],
  needs: [otherSessions],
  signature: () => "SessionsYield",

  async run({ message }, context) {
    await context.service(otherSessions).yield(message, callerOf(context));
    return { content: "The run ends with this message.", title: "Yield", summary: "yielded" };
  },
});
