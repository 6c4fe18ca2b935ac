import { isRecord } from "../../text/index.ts";
import type { ContentPart } from "../../core/index.ts";
import type { AssistantPart, Message, ToolResultPart } from "../messages/messages.ts";

/** Message of a role with this content; undefined if it is not one that this version understands. */
export function messageFrom(role: unknown, content: unknown): Message | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts: readonly unknown[] = content;
  if (role === "user" && all(parts, isContentPart)) return { role, content: parts };
  if (role === "assistant" && all(parts, isAssistantPart)) return { role, content: parts };
  if (role === "tool" && all(parts, isResultPart)) return { role, content: parts };
  return undefined;
}

function all<T>(
  parts: readonly unknown[],
  isOne: (part: unknown) => part is T,
): parts is readonly T[] {
  return parts.every(isOne);
}

/** Members of each kind of part that must be texts. */
const contentTexts: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
  resource: [],
};

const assistantTexts: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  reasoning: ["text"],
  "tool-call": ["id", "name", "input"],
  provider: ["provider", "kind"],
};

function isContentPart(part: unknown): part is ContentPart {
  if (!hasTexts(part, contentTexts)) return false;
  const { type, resource } = part;
  if (type === "resource_link") return areTextsIfSet(part, ["title", "description", "mimeType"]);
  if (type !== "resource") return true;
  return hasText(resource, "uri") && areTextsIfSet(resource, ["mimeType", "text", "blob"]);
}

function isAssistantPart(part: unknown): part is AssistantPart {
  if (!hasTexts(part, assistantTexts)) return false;
  const { providerData = {}, incomplete = false } = part;
  return (
    isRecord(providerData) &&
    typeof incomplete === "boolean" &&
    areTextsIfSet(part, ["providerCallId"])
  );
}

function areTextsIfSet(value: unknown, names: readonly string[]): boolean {
  return names.every((name) => {
    const member = isRecord(value) ? value[name] : undefined;
    return member === undefined || member === null || typeof member === "string";
  });
}

function isResultPart(part: unknown): part is ToolResultPart {
  if (!isRecord(part) || part["type"] !== "tool-result") return false;
  const { content, isError, loadedTools = [] } = part;
  if (!Array.isArray(loadedTools)) return false;
  if (!loadedTools.every((name) => typeof name === "string")) return false;
  const isWhole = hasText(part, "callId") && hasText(part, "name") && typeof isError === "boolean";
  return isWhole && Array.isArray(content) && content.every(isContentPart);
}

function hasTexts(
  part: unknown,
  texts: Readonly<Record<string, readonly string[]>>,
): part is Readonly<Record<string, unknown>> {
  if (!isRecord(part) || typeof part["type"] !== "string") return false;
  const names = Object.hasOwn(texts, part["type"]) ? texts[part["type"]] : undefined;
  return names !== undefined && names.every((name) => hasText(part, name));
}

function hasText(value: unknown, name: string): boolean {
  return isRecord(value) && typeof value[name] === "string";
}
