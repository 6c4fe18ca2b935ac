import { argumentError } from "../../core/index.ts";
import { userMessage, type UserMessage } from "./messages.ts";

/** Message that the user sends to a run. Throws a TypeError for one without content. */
export function sentMessage(message: string | UserMessage): UserMessage {
  const isBlank = typeof message === "string" && message.trim() === "";
  const checked = typeof message === "string" ? userMessage(message) : message;
  const content: unknown = Reflect.get(Object(checked), "content");
  const isUser = Reflect.get(Object(checked), "role") === "user";
  if (isUser && !isBlank && Array.isArray(content) && content.length > 0) return checked;
  throw argumentError("send takes a text, or a user message with content.");
}
