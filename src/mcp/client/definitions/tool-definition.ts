import { setImmediate } from "node:timers/promises";
import type { JsonSchema } from "../../../core/index.ts";
import { jsonSchemaFault } from "../../../schema/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";
import { headerFault } from "./param-headers.ts";
import { offeredName, samplingRule, sha256 } from "./tool-name.ts";

/** A tool as its server defines it, bounded and with every character visible. */
export interface ToolDefinition {
  /** Name on the server. */
  readonly name: string;
  /** Name under which it is offered. */
  readonly offeredAs: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** Claims of the server, which widen nothing. */
  readonly annotations?: Readonly<Record<string, boolean>>;
  /** Whether calls of it must be tasks. */
  readonly mustBeTask?: boolean;
  /** Hash of everything above. */
  readonly hash: string;
}

/** Definitions of one server, and what was left out of its list. */
export interface ToolDefinitions {
  readonly tools: readonly ToolDefinition[];
  /** One sentence for each tool that is not offered as it is. */
  readonly problems: readonly string[];
}

/** Limits on what a server may define. */
export const definitionLimits = {
  tools: 1000,
  nameChars: 200,
  descriptionChars: 4000,
  schemaChars: 64_000,
  schemaDepth: 32,
} as const;

/** Maximum number of problems listed; the others are counted. */
const maxProblems = 20;

/** Reads the tools that a server lists. A definition that cannot be offered is left out and reported. */
export async function readDefinitions(
  server: string,
  listed: readonly unknown[],
): Promise<ToolDefinitions> {
  const problems: string[] = [];
  const found: ToolDefinition[] = [];
  for (const each of listed.slice(0, definitionLimits.tools)) {
    const read = readDefinition(server, each);
    // Compiling a schema takes milliseconds: other tasks run in between.
    await setImmediate();
    if (typeof read === "string") problems.push(read);
    else found.push(read);
  }
  if (listed.length > definitionLimits.tools) {
    const more = listed.length - definitionLimits.tools;
    problems.push(`${more} tools beyond the first ${definitionLimits.tools} are not offered.`);
  }
  const { tools, collisions } = withoutCollisions(found);
  const all = [...problems, ...collisions];
  const rest = all.length - maxProblems;
  const shown = rest > 0 ? [...all.slice(0, maxProblems), `${rest} more problems.`] : all;
  return { tools, problems: shown };
}

function readDefinition(server: string, given: unknown): ToolDefinition | string {
  if (!isRecord(given) || typeof given["name"] !== "string" || given["name"] === "") {
    return "A tool without a name is not offered.";
  }
  const { name } = given;
  if (name.length > definitionLimits.nameChars) {
    return `A tool whose name has ${name.length} characters is not offered.`;
  }
  const shown = visibleText(name);
  const offeredAs = offeredName(server, name);
  if (offeredAs.toLowerCase() === samplingRule(server).toLowerCase()) {
    return `The tool ${shown} is not offered: its name is that of the rule for questions to the model.`;
  }
  const schema = readSchema(given["inputSchema"]);
  if (typeof schema === "string") return `The tool ${shown} is not offered: ${schema}.`;
  const fault = schemaFault(schema) ?? headerFault(schema);
  if (fault !== undefined) return `The tool ${shown} is not offered: ${fault}.`;
  const title = textOf(given["title"], definitionLimits.nameChars);
  const annotations = flagsOf(given["annotations"]);
  const { execution } = given;
  const definition = {
    name,
    offeredAs,
    ...(title === "" ? {} : { title }),
    description: textOf(given["description"], definitionLimits.descriptionChars),
    inputSchema: schema,
    ...(annotations === undefined ? {} : { annotations }),
    ...(isRecord(execution) && execution["taskSupport"] === "required" ? { mustBeTask: true } : {}),
  };
  return { ...definition, hash: sha256(stableJson(definition)) };
}

function readSchema(given: unknown): JsonSchema | string {
  if (given === undefined) return { type: "object" };
  if (!isRecord(given)) return "its input schema is not an object";
  if (given["type"] !== undefined && given["type"] !== "object") {
    return "its input schema is not that of an object";
  }
  if (isDeeper(given, definitionLimits.schemaDepth)) {
    return `its input schema has more than ${definitionLimits.schemaDepth} levels`;
  }
  const { length } = JSON.stringify(given);
  if (length > definitionLimits.schemaChars) return `its input schema has ${length} characters`;
  const schema = visibleSchema(given);
  return isRecord(schema) ? { ...schema, type: "object" } : { type: "object" };
}

