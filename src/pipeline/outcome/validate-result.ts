import { ToolError, type ContentPart, type ToolResult } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";

/**
 * Returns a tool's result in a form on which later steps can rely: every field read once and of its type. TOOL_FAILED
 * where it has no content; invalid fields for users and user interfaces are omitted.
 */
export function takeResult(tool: string, value: unknown): ToolResult {
  if (typeof value !== "object" || value === null || !("content" in value)) throw noContent(tool);
  const given: Partial<Record<keyof ToolResult, unknown>> = value;
  const { content, structuredContent, title, summary, metadata, isError, trust } = given;
  if (typeof content !== "string" && !isContent(content)) throw noContent(tool);
  const result: { -readonly [K in keyof ToolResult]: ToolResult[K] } = { content };
  if (structuredContent !== undefined) result.structuredContent = structuredContent;
  if (typeof title === "string") result.title = title;
  if (typeof summary === "string") result.summary = summary;
  if (isRecord(metadata)) result.metadata = metadata;
  if (isError === true) result.isError = true;
  // Whatever else it says of itself, it does not say that it can be trusted.
  if (trust !== undefined) result.trust = trust === "trusted" ? "trusted" : "untrusted";
  return result;
}

function noContent(tool: string): ToolError {
  return new ToolError("TOOL_FAILED", `${tool} returned no content.`, {
    hint: "The author of the tool must return { content }, from execute the content itself: a text, or a list of content parts.",
  });
}

/** Whether a model can be shown it: a list of content parts. */
export function isContent(value: unknown): value is readonly ContentPart[] {
  return Array.isArray(value) && value.every(isPart);
}

function isPart(value: unknown): value is ContentPart {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "text":
      return typeof value["text"] === "string";
    case "image":
    case "audio":
      return typeof value["data"] === "string" && typeof value["mimeType"] === "string";
    case "resource_link":
      return typeof value["uri"] === "string";
    case "resource":
      return isRecord(value["resource"]) && typeof value["resource"]["uri"] === "string";
    default:
      return false;
  }
}
