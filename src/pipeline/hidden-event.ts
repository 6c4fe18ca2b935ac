import type { NewEvent, ProgressUpdate } from "../core/index.ts";
import { plainJson } from "./plain-json.ts";
import { redact } from "./redact.ts";

/**
 * The event without secrets. What tools answer and print is without them already, and so is what was decided; here it
 * is what a call was sent with and what was made of it, which listeners and logs see but nobody needs in the clear.
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
      return { ...event, update: hidden(event.update) };
    case "task-start":
    case "task-end":
    case "run-start":
    case "run-end":
    case "model-text":
    case "model-reasoning":
      return hidden(event);
    case "call-end":
    case "call-output":
    case "mode-change":
    case "tools-change":
    case "turn-start":
    case "turn-end":
      return event;
  }
}

/** The facts of a tool that is still running without secrets. */
export function hiddenUpdate(update: ProgressUpdate): ProgressUpdate {
  return hidden(update);
}

/** What `make` makes of the holder with its input hidden; undefined where nothing is. */
function withInput<T extends { readonly input?: unknown }>(
  sent: T,
  make: (changed: T) => NewEvent,
): NewEvent | undefined {
  if (sent.input === undefined) return undefined;
  const input = plainJson(sent.input, redact) ?? "(no JSON)";
  return input === sent.input ? undefined : make({ ...sent, input });
}

/** An input that is no JSON cannot be looked through, so it is not told. */
function inputOf(sent: { readonly input?: unknown }): { readonly input?: unknown } {
  if (sent.input === undefined) return {};
  return { input: plainJson(sent.input, redact) ?? "(no JSON)" };
}

function hidden<T>(value: T): T {
  const plain = plainJson(value, redact);
  return keepsShape(value, plain) ? plain : value;
}

/** Only texts in it were changed. */
function keepsShape<T>(_value: T, plain: unknown): plain is T {
  return plain !== undefined;
}
