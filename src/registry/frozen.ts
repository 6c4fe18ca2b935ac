import type { InputSchema, JsonSchema, LazyTool, Tool, ToolTraits } from "../core/index.ts";

/**
 * Frozen copy of a tool, independent of later changes by the caller. Functions and validators are shared, JSON is
 * copied.
 */
export function frozenTool(tool: Tool): Tool {
  if (!Object.hasOwn(tool, "run") || typeof tool.run !== "function") {
    throw new TypeError(
      `Tool ${tool.name}: run must be an own function. Make the tool with defineTool.`,
    );
  }
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
  if (!Object.hasOwn(tool, "init") || typeof tool.init !== "function") {
    throw new TypeError(
      `Tool ${tool.name}: init must be an own function. Make the tool with defineTool.`,
    );
  }
  return Object.freeze({
    ...tool,
    ...(tool.known === undefined ? {} : { known: frozenJson(tool.known) }),
  });
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
  "variantOf",
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
  if (Array.isArray(value)) return Object.freeze(value.map((item: unknown) => frozenJson(item)));
  if (!isPlainObject(value)) return value;
  // `fromEntries` defines own properties, so a key named `__proto__` stays an ordinary key.
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenJson(item)])),
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
