import { ToolError } from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";
import { definitionLimits } from "./tool-definition.ts";
import { offeredName } from "./tool-name.ts";

/** A prompt as its server defines it, bounded and with every character visible. */
export interface PromptDefinition {
  /** Name on the server. */
  readonly name: string;
  /** Name of the command that it becomes. */
  readonly offeredAs: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
}

interface PromptArgument {
  /** Name on the server; it has no space and no `=`. */
  readonly name: string;
  readonly isRequired: boolean;
}

/** Limits on what a server may list; the longer texts are those of tools. */
const maxPrompts = 200;
const maxArguments = 20;
const maxDescriptionChars = 500;

/** Reads the prompts that a server lists. One that cannot be a command, or shares its name with another, is left out. */
export function readPrompts(server: string, listed: readonly unknown[]): PromptDefinition[] {
  const all = listed.slice(0, maxPrompts).flatMap((each) => readPrompt(server, each) ?? []);
  const count = new Map<string, number>();
  for (const { offeredAs } of all) count.set(offeredAs, (count.get(offeredAs) ?? 0) + 1);
  return all.filter(({ offeredAs }) => count.get(offeredAs) === 1);
}

function readPrompt(server: string, given: unknown): PromptDefinition | undefined {
  if (!isRecord(given) || !isName(given["name"])) return undefined;
  const { name, title, description = title } = given;
  const listed = given["arguments"] ?? [];
  if (!Array.isArray(listed) || listed.length > maxArguments) return undefined;
  const found = listed.flatMap((each: unknown): readonly PromptArgument[] => {
    if (!isRecord(each) || !isName(each["name"]) || /[\s=]/u.test(each["name"])) return [];
    return [{ name: each["name"], isRequired: each["required"] === true }];
  });
  // Without one of its arguments the others would move to the wrong places.
  if (found.length !== listed.length) return undefined;
  const text = typeof description === "string" ? description.slice(0, maxDescriptionChars) : "";
  return {
    name,
    offeredAs: offeredName(server, name),
    description: visibleText(text).replaceAll("\n", " "),
    arguments: found,
  };
}

/** Whether a name can be typed and shown as it is. */
function isName(value: unknown): value is string {
  if (typeof value !== "string" || value.length > definitionLimits.nameChars) return false;
  return /^[^\p{C}\p{Z}]/u.test(value) && !/\p{C}/u.test(value) && visibleText(value) === value;
}

/** Arguments as they are written: `<topic> [tone]`. */
export function promptUsage({ arguments: listed }: Pick<PromptDefinition, "arguments">): string {
  return listed.map(({ name, isRequired }) => (isRequired ? `<${name}>` : `[${name}]`)).join(" ");
}

/**
 * Arguments of a prompt from the text after the command. `name=text` gives the argument of that name; other words give
 * the remaining ones in order, and the last of them takes the rest of the words. Throws INVALID_INPUT if a required one
 * is missing, one is given twice, or there are words for which there is none.
 */
export function promptArguments(
  prompt: PromptDefinition,
  text: string,
): Readonly<Record<string, string>> {
  const given = new Map<string, string>();
  const inOrder: string[] = [];
  for (const word of wordsOf(text)) {
    const at = word.indexOf("=");
    const name = at > 0 ? word.slice(0, at) : undefined;
    if (name === undefined || !prompt.arguments.some((each) => each.name === name)) {
      inOrder.push(word);
    } else if (given.has(name)) {
      throw wrongArguments(prompt, `got the argument ${name} twice`);
    } else given.set(name, word.slice(at + 1));
  }
  const open = prompt.arguments.filter(({ name }) => !given.has(name));
  if (inOrder.length > 0 && open.length === 0) {
    const first = visibleText((inOrder[0] ?? "").slice(0, 100));
    throw wrongArguments(prompt, `has no argument for ${JSON.stringify(first)}`);
  }
  for (const [index, { name }] of open.entries()) {
    const isLast = index === open.length - 1;
    const value = isLast ? inOrder.slice(index).join(" ") : inOrder[index];
    if (index < inOrder.length && value !== undefined) given.set(name, value);
  }
  requireArguments(prompt, given);
  // Not a literal: a name of the server may be one that every object inherits.
  return Object.fromEntries(given);
}

/** Throws INVALID_INPUT if a required argument is not given. */
export function requireArguments(
  prompt: PromptDefinition,
  given: Pick<ReadonlyMap<string, string>, "has">,
): void {
  const missing = prompt.arguments.filter(({ name, isRequired }) => isRequired && !given.has(name));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(", ");
  throw wrongArguments(
    prompt,
    `needs the ${missing.length === 1 ? "argument" : "arguments"} ${names}`,
  );
}

function wrongArguments(prompt: PromptDefinition, why: string): ToolError {
  return new ToolError("INVALID_INPUT", `/${prompt.offeredAs} ${why}.`, {
    hint: `Write /${`${prompt.offeredAs} ${promptUsage(prompt)}`.trim()}`,
  });
}

/** Words of a text. Quotes around a word, or around the text after `name=`, join several. */
function wordsOf(text: string): readonly string[] {
  const words = text.matchAll(/([^\s"'=]+=)?(?:"([^"]*)"|'([^']*)')(?=\s|$)|\S+/gu);
  return Array.from(words, ([whole, name = "", double, single]) => {
    const quoted = double ?? single;
    return quoted === undefined ? whole : `${name}${quoted}`;
  });
}
