import type { ContentPart, Tool, ToolResult } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { AISDKCallOptions } from "../outgoing/ai-sdk.ts";
import { importedTool, resultOf, type ImportOptions } from "./imported-tool.ts";
import { inputSchemaOf } from "./input-schema.ts";

/** The members of an AI SDK tool that haft uses; tools of AI SDK 6 and 7 fit it. */
export interface AISDKToolLike {
  /** Text for the model; haft uses a text, not a function. */
  readonly description?: unknown;
  /** Name for users. */
  readonly title?: string | undefined;
  /** Schema of the input: Zod, Standard Schema, or made by `jsonSchema`. */
  readonly inputSchema?: unknown;
  /** Whether the model is held to the schema. */
  readonly strict?: boolean | undefined;
  /** Whether a call needs approval: then no rule of the kit allows it without a question. */
  readonly needsApproval?: unknown;
  /** Runs the tool. Missing for tools of providers and clients, which haft cannot run. */
  readonly execute?: AISDKToolMethods["execute"] | undefined;
  /** Converts the result to what the model sees. */
  readonly toModelOutput?: AISDKToolMethods["toModelOutput"] | undefined;
}

/** Methods of an AI SDK tool; as methods, they may take narrower inputs. */
export interface AISDKToolMethods {
  /** Runs the tool. */
  execute(input: unknown, options: AISDKCallOptions): unknown;
  /** Converts the result to what the model sees. */
  toModelOutput(options: {
    readonly toolCallId: string;
    readonly input: unknown;
    readonly output: unknown;
  }): unknown;
}

/**
 * Converts tools of AI SDK 6 and 7, by name. What is not declared in `options` is unknown; `needsApproval` asks each
 * time.
 *
 * @example
 * const extra = await fromAISDKTools({ weather }, { weather: { touches: [] } });
 * const kit = await createToolkit({ tools: { extra } });
 * @throws TypeError for a tool without `execute`.
 */
export async function fromAISDKTools(
  tools: Readonly<Record<string, AISDKToolLike>>,
  options: Readonly<Record<string, ImportOptions>> = {},
): Promise<Tool[]> {
  return await Promise.all(
    Object.entries(tools).map(async ([name, tool]) => await fromTool(name, tool, options[name])),
  );
}

async function fromTool(
  name: string,
  tool: AISDKToolLike,
  options: ImportOptions | undefined,
): Promise<Tool> {
  const { description, title, needsApproval, strict } = tool;
  if (tool.execute === undefined) {
    throw new TypeError(`The tool ${name} has no execute: its provider or a client runs it.`);
  }
  const { input, refine } = await inputSchemaOf(name, tool.inputSchema);
  const foreign = {
    name,
    description: typeof description === "string" ? description : "",
    displayName: title,
    input,
    asks: asksBy(needsApproval),
    run: async (sent: unknown, { callId, signal }: RunContext) => {
      const given = await refine(sent);
      const running: unknown = tool.execute?.(given, {
        toolCallId: callId,
        messages: [],
        abortSignal: signal,
      });
      const output = isStream(running) ? await lastOf(running) : await running;
      if (tool.toModelOutput === undefined) return resultOf(output);
      return modelResult(await tool.toModelOutput({ toolCallId: callId, input: given, output }));
    },
  };
  return importedTool(foreign, { ...(strict === true ? { strict } : {}), ...options });
}

interface RunContext {
  readonly callId: string;
  readonly signal: AbortSignal;
}

function asksBy(
  needsApproval: unknown,
): ((input: unknown, context: unknown) => Promise<boolean>) | undefined {
  if (needsApproval === true) return async () => true;
  if (!isFunction(needsApproval)) return undefined;
  return async (input) => (await needsApproval(input, { toolCallId: "", messages: [] })) === true;
}

function isFunction(value: unknown): value is (...given: readonly unknown[]) => unknown {
  return typeof value === "function";
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** A tool may yield preliminary results; the last one counts. */
async function lastOf(stream: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of stream) last = value;
  return last;
}

/** Result in the words of the AI SDK, as haft's. */
function modelResult(output: unknown): ToolResult {
  if (!isRecord(output)) return resultOf(output);
  const { type, value, reason } = output;
  switch (type) {
    case "text":
    case "json":
      return resultOf(value);
    case "error-text":
    case "error-json":
      return { ...resultOf(value), isError: true };
    case "execution-denied":
      return { content: typeof reason === "string" ? reason : "Denied.", isError: true };
    case "content":
      return { content: Array.isArray(value) ? value.map(partOf) : "" };
    default:
      return resultOf(output);
  }
}

function partOf(part: unknown): ContentPart {
  if (isRecord(part)) {
    const { type, text, data, mediaType, url } = part;
    if (type === "text" && typeof text === "string") return { type, text };
    if (typeof data === "string" && typeof mediaType === "string") {
      return mediaType.startsWith("image/")
        ? { type: "image", data, mimeType: mediaType }
        : { type: "resource", resource: { uri: "data:", mimeType: mediaType, blob: data } };
    }
    if (typeof url === "string") return { type: "resource_link", uri: url, name: url };
  }
  return { type: "text", text: JSON.stringify(part) ?? "" };
}
