import { z } from "zod";
import { agents, defineTool, modes, type AgentRequest } from "../../core/index.ts";
import { agentAnswer, agentFacts, agentFailure, callerOf } from "../files/agent-state.ts";

const Input = z.strictObject({
  prompt: z.string().min(1).describe("The whole task: the agent sees nothing else."),
  description: z.string().optional().describe("Title of 3 to 6 words."),
  agent: z.string().min(1).optional().describe('Kind of agent. Default "general".'),
  mode: z
    .enum(["sync", "background", "worktree"])
    .optional()
    .describe(
      "background: go on, its end is reported. worktree: a checkout and branch of its own.",
    ),
  fork: z.boolean().optional().describe("It sees this conversation; cheap with a cache."),
  resume: z.string().min(1).optional().describe("Id of an agent that ended, to continue it."),
  model: z.string().min(1).optional().describe("Default: yours."),
  tools: z.array(z.string().min(1)).optional().describe("Limit to these tools."),
  permission_mode: z.enum(modes).optional().describe("At most yours."),
  max_iterations: z.int().min(1).optional().describe("Maximum turns."),
  max_tokens: z.int().min(1).optional().describe("Maximum tokens."),
  branch_name: z.string().optional().describe("Branch of the worktree."),
});

/** `background` with a worktree: only from aliases of other programs. */
const Sent = z.preprocess(foldAliases, Input.extend({ background: z.boolean().optional() }));

type AgentInput = z.infer<typeof Sent>;

/** A day: the limits of the agent itself end it earlier. */
const timeoutMs = 86_400_000;

export const agent = defineTool({
  name: "Agent",
  displayName: "Agent",
  description:
    "Give a task to another agent, which works with the same tools and permissions and answers with its last message. Agents called together run at the same time. Every result, also of a failure, has an agentId with which resume continues that agent.",
  category: "agents",
  searchHint: "sub-agent subagent spawn delegate parallel worker background worktree fork",
  aliases: ["Task", "spawn_agent"],
  input: { schema: Sent, jsonSchema: jsonSchemaOf() },
  inputAliases: {
    agent: ["subagent_type", "agent_type"],
    max_iterations: ["maxIterations", "max_turns"],
    max_tokens: ["maxTokens"],
    permission_mode: ["permissionMode"],
    branch_name: ["branchName"],
    prompt: ["task"],
  },
  freeText: ["prompt", "description"],
  touches: ["delegate"],
  needs: [agents],
  timeoutMs,
  async effects(input, context) {
    const { sessionId, agentId, signal } = context;
    const caller = { sessionId, agentId, signal, callId: "" };
    const name =
      input.resume === undefined
        ? (input.agent ?? "general")
        : await resumedName(
            input.resume,
            async (id) => await context.service(agents).get(id, caller),
          );
    return [{ kind: "delegate", agent: name, target: "agent" }];
  },
  signature: ({ description, prompt }) => `Agent ${description ?? prompt.slice(0, 60)}`,
  suggestRule: ({ agent: name }) => `Agent(${name ?? "general"})`,

  async run(input, context) {
    const service = context.service(agents);
    const info = await service.start(requestOf(input), callerOf(context));
    const title = `Agent: ${info.description}`;
    if (info.status === "running" && info.isBackground) {
      return {
        content: `The agent works in the background; its end is reported to you, so do not wait by polling.\n\n${agentFacts(info)}`,
        title,
        summary: "running in the background",
        metadata: { agent: { ...info } },
      };
    }
    // The answer to an aborted call is shown with the error of the call itself.
    if (info.status !== "done" && !context.signal.aborted) throw agentFailure(info);
    return agentAnswer(info, title);
  },
});

/** Name of the agent that continues; an id that does not exist is reported by the call itself. */
async function resumedName(
  id: string,
  get: (id: string) => Promise<{ readonly agent: string }>,
): Promise<string> {
  try {
    return (await get(id)).agent;
  } catch {
    return id;
  }
}

function requestOf(input: AgentInput): AgentRequest {
  const { mode } = input;
  return {
    prompt: input.prompt,
    description: input.description,
    agent: input.agent,
    model: input.model,
    isBackground: mode === undefined ? input.background : mode === "background" || input.background,
    isWorktree: mode === undefined ? undefined : mode === "worktree",
    branchName: input.branch_name === "" ? undefined : input.branch_name,
    maxTurns: input.max_iterations,
    maxTokens: input.max_tokens,
    permissionMode: input.permission_mode,
    tools: input.tools,
    resume: input.resume,
    isFork: input.fork,
  };
}

function jsonSchemaOf() {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(Input, { io: "input" });
  return schema;
}

/**
 * Rewrites the options of other programs' agent tools: `background`, `run_in_background` and `isolation` become `mode`.
 * An agent in a worktree may also run in the background.
 */
function foldAliases(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  const given: Readonly<Record<string, unknown>> = { ...input };
  const { run_in_background: inBackground, isolation, ...rest } = given;
  const background = given["background"] ?? inBackground;
  const isWorktree = isolation === "worktree" || rest["mode"] === "worktree";
  if (inBackground === undefined && isolation === undefined && background === undefined)
    return input;
  // A value that is not understood stays, so that validation names it.
  const odd = isolation === undefined || isolation === "worktree" || isolation === "none";
  return {
    ...rest,
    ...(isWorktree
      ? { mode: "worktree" }
      : background === true
        ? { mode: "background" }
        : background === false && rest["mode"] === undefined
          ? { mode: "sync" }
          : {}),
    ...(background === undefined ? {} : { background }),
    ...(odd ? {} : { isolation }),
  };
}