/** Maximum number of characters that are shown of a fault. */
const maxFaultChars = 200;

/** The first fault for which a schema cannot check an input. Without a check, each call of the tool would fail. */
function schemaFault(schema: JsonSchema): string | undefined {
  const fault = jsonSchemaFault(schema);
  if (fault === undefined) return undefined;
  const [first = ""] = fault.replace(/^schema is invalid: data\/?/u, "").split(", data/");
  return `its input schema cannot be used: ${textOf(first, maxFaultChars)}`;
}

/** Whether a value has more levels than this. Depth is bounded before, so recursion is safe. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/**
 * A schema with every character of its descriptions visible, and without patterns: a pattern of a server would be run
 * here on input, and can take forever. The server checks its input itself.
 */
function visibleSchema(value: unknown, areNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => visibleSchema(each));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => {
      if (areNames) return [[key, visibleSchema(each)]];
      if (key === "pattern" || key === "patternProperties") return [];
      const isText = (key === "description" || key === "title") && typeof each === "string";
      return [[key, isText ? visibleText(each) : visibleSchema(each, key === "properties")]];
    }),
  );
}

function textOf(value: unknown, maxChars: number): string {
  if (typeof value !== "string") return "";
  const text = visibleText(value.slice(0, maxChars + 1));
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`;
}

function flagsOf(value: unknown): Readonly<Record<string, boolean>> | undefined {
  if (!isRecord(value)) return undefined;
  const flags = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"].flatMap(
    (name): [string, boolean][] => {
      const flag = value[name];
      return typeof flag === "boolean" ? [[name, flag]] : [];
    },
  );
  return flags.length === 0 ? undefined : Object.fromEntries(flags);
}

/** Offers neither of two tools with one name: a call must not reach a tool that the user did not mean. */
function withoutCollisions(found: readonly ToolDefinition[]): {
  readonly tools: readonly ToolDefinition[];
  readonly collisions: readonly string[];
} {
  const byName = new Map<string, ToolDefinition[]>();
  for (const each of found) {
    const key = each.offeredAs.toLowerCase();
    const same = byName.get(key);
    if (same === undefined) byName.set(key, [each]);
    else if (same.every(({ hash }) => hash !== each.hash)) same.push(each);
  }
  const tools: ToolDefinition[] = [];
  const collisions: string[] = [];
  for (const same of byName.values()) {
    const [only] = same;
    if (same.length === 1 && only !== undefined) tools.push(only);
    else {
      const names = same.map(({ name }) => visibleText(name)).join(" and ");
      collisions.push(`The tools ${names} would have one name, so neither is offered.`);
    }
  }
  return { tools, collisions };
}

/** JSON with sorted keys, so that a server that only reorders its schema has not changed it. */
export function stableJson(value: unknown): string {
  return (
    JSON.stringify(value, (_key, each: unknown) =>
      isRecord(each)
        ? Object.fromEntries(
            Object.entries(each).toSorted(([one], [other]) =>
              one < other ? -1 : one > other ? 1 : 0,
            ),
          )
        : each,
    ) ?? ""
  );
}

/** Characters of one side of a difference. */
const maxSideChars = 240;

/** Difference between two definitions of a tool, for the user who is asked about it. */
export function describeChange(before: ToolDefinition, after: ToolDefinition): string {
  const parts = [
    difference("title", before.title ?? "", after.title ?? ""),
    difference("description", before.description, after.description),
    difference("input schema", stableJson(before.inputSchema), stableJson(after.inputSchema)),
    difference(
      "annotations",
      stableJson(before.annotations ?? {}),
      stableJson(after.annotations ?? {}),
    ),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** The part in which two texts differ, with a little of what is around it. */
function difference(what: string, before: string, after: string): string {
  if (before === after) return "";
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const shorter = Math.min(before.length, after.length) - start;
  while (end < shorter && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return `${what} was ${side(before, start, end)}, is now ${side(after, start, end)}`;
}

const around = 30;

function side(text: string, start: number, end: number): string {
  const from = Math.max(0, start - around);
  const to = Math.min(text.length, text.length - end + around);
  const part = text.slice(from, to);
  const short = part.length <= maxSideChars ? part : `${part.slice(0, maxSideChars)}…`;
  return JSON.stringify(`${from > 0 ? "…" : ""}${short}${to < text.length ? "…" : ""}`);
}
