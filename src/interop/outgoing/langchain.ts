import {
  contentText,
  partText,
  type ContentPart,
  type JsonSchema,
  type ModelDefinitionOptions,
  type Outcome,
} from "../../core/index.ts";
import type { InteropToolkit } from "./ai-sdk.ts";
import { neutralTools } from "./neutral-tools.ts";

/** Part of a result in LangChain's standard content blocks. */
export type LangChainContentBlock =
  | { type: "text"; text: string }
  | { type: "image" | "audio" | "file"; mimeType: string; data: string };

/** Facts that LangChain passes to a tool with its input. */
export interface LangChainCallConfig {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
  /** Call of the model. */
  readonly toolCall?: { readonly id?: string | undefined } | undefined;
}

/** Members of a tool besides its function, as LangChain's `tool` takes them. */
export interface LangChainToolFields {
  /** Name of the tool. */
  name: string;
  /** Text for the model. */
  description: string;
  /** JSON Schema of the input. */
  schema: JsonSchema & { readonly type: "object" };
  /** The function returns the content for the model, and the outcome as artifact of the message. */
  responseFormat: "content_and_artifact";
}

/** The function `tool` of `@langchain/core/tools`, or one like it. */
export type LangChainToolFactory<T> = (
  run: (
    input: unknown,
    config?: LangChainCallConfig,
  ) => Promise<[string | LangChainContentBlock[], Outcome]>,
  fields: LangChainToolFields,
) => T;

/**
 * Converts the tools of a kit to tools of LangChain and LangGraph. haft does not load LangChain: pass its function
 * `tool`. Every call goes through the kit; the outcome is the artifact of the tool message.
 *
 * @example
 * import { tool } from "@langchain/core/tools";
 * const tools = await toLangChainTools(kit, tool);
 * const agent = createAgent({ model: "openai:gpt-5", tools });
 */
export async function toLangChainTools<T>(
  kit: InteropToolkit,
  tool: LangChainToolFactory<T>,
  options: ModelDefinitionOptions = {},
): Promise<T[]> {
  const tools = await neutralTools(kit, "openai-chat", { all: true, ...options });
  return tools.map(({ name, description, inputSchema }) =>
    tool(
      async (input, config) => {
        const id = config?.toolCall?.id;
        const outcome = await kit.call(
          { name, input, ...(id === undefined ? {} : { id }) },
          { signal: config?.signal, sessionId: options.sessionId, inOrder: true },
        );
        return [contentFor(outcome), outcome];
      },
      {
        name,
        description,
        // LangChain writes into the schema.
        schema: { ...structuredClone(inputSchema), type: "object" },
        responseFormat: "content_and_artifact",
      },
    ),
  );
}

function contentFor({ content }: Outcome): string | LangChainContentBlock[] {
  const blocks = content.map(blockOf);
  return blocks.every(({ type }) => type === "text") ? contentText(content) : blocks;
}

function blockOf(part: ContentPart): LangChainContentBlock {
  if (part.type === "image" || part.type === "audio") return part;
  if (part.type === "resource") {
    const { blob, mimeType } = part.resource;
    if (blob !== undefined && mimeType !== undefined) return { type: "file", mimeType, data: blob };
  }
  return { type: "text", text: partText(part) };
}
