import type { ToolContext, UserQuestion } from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";

/** Asks the user of the call in progress. */
export type AskUser = ToolContext["ask"];

type FieldValue = string | number | boolean | string[];

/** Result of a form, in the words of the protocol. */
export type FormAnswer =
  | {
      readonly action: "accept";
      readonly content: Record<string, FieldValue>;
    }
  | { readonly action: "decline" | "cancel" };

/** Maximum number of fields of one form: more is not a question but a questionnaire. */
const maxFields = 10;
/** Characters of the name of a field in a log. */
const maxNameChars = 100;
/** Characters of a text of the server in a question. */
const maxTextChars = 1000;

/** Fields that ask for something that belongs to the user alone. A server gets such things from its settings. */
const secretField =
  /pass(?:word|phrase|code)|secret|\btoken|api[\s_-]?key|credential|private[\s_-]?key|\bpin\b|\bcvv\b|\bssn\b|card[\s_-]?number/iu;

/** Scripts with letters that look like Latin ones: a longer word of both hides what it says. */
const lookAlikeScripts = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;
const minHiddenLetters = 5;

/**
 * Shows the form of a server to the user, field by field. A form that asks for a secret is declined without a question.
 * `cancel` where nobody can be asked.
 */
export async function answerForm(
  server: string,
  params: unknown,
  ask: AskUser | undefined,
): Promise<FormAnswer> {
  if (!isRecord(params) || refusedForm(params) !== undefined) return { action: "decline" };
  const schema = params["requestedSchema"];
  const fields = fieldsOf(params);
  if (ask === undefined) return { action: "cancel" };
  try {
    const defaults = await acceptedDefaults(server, { message: params["message"], fields }, ask);
    if ("action" in defaults) return defaults;
    const { content } = defaults;
    for (const [name, given] of fields.length === 0
      ? [["", { type: "boolean" }] as const]
      : fields) {
      if (Object.hasOwn(content, name)) continue;
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

interface Form {
  readonly message: unknown;
  readonly fields: readonly (readonly [string, unknown])[];
}

/** Asks once whether the values that the server suggests are right. Nothing is sent that the user has not seen. */
async function acceptedDefaults(
  server: string,
  { message, fields }: Form,
  ask: AskUser,
): Promise<FormAnswer | { readonly content: Record<string, FieldValue> }> {
  const suggested = fields.flatMap(([name, given]) => {
    const field = isRecord(given) ? given : {};
    const value = defaultOf(field);
    const shown = value === undefined ? "" : shownValue(field, value);
    if (value === undefined || shown.length > maxTextChars) return [];
    const label = visibleText(labelOf(name, field).slice(0, maxTextChars));
    return [{ name, value, line: `${label}: ${shown}` }];
  });
  if (suggested.length === 0) return { content: {} };
  const heading = headingOf(server, [message, "Use these values?"]);
  const reply = await ask({
    ...heading,
    question: `${heading.question} ${suggested.map(({ line }) => line).join("; ")}`,
    options: [{ label: useDefaults }, { label: answerEach }],
  });
  if (reply.kind === "refused") return { action: "decline" };
  if (reply.kind !== "answer") return { action: "cancel" };
  const isAccepted = reply.choices.includes(useDefaults);
  const accepted = isAccepted ? suggested.map(({ name, value }) => [name, value] as const) : [];
  return { content: Object.fromEntries(accepted) };
}

const useDefaults = "Use these values";
const answerEach = "Answer each field";

/** The value that a field suggests; undefined if there is none that fits the field. */
function defaultOf(field: Readonly<Record<string, unknown>>): FieldValue | undefined {
  const { type, default: value } = field;
  const known = choicesOf(field).map((each) => each.value);
  if (type === "array") {
    const isFitting = Array.isArray(value) && value.every((each) => known.includes(each));
    return isFitting ? [...new Set(value.map(String))] : undefined;
  }
  if (known.length > 0) return known.find((each) => each === value);
  if (type === "string") return typeof value === "string" ? value : undefined;
  return typeof value === "number" ? numberFor(field, value) : undefined;
}

function shownValue(field: Readonly<Record<string, unknown>>, value: FieldValue): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = choicesOf(field);
  const shown = values.map((each) =>
    JSON.stringify(known.find((choice) => choice.value === each)?.label ?? each),
  );
  return shown.length === 0 ? "nothing" : visibleText(shown.join(", "));
}

function labelOf(name: string, { title }: Readonly<Record<string, unknown>>): string {
  return typeof title === "string" ? title : name;
}

/** Why haft declines a form without a question, in words; undefined if the user is asked. */
export function refusedForm(params: unknown): string | undefined {
  if (!isRecord(params)) return "it is not a form";
  if (params["mode"] === "url") return "it leads to a web page";
  const fields = fieldsOf(params);
  if (fields.length > maxFields) return `it has more than ${maxFields} fields`;
  const secret = fields.find(isSecret);
  if (secret === undefined) {
    // The message may say what a field with a harmless name is for.
    const isHidden = namesSecret(params["message"]) && fields.some(isText);
    return isHidden
      ? "its message asks for a secret; give it to the server in its settings"
      : undefined;
  }
  return `it asks for a secret: ${visibleText(secret[0].slice(0, maxNameChars))}; give it to the server in its settings`;
}

function fieldsOf(params: Readonly<Record<string, unknown>>): readonly [string, unknown][] {
  const schema = params["requestedSchema"];
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  return isRecord(properties) ? Object.entries(properties) : [];
}

function isSecret([name, given]: readonly [string, unknown]): boolean {
  const { title, description, format } = isRecord(given) ? given : {};
  return format === "password" || [name, title, description].some(namesSecret);
}

/** Whether a text asks for a secret, or may in letters that look like others. */
function namesSecret(text: unknown): boolean {
  if (typeof text !== "string") return false;
  const plain = text.normalize("NFKC").replaceAll(/[\p{Cf}\p{Mn}]/gu, "");
  if (secretField.test(plain)) return true;
  return (plain.match(/\p{L}+/gu) ?? []).some(
    (word) =>
      word.length >= minHiddenLetters &&
      /\p{Script=Latin}/u.test(word) &&
      lookAlikeScripts.test(word),
  );
}

/** Whether the user would type the value of a field. */
function isText([, given]: readonly [string, unknown]): boolean {
  return isRecord(given) && given["type"] === "string" && choicesOf(given).length === 0;
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
  const options = choicesOf(field).map(({ label: shown }) => ({ label: shown }));
  return {
    ...headingOf(server, [message, labelOf(name, field), field["description"]]),
    isMultiSelect: field["type"] === "array",
    ...(options.length === 0 ? {} : { options }),
  };
}

function headingOf(
  server: string,
  given: readonly unknown[],
): { readonly kind: "question"; readonly header: string; readonly question: string } {
  const parts = given.filter((text): text is string => typeof text === "string" && text !== "");
  const text = parts.map((part) => visibleText(part.slice(0, maxTextChars))).join(" – ");
  return {
    kind: "question",
    header: visibleText(server).slice(0, 30),
    question: `The MCP server ${visibleText(server)} asks: ${text}`,
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
): FieldValue | undefined {
  const known = choicesOf(field);
  const chosen = known.filter(({ label }) => choices.includes(label));
  if (field["type"] === "array") {
    return chosen.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  }
  if (known.length > 0) return chosen[0]?.value;
  if (text === "") return undefined;
  if (field["type"] !== "number" && field["type"] !== "integer") return text;
  return numberFor(field, Number(text));
}

function numberFor({ type }: Readonly<Record<string, unknown>>, value: number): number | undefined {
  const isFitting = type === "number" || (type === "integer" && Number.isInteger(value));
  return isFitting && Number.isFinite(value) ? value : undefined;
}
