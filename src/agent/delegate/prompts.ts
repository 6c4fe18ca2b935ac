import type { DelegateRequest } from "../../core/index.ts";

/** Prompts of delegated tasks, for programs that build on them. */
export interface DelegatePrompts {
  /** Instructions of the agent, in addition to the default system prompt. */
  system(): string;
  /** The task with its context and the expected outcome. */
  task(request: DelegateRequest): string;
}

/** Prompts of delegated tasks. */
export const delegatePrompts: DelegatePrompts = {
  system: () =>
    [
      "Finish the task by yourself: no one answers while you work.",
      "Begin your last message with one paragraph that says whether the expected outcome is reached; details follow.",
    ].join("\n"),
  task: ({ task, context, expectedOutcome }) =>
    [
      task.trim(),
      ...section("Context", context),
      ...section("Expected outcome", expectedOutcome),
    ].join("\n\n"),
};

function section(title: string, text: string | undefined): readonly string[] {
  return text === undefined || text.trim() === "" ? [] : [`${title}:\n${text.trim()}`];
}
