import type { HaftEvent } from "../../core/index.ts";

/** Format version of a stored event. A change here needs a line in `upgrade`. */
export const eventVersion = 1;

/**
 * Maximum characters of a stored event. In a larger one, long texts are cut; the full text is in the artifact that its
 * outcome names.
 */
const maxEventChars = 1_000_000;
const maxTextChars = 64_000;

/** Changes every text of an event before it is stored. */
export type TextChange = (text: string) => string;

/** Serializes an event as JSON. Never throws: a value that JSON cannot represent is replaced by a note that says so. */
export function eventToJson(event: HaftEvent, change: TextChange = (text) => text): string {
  const changed = (_key: string, value: unknown): unknown =>
    typeof value === "string" ? change(value) : value;
  try {
    const json = JSON.stringify(event, changed);
    if (json.length <= maxEventChars) return json;
    return JSON.stringify(event, (key, value: unknown) => cutText(key, changed(key, value)));
  } catch (error) {
    const { seq, at, sessionId, agentId, type } = event;
    const lost = error instanceof Error ? error.message : "unknown";
    const callId = "callId" in event ? event.callId : undefined;
    return JSON.stringify({ seq, at, sessionId, agentId, type, callId, lost });
  }
}

/** Parses a stored event; undefined if its content was lost or cannot be understood. */
export function eventFromJson(json: string, version: number): HaftEvent | undefined {
  if (version > eventVersion) return undefined;
  const value: unknown = JSON.parse(json);
  return isEvent(value) ? value : undefined;
}

function cutText(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= maxTextChars) return value;
  return `${value.slice(0, maxTextChars)}… (${value.length - maxTextChars} more characters not kept)`;
}

/** Whether the value is an event. The log wrote it in this version, so its kind and number are sufficient evidence. */
function isEvent(value: unknown): value is HaftEvent {
  return (
    typeof value === "object" &&
    value !== null &&
    !("lost" in value) &&
    "seq" in value &&
    typeof value.seq === "number" &&
    "type" in value &&
    typeof value.type === "string"
  );
}
