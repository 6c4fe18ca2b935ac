import { z } from "zod";
import { defineTool, delegation, type DelegateResult } from "../../core/index.ts";
import { callerOf } from "../files/agent-state.ts";
import { counted } from "../files/paths/display-path.ts";

/** Maximum number of files and of errors that the model sees; the rest are counted. */
const maxShown = 50;
/** A day: the limits of the task itself end it earlier. */
const timeoutMs = 86_400_000;

export const delegate = defineTool({
  name: "Delegate",
  displayName: "Delegate",
  description:
    "Give a complete task to an agent with every tool, and get a report: success, summary, changed files, errors.",
  category: "agents",
  searchHint: "sub-agent subagent tool agent delegated task report",
  input: z.strictObject({
    task: z.string().min(1).describe("The whole task."),
    context: z.string().optional().describe("Facts it needs."),
    expected_outcome: z.string().optional().describe("What must hold at the end."),
  }),
  inputAliases: { task: ["prompt"], expected_outcome: ["expectedOutcome"] },
  freeText: ["task", "context", "expected_outcome"],
  touches: ["delegate"],
  needs: [delegation],
  timeoutMs,
  effects: () => [{ kind: "delegate", agent: "delegate", target: "agent" }],
  signature: ({ task }) => `Delegate ${task.slice(0, 60)}`,
  suggestRule: () => "Delegate",

  async run({ task, context, expected_outcome: expectedOutcome }, call) {
    const request = { task, context, expectedOutcome };
    const result = await call.service(delegation).delegate(request, callerOf(call), {
      onProgress: (message) => call.progress({ message }),
    });
    return {
      content: reportOf(result),
      title: `Delegate: ${task.split("\n", 1)[0]?.slice(0, 60) ?? ""}`,
      summary: `${result.success ? "done" : "failed"}, ${counted(result.toolCallCount, "call")}`,
      metadata: { ...result },
      ...(result.success ? {} : { isError: true }),
    };
  },
});

function reportOf(result: DelegateResult): string {
  const { success, summary, details, filesModified, errors, toolCallCount, agentId } = result;
  return [
    success ? "The task succeeded." : "The task failed.",
    details.startsWith(summary) ? details : [summary, details].filter(Boolean).join("\n\n"),
    ...listed("Changed files:", filesModified),
    ...listed("Errors:", errors),
    `(agentId ${agentId}; ${counted(toolCallCount, "call")}, ${Math.round(result.executionTimeMs / 1000)} s)`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function listed(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const shown = lines.slice(0, maxShown).map((line) => `- ${line}`);
  const rest = lines.length - shown.length;
  return [[title, ...shown, ...(rest === 0 ? [] : [`(${rest} more)`])].join("\n")];
}
