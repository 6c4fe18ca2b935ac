import {
  anObject,
  argumentError,
  checkedArgument,
  checkedObject,
  guarded,
  type Fields,
} from "../check-arguments.ts";
import type { EffectKind } from "../call/effects.ts";
import type { JsonSchema } from "./json.ts";
import type { ContentPart } from "./content.ts";
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
import { behaviourForms, lazyForms, minimalForms, toolName, traitForms } from "./tool-forms.ts";

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
  const what = nameOf("defineTool", definition);
  if (!hasInit(definition)) {
    return { ...checkedObject(what, definition, toolForms), kind: "tool" };
  }
  const lazy = checkedObject(what, definition, lazyToolForms);
  return {
    ...lazy,
    kind: "lazy-tool",
    init: async (context) => {
      const brought = checkedObject(what, await lazy.init(context), behaviourForms);
      return { ...lazy, ...brought, kind: "tool" };
    },
  };
}

/** A tool as `defineTool` makes it, of an object that says it is one. A TypeError names what of it is wrong. */
export function checkedTool(given: Tool): Tool;
export function checkedTool(given: Tool | LazyTool): Tool | LazyTool;
export function checkedTool(given: Tool | LazyTool): Tool | LazyTool {
  const what = nameOf("A tool to register", given);
  return guarded(what, () => {
    if (given.kind === "tool") return { ...checkedObject(what, given, toolForms), kind: "tool" };
    if (given.kind === "lazy-tool") {
      return { ...checkedObject(what, given, lazyToolForms), kind: "lazy-tool" };
    }
    throw argumentError("Only a tool made by defineTool can be registered.");
  });
}

function hasInit<S extends InputSchema>(
  definition: ToolDefinition<S> | LazyToolDefinition<S>,
): definition is LazyToolDefinition<S> {
  return guarded("defineTool", () => "init" in definition);
}

/** What `init` of a tool that is not made by defineTool brings. */
export function checkedBehaviour(name: string, brought: Tool): Tool {
  return checkedObject(`Tool ${name}`, brought, behaviourForms);
}

const toolForms: Fields = { ...traitForms, ...behaviourForms };
const lazyToolForms: Fields = { ...traitForms, ...lazyForms };

/** How messages call a tool: by its name, which is checked first. */
function nameOf(otherwise: string, tool: { readonly name: string }): string {
  const given = checkedArgument(otherwise, tool, anObject);
  const name = guarded(otherwise, () => given.name);
  return `Tool ${checkedArgument("Tool name", name, toolName)}`;
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
  const what = nameOf("fromMinimalTool", tool);
  const checked = checkedObject(what, tool, minimalForms);
  return defineTool({
    ...traits,
    name: checked.name,
    description: checked.description,
    touches: traits.touches ?? ["unknown"],
    input: checked.parameters,
    run: async (input: Readonly<Record<string, unknown>>) => ({
      content: await checked.execute.call(tool, input),
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
