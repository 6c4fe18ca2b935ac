import {
  nearestName,
  ToolError,
  type AgentDefinition,
  type AgentDefinitions,
} from "../../core/index.ts";
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

/** The definition of this name, if the agent that starts it may use it. */
export function chooseDefinition(
  name: string,
  parent: AgentDefinition | undefined,
  { agents, unused }: AgentDefinitions,
): AgentDefinition {
  const allowed = parent?.agents;
  if (allowed !== undefined && !allowed.includes(name)) {
    throw new ToolError("PERMISSION_DENIED", `This agent may not start the agent ${name}.`, {
      hint: allowed.length === 0 ? "It may start none." : `It may start ${allowed.join(", ")}.`,
    });
  }
  const found = agents.find((each) => each.name === name);
  if (found !== undefined) return found;
  const left = unused.find((each) => each.name === name);
  if (left !== undefined) {
    throw new ToolError("UNAVAILABLE", `The agent ${name} cannot be used. ${left.message}`, {
      hint: left.reason === "trust" ? "The user can trust this workspace." : `Fix ${left.file}.`,
      retryable: false,
    });
  }
  const names = agents.map((each) => each.name);
  const near = nearestName(name, new Set(names));
  throw new ToolError("INVALID_INPUT", `There is no agent called ${JSON.stringify(name)}.`, {
    hint: near === undefined ? `Use one of ${names.join(", ")}.` : `Did you mean ${near}?`,
  });
}
