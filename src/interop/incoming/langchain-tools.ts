import type { ContentPart, Tool, ToolResult } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { importedTool, resultOf, type ImportOptions } from "./imported-tool.ts";
import { inputSchemaOf } from "./input-schema.ts";

/** The members of a LangChain tool that haft uses; `StructuredTool` and what `tool` returns fit it. */
export interface LangChainToolLike {
  /** Name of the tool. */
  readonly name: string;
  /** Text for the model. */
  readonly description: string;
  /** Schema of the input: Zod or JSON Schema. */
  readonly schema?: unknown;
  /** Runs the tool for a call of a model and returns its message. */
  invoke(
    call: {
      readonly type: "tool_call";
      readonly id: string;
      readonly name: string;
      readonly args: Record<string, unknown>;
    },
    config: { readonly signal: AbortSignal },
  ): Promise<unknown>;
}

/**
 * Converts tools of LangChain. What is not declared in `options`, by name, is unknown. The artifact of a result is in
 * the metadata of the outcome.
 *
 * @example
 * const extra = await fromLangChainTools([search], { search: { touches: [] } });
 */
export async function fromLangChainTools(
  tools: readonly LangChainToolLike[],
  options: Readonly<Record<string, ImportOptions>> = {},
): Promise<Tool[]> {
  return await Promise.all(
    tools.map(async (tool) => {
      const { name, description } = tool;
      const { input } = await inputSchemaOf(name, tool.schema);
      const foreign = {
        name,
        description,
        input,
        run: async (given: unknown, { callId, signal }: RunContext) => {
          const args = isRecord(given) ? { ...given } : {};
          return resultFrom(
            await tool.invoke({ type: "tool_call", id: callId, name, args }, { signal }),
          );
        },
      };
      return importedTool(foreign, options[name]);
    }),
  );
}

interface RunContext {
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** Result in a tool message, or whatever a tool of another kind returns. */
function resultFrom(message: unknown): ToolResult {
  if (!isRecord(message) || !("content" in message)) return resultOf(message);
  const { content, artifact, status } = message;
  const parts = Array.isArray(content) ? { content: content.map(partOf) } : resultOf(content);
  return {
    ...parts,
    ...(isRecord(artifact) ? { metadata: { artifact } } : {}),
    ...(status === "error" ? { isError: true } : {}),
  };
}

function partOf(block: unknown): ContentPart {
  if (typeof block === "string") return { type: "text", text: block };
  if (isRecord(block)) {
    const { type, text, data, mimeType, mime_type: olderType = mimeType } = block;
    if (type === "text" && typeof text === "string") return { type, text };
    if (typeof data === "string" && typeof olderType === "string") {
      return type === "image" || type === "audio"
        ? { type, data, mimeType: olderType }
        : { type: "resource", resource: { uri: "data:", mimeType: olderType, blob: data } };
    }
  }
  return { type: "text", text: JSON.stringify(block) ?? "" };
}
