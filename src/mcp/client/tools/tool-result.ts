import type { ContentPart, ToolResult } from "../../../core/index.ts";
import { deepEqual, isRecord, visibleText } from "../../../text/index.ts";

/** Maximum number of parts of one result. */
const maxParts = 200;
/** Longest text that is compared with the structured content. */
const maxComparedChars = 1_000_000;
/** Characters of addresses and names in a result. */
const maxNameChars = 2000;

/** Reads the result of a call. Parts that cannot be shown are replaced by a note; the rest is kept. */
export function readResult(given: unknown): ToolResult {
  if (!isRecord(given)) return { content: asText(given), trust: "untrusted" };
  const listed = Array.isArray(given["content"]) ? given["content"] : [];
  const parts: ContentPart[] = listed.slice(0, maxParts).map(readPart);
  if (listed.length > maxParts) parts.push(note(`${listed.length - maxParts} more parts`));
  const structured = given["structuredContent"];
  const hasStructured = structured !== undefined && structured !== null;
  if (hasStructured && !isInTexts(parts, structured)) {
    parts.push({ type: "text", text: JSON.stringify(structured) });
  }
  if (parts.length === 0) {
    const old = given["toolResult"];
    parts.push({
      type: "text",
      text: old === undefined ? "(The tool returned nothing.)" : asText(old),
    });
  }
  return {
    content: parts,
    ...(hasStructured ? { structuredContent: structured } : {}),
    ...(given["isError"] === true ? { isError: true } : {}),
    trust: "untrusted",
  };
}

function readPart(given: unknown): ContentPart {
  if (!isRecord(given)) return note("a part that is not an object");
  switch (given["type"]) {
    case "text":
      return typeof given["text"] === "string"
        ? { type: "text", text: given["text"] }
        : note("a text without text");
    case "image":
      return readMedia("image", given);
    case "audio":
      return readMedia("audio", given);
    case "resource_link":
      return readLink(given);
    case "resource":
      return readResource(given["resource"]);
    default:
      return note(`a part of the type ${nameOf(given["type"])}`);
  }
}

function readMedia(
  type: "image" | "audio",
  { data, mimeType }: Readonly<Record<string, unknown>>,
): ContentPart {
  if (typeof data !== "string" || typeof mimeType !== "string")
    return note(`an ${type} without data`);
  if (!isBase64(data)) return note(`an ${type} that is not base64`);
  if (type === "audio") {
    return /^audio\/[\w.+-]{1,64}$/u.test(mimeType)
      ? { type, data, mimeType }
      : note(`an audio of the type ${nameOf(mimeType)}`);
  }
  const actual = imageType(data);
  if (actual === undefined) return note(`an image of the type ${nameOf(mimeType)}`);
  // The declared type may be wrong, and a provider refuses a conversation with such an image.
  return { type, data, mimeType: actual };
}

/** Types of images that every provider accepts, by the base64 of their first bytes. */
const imageStarts = [
  ["iVBORw0KGgo", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"],
] as const;

function imageType(data: string): string | undefined {
  return imageStarts.find(([start]) => data.startsWith(start))?.[1];
}

function isBase64(data: string): boolean {
  return (
    data.length > 0 && data.length % 4 === 0 && /^[\w+/]+={0,2}$/u.test(data) && !data.includes("_")
  );
}

function readLink(given: Readonly<Record<string, unknown>>): ContentPart {
  const { uri, name } = given;
  if (typeof uri !== "string") return note("a link without an address");
  return {
    type: "resource_link",
    uri: nameOf(uri),
    name: typeof name === "string" ? nameOf(name) : nameOf(uri),
    ...optional("title", given["title"]),
    ...optional("description", given["description"]),
    ...optional("mimeType", given["mimeType"]),
  };
}

function readResource(given: unknown): ContentPart {
  if (!isRecord(given) || typeof given["uri"] !== "string")
    return note("a resource without an address");
  const { text, blob } = given;
  if (typeof text !== "string" && typeof blob !== "string")
    return note("a resource without content");
  if (typeof text !== "string" && typeof blob === "string" && !isBase64(blob)) {
    return note("a resource that is not base64");
  }
  const resource = {
    uri: nameOf(given["uri"]),
    ...optional("mimeType", given["mimeType"]),
    ...(typeof text === "string" ? { text } : {}),
    ...(typeof text !== "string" && typeof blob === "string" ? { blob } : {}),
  };
  return { type: "resource", resource };
}

function optional<K extends string>(key: K, value: unknown): { readonly [P in K]?: string } {
  if (typeof value !== "string") return {};
  const found: { [P in K]?: string } = {};
  found[key] = nameOf(value);
  return found;
}

function nameOf(value: unknown): string {
  return visibleText(String(value).slice(0, maxNameChars));
}

function note(what: string): ContentPart {
  return { type: "text", text: `(left out: ${what})` };
}

/** Names of members that say nothing of their value. */
const wrapperNames = /^(?:result|content|text|output|value|data)$/u;
/** Characters from which a repetition costs more than the name of a member says. */
const longChars = 200;

/**
 * Whether the texts say all that the structured content says. Servers repeat it as JSON, or wrap their text, value or
 * list in an object with one member, as the SDK for Python does. Where the name of the member says something, a short
 * value is shown with it.
 */
function isInTexts(parts: readonly ContentPart[], structured: unknown): boolean {
  const texts = parts.flatMap((part) =>
    part.type === "text" && part.text.length <= maxComparedChars ? [part.text] : [],
  );
  const json = JSON.stringify(structured);
  if (texts.some((text) => text.includes(json) || isTextOf(structured, text))) return true;
  const members = isRecord(structured) ? Object.entries(structured) : [];
  const [[name, value] = ["", undefined]] = members;
  if (members.length !== 1 || (!wrapperNames.test(name) && json.length < longChars)) return false;
  if (texts.some((text) => isTextOf(value, text))) return true;
  const items = Array.isArray(value) && value.length === texts.length ? value : [];
  return items.length > 0 && items.every((item, at) => isTextOf(item, texts[at] ?? ""));
}

function isTextOf(value: unknown, text: string): boolean {
  if (value === text) return true;
  if (!/^\s*(?:[[{"\d-]|true|false|null)/u.test(text)) return false;
  try {
    return deepEqual(JSON.parse(text), value);
  } catch {
    return false;
  }
}

function asText(value: unknown): string {
  return typeof value === "string"
    ? value
    : (JSON.stringify(value) ?? "(The tool returned nothing.)");
}
