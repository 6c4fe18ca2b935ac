import {
  contentText,
  partText,
  type ContentPart,
  type DefinitionFormat,
  type Outcome,
} from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/** Result of a call for Anthropic's Messages API: a block of the next user message. */
export type AnthropicResult = {
  type: "tool_result";
  /** Id of the call. */
  tool_use_id: string;
  /** Texts, images and PDF files. */
  content: (
    | { type: "text"; text: string }
    | {
        type: "image";
        source: {
          type: "base64";
          media_type: "image/gif" | "image/jpeg" | "image/png" | "image/webp";
          data: string;
        };
      }
    | {
        type: "document";
        source: { type: "base64"; media_type: "application/pdf"; data: string };
      }
  )[];
  /** Whether the call has no result. */
  is_error: boolean;
};

/** Result of a call for OpenAI's Chat Completions API: a message, which is text only. */
export type OpenAIChatResult = {
  role: "tool";
  /** Id of the call. */
  tool_call_id: string;
  /** The result; other parts than texts are named in brackets. */
  content: string;
};

/** Result of a call for OpenAI's Responses API: an input item. */
export type OpenAIResponsesResult = {
  type: "function_call_output";
  /** Id of the call. */
  call_id: string;
  /** A text, or parts where some are images or PDF files. */
  output:
    | string
    | (
        | { type: "input_text"; text: string }
        | { type: "input_image"; image_url: string; detail: "auto" }
        | { type: "input_file"; filename: string; file_data: string }
      )[];
};

/** Result of a call for the Gemini API: a part of the next user content. */
export type GeminiResult = {
  /** The response, under `output` or, for a call without a result, `error`. */
  functionResponse: {
    id: string;
    name: string;
    response: { output: string } | { error: string };
    parts?: { inlineData: { mimeType: string; data: string } }[];
  };
};

/** Result of `tools/call` of the Model Context Protocol. */
export type McpResult = {
  /** Everything that the model sees. */
  content: (
    | Exclude<ContentPart, { readonly type: "resource" }>
    | {
        type: "resource";
        resource: { uri: string; mimeType?: string } & ({ text: string } | { blob: string });
      }
  )[];
  /** Result for programs; only where it says what `content` says. */
  structuredContent?: Record<string, unknown>;
  /** Whether the call has no result. */
  isError: boolean;
};

/** Result of a call, by format. Each is assignable to the type of the provider's own SDK. */
export interface ResultByFormat {
  /** Anthropic's Messages API. */
  readonly anthropic: AnthropicResult;
  /** OpenAI's Chat Completions API. */
  readonly "openai-chat": OpenAIChatResult;
  /** OpenAI's Responses API. */
  readonly "openai-responses": OpenAIResponsesResult;
  /** Gemini API. */
  readonly gemini: GeminiResult;
  /** Model Context Protocol. */
  readonly mcp: McpResult;
  /** Alias of `openai-chat`. */
  readonly openai: OpenAIChatResult;
}

/**
 * Converts the outcome of a call to what a provider expects back from it. The call must have been made with the id that
 * the provider gave it.
 *
 * @example
 * const outcome = await kit.call({ id: block.id, name: block.name, input: block.input });
 * messages.push({ role: "user", content: [toResult(outcome, "anthropic")] });
 * @throws TypeError if there is no such format.
 */
export function toResult<F extends DefinitionFormat>(
  outcome: Outcome,
  format: F,
): ResultByFormat[F] {
  if (!Object.hasOwn(writers, format)) {
    throw new TypeError(`The format must be one of ${Object.keys(writers).join(", ")}.`);
  }
  const write = writers[format];
  return write(outcome, contentOf(outcome));
}

