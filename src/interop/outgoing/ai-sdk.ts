import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  contentText,
  partText,
  type Ask,
  type Answer,
  type ContentPart,
  type DefinitionFormat,
  type JsonSchema,
  type ModelDefinitionOptions,
  type Outcome,
  type Toolkit,
} from "../../core/index.ts";
import { isRecord, RecentMap } from "../../text/index.ts";
import { neutralTools } from "./neutral-tools.ts";

/** Options of `toAISDKTools`. */
export interface AISDKToolsOptions extends ModelDefinitionOptions {
  /**
   * Include deferred tools: the AI SDK rejects a call of a tool that is not in its set.
   *
   * @default true
   */
  readonly all?: boolean;
  /**
   * Where a call that needs approval is asked about: `"sdk"` as a tool approval request of the AI SDK, `"kit"` by the
   * function `onAsk` of the toolkit.
   *
   * @default "sdk"
   */
  readonly approval?: "sdk" | "kit";
  /**
   * Provider whose schema dialect and names the tools have.
   *
   * @default "openai-chat", which the other providers accept too
   */
  readonly format?: DefinitionFormat;
}

/** Facts that the AI SDK passes to a tool. */
export interface AISDKCallOptions {
  /** Id of the call. */
  readonly toolCallId: string;
  /** Conversation up to the call. */
  readonly messages: readonly unknown[];
  /** Ends the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** Result of a tool as the AI SDK passes it to the model. */
export type AISDKModelOutput =
  | { type: "text"; value: string }
  | { type: "error-text"; value: string }
  | { type: "content"; value: AISDKContentPart[] };

/** Part of a result with images or files. */
export type AISDKContentPart =
  | { type: "text"; text: string }
  | { type: "image-data"; data: string; mediaType: string }
  | { type: "file-data"; data: string; mediaType: string };

/** A tool in the form of AI SDK 6 and 7. */
export interface AISDKTool {
  /** Text for the model. */
  description: string;
  /** Schema of the input. The kit validates and repairs the input itself. */
  inputSchema: StandardSchemaV1<unknown, unknown>;
  /** Takes the call through every step of the kit; never rejects because of what the call does. */
  execute: (input: unknown, options: AISDKCallOptions) => Promise<Outcome>;
  /** Whether the rules of the kit ask about the call. */
  needsApproval: (input: unknown, options: AISDKCallOptions) => Promise<boolean>;
  /** Converts the outcome to what the model sees. */
  toModelOutput: (options: { readonly output: Outcome }) => AISDKModelOutput;
}

/** Part of a toolkit that other frameworks use. */
export type InteropToolkit = Pick<Toolkit, "call" | "definitions" | "explain">;

/**
 * Converts the tools of a kit to tools for `generateText`, `streamText` and agents of AI SDK 6 and 7. Every call goes
 * through the kit; one that its rules ask about becomes an approval request of the AI SDK.
 *
 * @example
 * const tools = await toAISDKTools(kit);
 * const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(20) });
 */
export async function toAISDKTools(
  kit: InteropToolkit,
  options: AISDKToolsOptions = {},
): Promise<Record<string, AISDKTool>> {
  const { approval = "sdk", format = "openai-chat", ...offer } = options;
  const tools = await neutralTools(kit, format, { all: true, ...offer });
  const requested = new RecentMap<string, string>(maxRequests);
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      {
        description,
        inputSchema: unvalidated(inputSchema),
        needsApproval: async (input: unknown, { toolCallId }: AISDKCallOptions) => {
          if (approval === "kit") return false;
          const { decision, effects } = await kit.explain({ id: toolCallId, name, input });
          if (decision?.kind !== "ask") return false;
          // Asked again after an approval: what the user saw was the first.
          if (requested.get(toolCallId) === undefined) {
            requested.set(toolCallId, JSON.stringify(effects));
          }
          return true;
        },
        execute: async (input: unknown, { toolCallId, messages, abortSignal }: AISDKCallOptions) =>
          await kit.call(
            { id: toolCallId, name, input },
            {
              signal: abortSignal,
              sessionId: options.sessionId,
              inOrder: true,
              ...(approval === "kit"
                ? {}
                : {
                    onAsk: async (ask) =>
                      answerFrom({ messages, toolCallId, seen: requested.get(toolCallId) }, ask),
                  }),
            },
          ),
        toModelOutput: ({ output }: { readonly output: Outcome }) => modelOutput(output),
      },
    ]),
  );
}

/** Approval requests whose effects are remembered, for a program that asks and runs in one process. */
const maxRequests = 10_000;

interface Approval {
  readonly messages: readonly unknown[];
  readonly toolCallId: string;
  /** Effects that the call had when the user was asked; missing if another process asked. */
  readonly seen: string | undefined;
}

/** The AI SDK runs a call that needs approval only once a message approves it; only such a message is an answer. */
function answerFrom({ messages, toolCallId, seen }: Approval, ask: Ask): Answer {
  if (!isApproved(messages, toolCallId)) {
    return { kind: "deny", reason: "The AI SDK did not ask the user about this call." };
  }
  if (seen !== undefined && seen !== JSON.stringify(ask.effects)) {
    return { kind: "deny", reason: "The effects of the call changed after it was approved." };
  }
  return { kind: "once" };
}

function isApproved(messages: readonly unknown[], toolCallId: string): boolean {
  const parts = messages.flatMap((message) =>
    isRecord(message) && Array.isArray(message["content"])
      ? message["content"].filter((part) => isRecord(part))
      : [],
  );
  const ids = new Set(
    parts
      .filter((part) => part["type"] === requestType && part["toolCallId"] === toolCallId)
      .map((part) => part["approvalId"]),
  );
  return parts.some(
    (part) =>
      part["type"] === "tool-approval-response" &&
      part["approved"] === true &&
      ids.has(part["approvalId"]),
  );
}

const requestType = "tool-approval-request";

function modelOutput({ content, isError }: Outcome): AISDKModelOutput {
  if (isError) return { type: "error-text", value: contentText(content) };
  const parts = content.map(contentPart);
  return parts.every((part) => part.type === "text")
    ? { type: "text", value: contentText(content) }
    : { type: "content", value: parts };
}

function contentPart(part: ContentPart): AISDKContentPart {
  if (part.type === "image") {
    return { type: "image-data", data: part.data, mediaType: part.mimeType };
  }
  if (part.type === "resource") {
    const { blob, mimeType } = part.resource;
    if (blob !== undefined && mimeType !== undefined) {
      return { type: "file-data", data: blob, mediaType: mimeType };
    }
  }
  return { type: "text", text: partText(part) };
}

/**
 * Schema that the AI SDK publishes and does not check: the kit repairs an input that almost fits. As a Standard Schema
 * it would be closed and changed; the symbol marks it as the SDK's own.
 */
function unvalidated(jsonSchema: JsonSchema): StandardSchemaV1<unknown, unknown> {
  const schema = {
    [Symbol.for("vercel.ai.schema")]: true,
    _type: undefined,
    jsonSchema,
    validate: undefined,
    "~standard": {
      version: 1,
      vendor: "haft",
      validate: (value: unknown) => ({ value }),
    },
  } as const;
  return schema;
}
