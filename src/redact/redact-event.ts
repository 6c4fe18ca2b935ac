import type { NewEvent, ProgressUpdate } from "../core/index.ts";
import { isObject, plainJson, withStrings } from "../text/index.ts";
import { redact } from "./redact-text.ts";

/**
 * The event without secrets. Results, output and decisions are redacted earlier; this redacts the input as sent and as
 * repaired, which listeners and logs receive but do not need in clear text.
 */
export function hiddenEvent(event: NewEvent): NewEvent {
  switch (event.type) {
    case "call-start":
      return withInput(event.call, (call) => ({ ...event, call })) ?? event;
    case "call-decided":
      return withInput(event, (changed) => changed) ?? event;
    case "permission-ask":
      return { ...event, ask: hidden({ ...event.ask, ...inputOf(event.ask) }) };
    case "permission-answer":
      return event.rule === undefined ? event : { ...event, rule: redact(event.rule) };
    case "call-progress":
      return { ...event, update: hiddenUpdate(event.update) };
    case "agent-start":
    case "agent-event":
    case "agent-end":
    case "task-start":
    case "task-end":
    case "task-change":
    case "run-start":
    case "run-end":
    case "run-wait":
    case "model-text":
    case "model-reasoning":
    case "user-message":
    case "turn-discard":
    case "model-retry":
    case "hook":
    case "settings-change":
      return hidden(event);
    case "call-end":
    case "call-output":
    case "mode-change":
    case "tools-change":
    case "turn-start":
    case "turn-end":
    case "request-start":
    case "request-end":
    case "compaction":
    case "events-dropped":
      return event;
  }
}

/** Progress of a running tool, without secrets. Metadata that cannot be searched for secrets is omitted. */
export function hiddenUpdate(update: ProgressUpdate): ProgressUpdate {
  const plain = plainJson(update, redact);
  if (isUpdate(update, plain)) return plain;
  const { metadata, ...others } = update;
  if (metadata === undefined) return {};
  const { title, message } = hiddenUpdate(others);
  return {
    ...(title === undefined ? {} : { title }),
    ...(message === undefined ? {} : { message }),
    metadata: searchable(metadata),
  };
}

/** Redaction changed only strings, so the type still holds. */
function isUpdate(_update: ProgressUpdate, plain: unknown): plain is ProgressUpdate {
  return plain !== undefined;
}

/** The metadata that JSON can represent, without secrets. */
function searchable(facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (const key in facts) {
    if (!Object.hasOwn(facts, key)) continue;
    const plain = plainJson({ value: facts[key] }, redact);
    if (isObject(plain)) shown[redact(key)] = plain["value"];
  }
  return shown;
}

/** The result of `make` for the holder with its input redacted; undefined if the input is unchanged. */
function withInput<T extends { readonly input?: unknown }>(
  sent: T,
  make: (changed: T) => NewEvent,
): NewEvent | undefined {
  if (sent.input === undefined) return undefined;
  const input = plainJson(sent.input, redact) ?? "(no JSON)";
  return input === sent.input ? undefined : make({ ...sent, input });
}

/** Omits an input that JSON cannot represent, because it cannot be searched for secrets. */
function inputOf(sent: { readonly input?: unknown }): { readonly input?: unknown } {
  if (sent.input === undefined) return {};
  return { input: plainJson(sent.input, redact) ?? "(no JSON)" };
}

function hidden<T>(value: T): T {
  return withStrings(value, redact) ?? value;
}
