import {
  argumentError,
  guarded,
  type InputSchema,
  type JsonSchema,
  type LazyTool,
  type Tool,
  type ToolTraits,
} from "../core/index.ts";

/**
 * Frozen copy of a tool, independent of later changes by the caller. Functions and validators are shared, JSON is
 * copied.
 */
export function frozenTool(tool: Tool): Tool {
  return guarded(`Tool ${tool.name}`, () => frozen(tool));
}

function frozen(tool: Tool): Tool {
  return Object.freeze({
    ...tool,
    ...frozenTraits(tool),
    kind: "tool" as const,
    description: frozenJson(tool.description),
    input: frozenInput(tool.input),
    ...(tool.output === undefined ? {} : { output: frozenInput(tool.output) }),
    ...(tool.inputAliases === undefined ? {} : { inputAliases: frozenJson(tool.inputAliases) }),
    ...(tool.freeText === undefined ? {} : { freeText: frozenJson(tool.freeText) }),
  });
}

/** Frozen copy of a lazy tool, made in the same way as `frozenTool`. */
export function frozenLazyTool(tool: LazyTool): LazyTool {
  return guarded(`Tool ${tool.name}`, () =>
    Object.freeze({
      ...tool,
      ...(tool.known === undefined ? {} : { known: frozenJson(tool.known) }),
    }),
  );
}

/** Frozen copy of the traits that a tool states, without its other members. */
export function frozenTraits(tool: ToolTraits): ToolTraits {
  const stated = optionalTraits.flatMap((key) => {
    const value = tool[key];
    return value === undefined ? [] : [[key, frozenJson(value)] as const];
  });
  const { name, touches } = tool;
  return Object.freeze({ ...Object.fromEntries(stated), name, touches: frozenJson(touches) });
}

const optionalTraits = [
  "displayName",
  "version",
  "category",
  "tags",
  "aliases",
  "searchHint",
  "alwaysLoad",
  "variantOf",
  "modes",
  "icon",
  "source",
  "strict",
  "flags",
  "timeoutMs",
  "maxChars",
  "staged",
  "needs",
] as const satisfies readonly (keyof ToolTraits)[];

/** Deep, frozen copy of JSON-like data. A value that is not a plain object or array is returned as it is. */
export function frozenJson<T>(value: T): T;
export function frozenJson(value: unknown): unknown {
  return frozenAt(value, 0);
}

/** Deeper than any schema that a provider takes; a cycle has no end at all. */
const maxDepth = 500;
const maxItems = 100_000;

function frozenAt(value: unknown, depth: number): unknown {
  if (depth > maxDepth) {
    throw argumentError(`Part of a tool is nested more than ${maxDepth} deep.`, {
      hint: "Pass a schema that is flatter.",
    });
  }
  if (Array.isArray(value)) {
    if (value.length > maxItems) {
      throw argumentError(`A list of a tool has more than ${maxItems} entries.`, {
        hint: "Pass fewer.",
      });
    }
    return Object.freeze(Array.from(value, (item: unknown) => frozenAt(item, depth + 1)));
  }
  if (!isPlainObject(value)) return value;
  // `fromEntries` defines own properties, so a key named `__proto__` stays an ordinary key.
  return Object.freeze(
    Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, frozenAt(item, depth + 1)]),
    ),
  );
}

function frozenInput(input: InputSchema): InputSchema {
  if (typeof input === "function" || "~standard" in input) return input;
  if (isPair(input)) {
    return Object.freeze({ schema: input.schema, jsonSchema: frozenJson(input.jsonSchema) });
  }
  return frozenJson(input);
}

function isPair(
  input: InputSchema,
): input is Extract<InputSchema, { readonly jsonSchema: JsonSchema }> {
  if (!("schema" in input && "jsonSchema" in input)) return false;
  const { schema } = input;
  const holder = typeof schema === "function" || (typeof schema === "object" && schema !== null);
  return holder && "~standard" in schema;
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
