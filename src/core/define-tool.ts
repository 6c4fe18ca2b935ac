import type { EffectKind } from "./effects.ts";
import type { JsonSchema } from "./json.ts";
import type { ContentPart } from "./content.ts";
import { effectKinds } from "./effects.ts";
import type {
  InferInput,
  InitContext,
  InputSchema,
  LazyTool,
  Tool,
  ToolBehaviour,
  ToolFlags,
  ToolTraits,
} from "./tool.ts";

/** Everything about a tool in one object; the input type follows from `input`. */
export type ToolDefinition<S extends InputSchema> = ToolTraits &
  ToolBehaviour<InferInput<S>> & { readonly input: S };

/** What a tool's `init` brings: its behaviour and its schema, typed together. */
export type InitializedTool<S extends InputSchema> = ToolBehaviour<InferInput<S>> & {
  readonly input: S;
};

/**
 * A tool that makes its description, schema and behaviour on first use. Where `init` takes its context, write
 * `InitContext` beside it: the compiler then infers what `run` is given.
 */
export type LazyToolDefinition<S extends InputSchema> = ToolTraits & {
  init(context: InitContext): Promise<InitializedTool<S>> | InitializedTool<S>;
};

/**
 * Makes a tool, checking at once what a programmer can get wrong: a TypeError says what. Nothing of the
 * definition is run or copied later than this call.
 */
export function defineTool<const S extends InputSchema>(definition: ToolDefinition<S>): Tool;
export function defineTool<const S extends InputSchema>(
  definition: LazyToolDefinition<S>,
): LazyTool;
export function defineTool<const S extends InputSchema>(
  definition: ToolDefinition<S> | LazyToolDefinition<S>,
): Tool | LazyTool {
  checkTraits(definition);
  if ("init" in definition) {
    return {
      ...definition,
      kind: "lazy-tool",
      init: async (context) => {
        const brought = await definition.init(context);
        checkBehaviour(definition.name, brought);
        return { ...definition, ...brought, kind: "tool" };
      },
    };
  }
  checkBehaviour(definition.name, definition);
  return { ...definition, kind: "tool" };
}

/** The smallest shape tools come in elsewhere. */
export interface MinimalTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  execute(
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<string | readonly ContentPart[]> | string | readonly ContentPart[];
}

/**
 * Takes a tool of the minimal shape. What it touches is unknown unless `touches` says otherwise, so a call of
 * it is asked about until a rule names it.
 */
export function fromMinimalTool(
  tool: MinimalTool,
  traits: Partial<Omit<ToolTraits, "name">> = {},
): Tool {
  if (typeof tool.execute !== "function") {
    throw new TypeError(`Tool ${tool.name}: execute must be a function.`);
  }
  return defineTool({
    ...traits,
    name: tool.name,
    description: tool.description,
    touches: traits.touches ?? ["unknown"],
    input: tool.parameters,
    run: async (input: Readonly<Record<string, unknown>>) => ({
      content: await tool.execute(input),
    }),
  });
}

/** The flags that follow from what a tool may touch; `wanted` counts only where it is stricter. */
export function deriveFlags(
  touches: readonly EffectKind[],
  wanted: Partial<ToolFlags> = {},
): ToolFlags {
  const changes = touches.some((kind) => changing.has(kind));
  const open = touches.some((kind) => reachingOut.has(kind));
  return {
    readOnly: !changes && wanted.readOnly !== false,
    destructive: changes || wanted.destructive === true,
    idempotent: !changes && wanted.idempotent !== false,
    openWorld: open || wanted.openWorld === true,
    concurrencySafe: !changes && wanted.concurrencySafe !== false,
  };
}

const changing: ReadonlySet<EffectKind> = new Set(["write", "execute", "delegate", "unknown"]);
const reachingOut: ReadonlySet<EffectKind> = new Set(["connect", "execute", "delegate", "unknown"]);
const namePattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/u;

function checkTraits(traits: ToolTraits): void {
  const { name, aliases = [], touches, timeoutMs, maxChars, staged } = traits;
  for (const each of [name, ...aliases]) {
    if (typeof each !== "string" || !namePattern.test(each)) {
      throw new TypeError(
        `Tool name ${JSON.stringify(each)} must be 1 to 64 letters, digits, "_", "-" or ".", and start with a letter.`,
      );
    }
  }
  if (!Array.isArray(touches)) {
    throw new TypeError(`Tool ${name}: touches must list its effect kinds, [] for none.`);
  }
  for (const kind of touches) {
    if (!effectKinds.includes(kind)) {
      throw new TypeError(
        `Tool ${name}: ${JSON.stringify(kind)} is no effect kind. Use ${effectKinds.join(", ")}.`,
      );
    }
  }
  if (staged !== undefined && staged !== "files" && staged !== "commands") {
    throw new TypeError(`Tool ${name}: staged must be "files" or "commands".`);
  }
  for (const [key, value] of Object.entries({ timeoutMs, maxChars })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new TypeError(`Tool ${name}: ${key} must be a whole number above 0.`);
    }
  }
}

function checkBehaviour<S extends InputSchema>(name: string, behaviour: InitializedTool<S>): void {
  const { description, input, output } = behaviour;
  const short = typeof description === "string" ? description : description?.short;
  if (typeof short !== "string") {
    throw new TypeError(`Tool ${name}: description must be a text, or { short } and more.`);
  }
  if (!isSchema(input)) throw new TypeError(`Tool ${name}: input must be a schema.`);
  if (output !== undefined && !isSchema(output)) {
    throw new TypeError(`Tool ${name}: output must be a schema.`);
  }
  if (typeof behaviour.run !== "function") {
    throw new TypeError(`Tool ${name}: run must be a function.`);
  }
  for (const key of optionalFunctions) {
    const value = behaviour[key];
    if (value !== undefined && typeof value !== "function") {
      throw new TypeError(`Tool ${name}: ${key} must be a function.`);
    }
  }
}

const optionalFunctions = [
  "effects",
  "signature",
  "suggestRule",
  "preview",
  "undo",
  "reconcile",
  "formatIssues",
] as const satisfies readonly (keyof ToolBehaviour<unknown>)[];

function isSchema(value: unknown): boolean {
  return isObject(value) || typeof value === "function";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
