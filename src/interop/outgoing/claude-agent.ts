import type { z } from "zod";
import type { JsonSchema, McpTool, ModelDefinitionOptions } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { InteropToolkit } from "./ai-sdk.ts";
import { toResult, type McpResult } from "./to-result.ts";

/** A tool in the form that `createSdkMcpServer` of the Claude Agent SDK takes. */
export interface ClaudeAgentTool {
  /** Name of the tool. */
  name: string;
  /** Text for the model. */
  description: string;
  /** Schemas of the properties of the input, as Zod types. */
  inputSchema: Record<string, z.ZodType>;
  /** Behavior, derived from the effects that the tool may have. */
  annotations: McpTool["annotations"];
  /** Takes the call through every step of the kit; never rejects because of what the call does. */
  handler: (input: Record<string, unknown>, extra: unknown) => Promise<McpResult>;
}

/**
 * Converts the tools of a kit to tools for `createSdkMcpServer` of the Claude Agent SDK. Every call goes through the
 * kit: its rules decide in addition to those of the agent.
 *
 * @example
 * const server = createSdkMcpServer({ name: "haft", tools: await toClaudeAgentTools(kit) });
 * for await (const message of query({ prompt, options: { mcpServers: { haft: server } } })) …
 */
export async function toClaudeAgentTools(
  kit: InteropToolkit,
  options: ModelDefinitionOptions = {},
): Promise<ClaudeAgentTool[]> {
  const { z: zod } = await import("zod");
  const { tools } = await kit.definitions("mcp", { all: true, ...options });
  return tools.flatMap((tool) => {
    if (!isMcpTool(tool)) return [];
    const { name, description, inputSchema, annotations } = tool;
    return [
      {
        name,
        description,
        inputSchema: shapeOf(inputSchema, zod),
        annotations,
        handler: async (input, extra) => {
          const outcome = await kit.call(
            { name, input },
            { signal: signalIn(extra), sessionId: options.sessionId, inOrder: true },
          );
          return toResult(outcome, "mcp");
        },
      },
    ];
  });
}

function isMcpTool(tool: unknown): tool is McpTool {
  return isRecord(tool) && isRecord(tool["inputSchema"]) && typeof tool["name"] === "string";
}

/** Zod types of the properties of an object schema, each with the definitions of the whole. */
function shapeOf(schema: JsonSchema, zod: typeof z): Record<string, z.ZodType> {
  const { properties, $defs, required } = schema;
  const names = new Set(Array.isArray(required) ? required : []);
  const shape: Record<string, z.ZodType> = {};
  for (const [key, value] of Object.entries(isRecord(properties) ? properties : {})) {
    const property = isRecord(value) ? value : {};
    const type = typeOf({ ...property, ...($defs === undefined ? {} : { $defs }) }, zod);
    const { description } = property;
    const described = typeof description === "string" ? type.describe(description) : type;
    shape[key] = names.has(key) ? described : described.optional();
  }
  return shape;
}

/** The kit validates the input itself, so a schema that Zod cannot express accepts anything here. */
function typeOf(schema: JsonSchema, zod: typeof z): z.ZodType {
  try {
    return zod.fromJSONSchema(schema);
  } catch {
    return zod.unknown();
  }
}

function signalIn(extra: unknown): AbortSignal | undefined {
  const signal = isRecord(extra) ? extra["signal"] : undefined;
  return signal instanceof AbortSignal ? signal : undefined;
}
