import { ToolError, type Answer, type Ask } from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";

const choiceField = "choice";
const textField = "text";
const prefix = "choice_";

/** Message of a question that a tool asks. Text from a model is shown without characters that could hide it. */
export function questionMessage({ displayName, question, reason, options = [] }: Ask): string {
  const lines = [
    `${line(displayName)}: ${line(question)}`,
    line(reason),
    ...options.map(({ label, description }) =>
      description === undefined ? `  ${line(label)}` : `  ${line(label)}: ${line(description)}`,
    ),
  ];
  return lines.join("\n");
}

/**
 * Form for a question of a tool. Forms of the protocol are flat: one choice is a list of texts, several are a yes or no
 * each.
 */
export function questionForm({
  options = [],
  isMultiSelect = false,
}: Pick<Ask, "options" | "isMultiSelect">): Readonly<Record<string, unknown>> {
  const one = { type: "string", title: "Your choice", enum: options.map(({ label }) => label) };
  const many = options.map(({ label }, index) => [
    `${prefix}${index + 1}`,
    { type: "boolean", title: line(label), default: false },
  ]);
  return {
    type: "object",
    properties: {
      ...(isMultiSelect
        ? Object.fromEntries(many)
        : options.length === 0
          ? {}
          : { [choiceField]: one }),
      [textField]: {
        type: "string",
        title: options.length === 0 ? "Your answer" : "Or in your own words",
      },
    },
    required: options.length === 0 ? [textField] : [],
  };
}

/** Answer in a submitted form. Throws if the form was cancelled, is empty or contains other choices. */
export function questionAnswer(
  { options = [], isMultiSelect = false }: Pick<Ask, "options" | "isMultiSelect">,
  answer: unknown,
): Answer {
  const { action, content } = isRecord(answer) ? answer : {};
  if (action === "decline") return { kind: "deny" };
  if (action === "cancel") throw unanswered("The client cancelled the question.");
  if (action !== "accept" || !isRecord(content)) {
    throw unanswered("The client's answer cannot be read.");
  }
  const labels = options.map(({ label }) => label);
  const choice = content[choiceField];
  const choices = isMultiSelect
    ? labels.filter((_, index) => content[`${prefix}${index + 1}`] === true)
    : labels.filter((label) => label === choice);
  const written = content[textField];
  const text = typeof written === "string" ? written.trim() : "";
  const isOther = !isMultiSelect && choice !== undefined && choice !== "" && choices.length === 0;
  if (isOther || (choices.length === 0 && text === "")) {
    throw unanswered("The client's answer is not one of the offered choices.");
  }
  return { kind: "answer", choices, ...(text === "" ? {} : { text }) };
}

function line(text: string): string {
  return visibleText(text).replaceAll(/\n\s*/gu, " ");
}

function unanswered(message: string): ToolError {
  return new ToolError("APPROVAL_REQUIRED", message);
}
