import { ToolError, type Answer, type Ask } from "../../../core/index.ts";
import { isRecord, visibleJson, visibleText } from "../../../text/index.ts";

export const choices = {
  once: "Allow once",
  session: "Allow for this session",
  edit: "Change the input",
  deny: "Deny",
} as const;

/** Form fields are single lines; a longer value is not offered for editing. */
const maxFieldChars = 2000;
const maxFields = 8;
const maxJsonChars = 10_000;

interface Field {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Form for a permission question. Forms of the protocol are flat, so each part of the input is a field. */
export function approvalForm({
  input,
  suggestion,
}: Pick<Ask, "input" | "suggestion">): Readonly<Record<string, unknown>> {
  const { once, session, edit, deny } = choices;
  const fields = fieldsOf(input);
  const offered = [
    once,
    ...(suggestion === undefined ? [] : [session]),
    ...(fields.length === 0 ? [] : [edit]),
    deny,
  ];
  return {
    type: "object",
    properties: {
      decision: { type: "string", title: "Your decision", enum: offered },
      reason: { type: "string", title: "If you deny: why, for the model to read" },
      ...Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    },
    required: ["decision"],
  };
}

/** Answer in a submitted form. Throws if the form was cancelled or contains none of the offered answers. */
export function approvalAnswer(
  { input, suggestion }: Pick<Ask, "input" | "suggestion">,
  answer: unknown,
): Answer {
  const { action, content } = isRecord(answer) ? answer : {};
  if (action === "decline") return { kind: "deny" };
  // Clients without a user cancel automatically.
  if (action === "cancel") throw unreadable("The client cancelled the question.");
  if (action !== "accept" || !isRecord(content)) {
    throw unreadable("The client's answer cannot be read.");
  }
  const { decision, reason } = content;
  if (decision === choices.once) return { kind: "once" };
  if (decision === choices.session && suggestion !== undefined) {
    return { kind: "save", rule: suggestion, scope: "session" };
  }
  if (decision === choices.edit && fieldsOf(input).length > 0) {
    return { kind: "edit", input: changedInput(input, content) };
  }
  if (decision === choices.deny) {
    const why = typeof reason === "string" ? reason.trim() : "";
    return why === "" ? { kind: "deny" } : { kind: "deny", reason: why };
  }
  throw unreadable("The client's answer is not one of the offered choices.");
}

const whole = "input_as_json";
const prefix = "changed_";

function fieldsOf(input: unknown): readonly Field[] {
  const parts = isRecord(input) ? Object.entries(input) : [];
  if (parts.length > 0 && parts.length <= maxFields && parts.every(isPart)) {
    return parts.map(([key, value]) => ({
      name: `${prefix}${key}`,
      schema: { type: typeof value, title: `If you change the input: ${key}`, default: value },
    }));
  }
  const json = visibleJson(input);
  if (json === "" || json.length > maxJsonChars) return [];
  return [
    {
      name: whole,
      schema: {
        type: "string",
        title: "If you change the input: all of it, as JSON",
        default: json,
      },
    },
  ];
}

function isPart([key, value]: readonly [string, unknown]): boolean {
  if (!/^\w{1,60}$/u.test(key)) return false;
  // Many forms would lose a line break, and hidden text would stay hidden; as JSON the whole input is one line.
  if (typeof value === "string") {
    return value.length <= maxFieldChars && !value.includes("\n") && visibleText(value) === value;
  }
  return typeof value === "number" || typeof value === "boolean";
}

/** Applies the submitted fields. A field that is missing stays unchanged. The result is validated like every input. */
function changedInput(input: unknown, content: Readonly<Record<string, unknown>>): unknown {
  const [first] = fieldsOf(input);
  if (first?.name !== whole) {
    return Object.fromEntries(
      Object.entries(isRecord(input) ? input : {}).map(([key, value]) => [
        key,
        content[`${prefix}${key}`] ?? value,
      ]),
    );
  }
  const json = content[whole];
  try {
    const changed: unknown = JSON.parse(String(json));
    return changed;
  } catch {
    throw unreadable("The changed input is not JSON.");
  }
}

function unreadable(message: string): ToolError {
  return new ToolError("APPROVAL_REQUIRED", message);
}
