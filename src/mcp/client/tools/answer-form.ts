import type { ToolContext, UserQuestion } from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";

/** Asks the user of the call in progress. */
export type AskUser = ToolContext["ask"];

/** Result of a form, in the words of the protocol. */
export type FormAnswer =
  | {
      readonly action: "accept";
      readonly content: Record<string, string | number | boolean | string[]>;
    }
  | { readonly action: "decline" | "cancel" };

/** Maximum number of fields of one form: more is not a question but a questionnaire. */
const maxFields = 10;
/** Characters of a text of the server in a question. */
const maxTextChars = 1000;

/** Fields that ask for something that belongs to the user alone. A server gets such things from its settings. */
const secretField =
  /pass(?:word|phrase|code)|secret|\btoken|api[\s_-]?key|credential|private[\s_-]?key|\bpin\b|\bcvv\b|\bssn\b|card[\s_-]?number/iu;

/**
 * Shows the form of a server to the user, field by field. A form that asks for a secret is declined without a question.
 * `cancel` where nobody can be asked.
 */
export async function answerForm(
  server: string,
  params: unknown,
  ask: AskUser | undefined,
): Promise<FormAnswer> {
  if (!isRecord(params) || params["mode"] === "url") return { action: "decline" };
  const schema = params["requestedSchema"];
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  const fields = isRecord(properties) ? Object.entries(properties) : [];
  if (fields.length > maxFields || fields.some(isSecret)) return { action: "decline" };
  if (ask === undefined) return { action: "cancel" };
  const content: Record<string, string | number | boolean | string[]> = {};
  try {
    for (const [name, given] of fields.length === 0
      ? [["", { type: "boolean" }] as const]
      : fields) {
      const field = isRecord(given) ? given : {};
      const reply = await ask(questionOf(server, params["message"], { name, field }));
      if (reply.kind === "refused") return { action: "decline" };
      if (reply.kind !== "answer") return { action: "cancel" };
      const value = valueOf(field, reply);
      if (name === "")
        return value === true ? { action: "accept", content } : { action: "decline" };
      if (value !== undefined) content[name] = value;
      else if (isRequired(schema, name)) return { action: "cancel" };
    }
    return { action: "accept", content };
  } catch {
    // Nobody can be asked, or nobody answered: neither is an approval.
    return { action: "cancel" };
  }
}

function isSecret([name, given]: readonly [string, unknown]): boolean {
  const { title, description, format } = isRecord(given) ? given : {};
  return (
    format === "password" ||
    [name, title, description].some((text) => typeof text === "string" && secretField.test(text))
  );
}

function isRequired(schema: unknown, name: string): boolean {
  const required = isRecord(schema) ? schema["required"] : undefined;
  return Array.isArray(required) && required.includes(name);
}

interface Field {
  readonly name: string;
  readonly field: Readonly<Record<string, unknown>>;
}

function questionOf(server: string, message: unknown, { name, field }: Field): UserQuestion {
  const { title, description } = field;
  const label = typeof title === "string" ? title : name;
  const parts = [message, label, description].filter(
    (text): text is string => typeof text === "string" && text !== "",
  );
  const text = parts.map((part) => visibleText(part.slice(0, maxTextChars))).join(" – ");
  const options = choicesOf(field).map(({ label: shown }) => ({ label: shown }));
  return {
    kind: "question",
    header: visibleText(server).slice(0, 30),
    question: `The MCP server ${visibleText(server)} asks: ${text}`,
    isMultiSelect: field["type"] === "array",
    ...(options.length === 0 ? {} : { options }),
  };
}

interface Choice {
  readonly label: string;
  readonly value: string | boolean;
}

/** Choices of a field; none for a field of text. */
function choicesOf(field: Readonly<Record<string, unknown>>): readonly Choice[] {
  if (field["type"] === "boolean") {
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  }
  const { items } = field;
  if (field["type"] === "array") return isRecord(items) ? choicesOf(items) : [];
  const titled = field["oneOf"] ?? field["anyOf"];
  if (Array.isArray(titled)) {
    return titled.flatMap((each: unknown): Choice[] => {
      const value = isRecord(each) ? each["const"] : undefined;
      if (!isRecord(each) || typeof value !== "string") return [];
      const label = typeof each["title"] === "string" ? each["title"] : value;
      return [{ label: visibleText(label), value }];
    });
  }
  const { enum: values, enumNames: names } = field;
  if (!Array.isArray(values)) return [];
  return values.flatMap((value: unknown, index): Choice[] => {
    if (typeof value !== "string") return [];
    const name: unknown = Array.isArray(names) ? names[index] : undefined;
    return [{ label: visibleText(typeof name === "string" ? name : value), value }];
  });
}

/** The value of a field; undefined for an answer that does not fit it. */
function valueOf(
  field: Readonly<Record<string, unknown>>,
  { choices, text = "" }: { readonly choices: readonly string[]; readonly text?: string },
): string | number | boolean | string[] | undefined {
  const known = choicesOf(field);
  const chosen = known.filter(({ label }) => choices.includes(label));
  if (field["type"] === "array") {
    return chosen.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  }
  if (known.length > 0) return chosen[0]?.value;
  if (text === "") return undefined;
  if (field["type"] !== "number" && field["type"] !== "integer") return text;
  const number = Number(text);
  const isFitting =
    Number.isFinite(number) && (field["type"] === "number" || Number.isInteger(number));
  return isFitting ? number : undefined;
}