/** One function a format. */
const writers: {
  readonly [F in DefinitionFormat]: (
    outcome: Outcome,
    content: readonly ContentPart[],
  ) => ResultByFormat[F];
} = {
  anthropic: ({ id, isError }, content) => ({
    type: "tool_result",
    tool_use_id: id,
    // The API refuses a block with an empty text.
    content: content.map(anthropicPart).filter((part) => part.type !== "text" || part.text !== ""),
    is_error: isError,
  }),
  openai: openaiChat,
  "openai-chat": openaiChat,
  "openai-responses": ({ id }, content) => ({
    type: "function_call_output",
    call_id: id,
    output: content.every((part) => mediaOf(part) === undefined)
      ? contentText(content)
      : content.map(responsesPart),
  }),
  gemini: ({ id, tool, isError }, content) => {
    const text = contentText(content);
    const media = content.flatMap((part) => mediaOf(part) ?? []);
    return {
      functionResponse: {
        id,
        name: tool,
        response: isError ? { error: text } : { output: text },
        ...(media.length === 0 ? {} : { parts: media.map((each) => ({ inlineData: each })) }),
      },
    };
  },
  mcp: (outcome, content) => {
    const structured = sameStructure(outcome);
    return {
      content: content.map(mcpPart),
      ...(structured === undefined ? {} : { structuredContent: structured }),
      isError: outcome.isError,
    };
  },
};

function openaiChat({ id }: Outcome, content: readonly ContentPart[]): OpenAIChatResult {
  return { role: "tool", tool_call_id: id, content: contentText(content) };
}

/** Content that the model sees; a call that failed before it had content says why. */
function contentOf({ content, error }: Outcome): readonly ContentPart[] {
  if (content.length > 0 || error === undefined) return content;
  const { message, hint } = error;
  return [{ type: "text", text: hint === undefined ? message : `${message} ${hint}` }];
}

interface Media {
  readonly mimeType: ImageType | "application/pdf";
  readonly data: string;
}

/** Image or PDF file in a part that every provider with media reads. */
function mediaOf(part: ContentPart): Media | undefined {
  if (part.type === "image" && isImageType(part.mimeType)) {
    return { mimeType: part.mimeType, data: part.data };
  }
  if (part.type !== "resource") return undefined;
  const { blob, mimeType } = part.resource;
  if (blob === undefined || mimeType !== "application/pdf") return undefined;
  return { mimeType, data: blob };
}

/** Media types of images that every provider with media reads. */
type ImageType = "image/gif" | "image/jpeg" | "image/png" | "image/webp";

function isImageType(mimeType: string): mimeType is ImageType {
  return ["image/gif", "image/jpeg", "image/png", "image/webp"].includes(mimeType);
}

function anthropicPart(part: ContentPart): AnthropicResult["content"][number] {
  const media = mediaOf(part);
  if (media === undefined) return { type: "text", text: partText(part) };
  const { mimeType, data } = media;
  return mimeType === "application/pdf"
    ? { type: "document", source: { type: "base64", media_type: mimeType, data } }
    : { type: "image", source: { type: "base64", media_type: mimeType, data } };
}

function responsesPart(
  part: ContentPart,
): Exclude<OpenAIResponsesResult["output"], string>[number] {
  const media = mediaOf(part);
  if (media === undefined) return { type: "input_text", text: partText(part) };
  const url = `data:${media.mimeType};base64,${media.data}`;
  return media.mimeType === "application/pdf"
    ? { type: "input_file", filename: "document.pdf", file_data: url }
    : { type: "input_image", image_url: url, detail: "auto" };
}

function mcpPart(part: ContentPart): McpResult["content"][number] {
  if (part.type !== "resource") return part;
  const { uri, mimeType, text, blob } = part.resource;
  const named = { uri, ...(mimeType === undefined ? {} : { mimeType }) };
  // The protocol knows no resource that is neither text nor binary.
  const resource = blob === undefined ? { ...named, text: text ?? "" } : { ...named, blob };
  return { type: "resource", resource };
}

/** Structured result that says what the text says: a client shows its model one of the two. */
function sameStructure(outcome: Outcome): Record<string, unknown> | undefined {
  const { structuredContent, content, artifact, repairs, isError } = outcome;
  const isSame =
    !isError &&
    artifact === undefined &&
    repairs.length === 0 &&
    content.every((part) => part.type === "text");
  return isSame && isRecord(structuredContent) ? { ...structuredContent } : undefined;
}
