import type { HaftEvent } from "../core/index.ts";

/** The format of a stored event. A change here comes with a line in `upgrade`. */
export const eventVersion = 1;

/** Above this an event's long texts are cut: the whole is in the artefact its outcome names. */
const maxEventChars = 1_000_000;
const maxTextChars = 64_000;

/** What becomes of every text before it is stored. */
export type TextChange = (text: string) => string;

/** An event as JSON. Never throws: what JSON cannot carry is named in its place. */
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

/** Reads a stored event, or undefined for one that lost its content or cannot be understood. */
export function eventFromJson(json: string, version: number): HaftEvent | undefined {
  if (version > eventVersion) return undefined;
  const value: unknown = JSON.parse(json);
  return isEvent(value) ? value : undefined;
}

function cutText(_key: string, value: unknown): unknown {
  if (typeof value !== "string" || value.length <= maxTextChars) return value;
  return `${value.slice(0, maxTextChars)}… (${value.length - maxTextChars} more characters not kept)`;
}

/** The log wrote it in this version, so its kind and number are enough to know it by. */
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
