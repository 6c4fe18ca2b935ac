import type { AgentDefinition } from "../../core/index.ts";
import { defaultPromptParts, type PromptPart } from "../system-prompt.ts";

/** Agent that is started where the call names none. */
export const generalAgent: AgentDefinition = {
  name: "general",
  description: "Any task that is described completely in the prompt.",
  prompt: "",
};

/** System prompt of an agent that another one started. */
export function childPromptParts({ prompt }: AgentDefinition): readonly PromptPart[] {
  return [
    ...defaultPromptParts.filter(({ name }) => name !== "answer"),
    { name: "agent", text: prompt },
    {
      name: "answer",
      text: "Another agent gave you this task and sees only your last message. Put into it what you did, what you found with paths and lines, what proves it, and what you could not do.",
    },
  ];
}
