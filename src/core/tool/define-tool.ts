import {
  anObject,
  argumentError,
  checkedArgument,
  checkedObject,
  guarded,
  type Fields,
} from "../check-arguments.ts";
import type { JsonSchema } from "./json.ts";
import type { ContentPart } from "./content.ts";
import type {
  InferInput,
  InitContext,
  InputSchema,
  LazyTool,
  Tool,
  ToolBehaviour,
  ToolTraits,
} from "./tool.ts";
import { behaviourForms, lazyForms, minimalForms, toolName, traitForms } from "./tool-forms.ts";

/** Everything about a tool in one object; the input type follows from `input`. */
export type ToolDefinition<S extends InputSchema> = ToolTraits &
  ToolBehaviour<InferInput<S>> & { readonly input: S };

/** Result of a tool's `init`: its behavior and its schema, typed together. */
export type InitializedTool<S extends InputSchema> = ToolBehaviour<InferInput<S>> & {
  readonly input: S;
};

/**
 * A tool that creates its description, schema and behavior on first use. Where `init` takes its context, annotate
 * the parameter with `InitContext`: the compiler then infers the input type of `run`.
 */
export type LazyToolDefinition<S extends InputSchema> = ToolTraits & {
  init(context: InitContext): Promise<InitializedTool<S>> | InitializedTool<S>;
};

/**
 * Creates a tool and checks the definition at once: a TypeError names a programming mistake. No part of the
 * definition is run or copied after this call.
 */
export function defineTool<const S extends InputSchema>(definition: ToolDefinition<S>): Tool;
/** Defines a tool. Throws a TypeError that names the invalid part. */
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

/** Returns a tool as `defineTool` creates it from an object that claims to be one. A TypeError names the fault. */
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

/** Checks the result of `init` of a tool that `defineTool` did not create. */
export function checkedBehaviour(name: string, brought: Tool): Tool {
  return checkedObject(`Tool ${name}`, brought, behaviourForms);
}

const toolForms: Fields = { ...traitForms, ...behaviourForms };
const lazyToolForms: Fields = { ...traitForms, ...lazyForms };

/** Returns the label of a tool in messages: its name, which is checked first. */
function nameOf(otherwise: string, tool: { readonly name: string }): string {
  const given = checkedArgument(otherwise, tool, anObject);
  const name = guarded(otherwise, () => given.name);
  return `Tool ${checkedArgument("Tool name", name, toolName)}`;
}

/** The smallest tool shape used by other libraries. */
export interface MinimalTool {
  /** Name of the tool. */
  readonly name: string;
  /** Description for the model. */
  readonly description: string;
  /** JSON Schema of its input, an object. */
  readonly parameters: JsonSchema;
  /** Runs the tool; the returned text is its result. */
  execute(
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<string | readonly ContentPart[]> | string | readonly ContentPart[];
}

/**
 * Converts a tool of the minimal shape. Its effects are unknown unless `touches` lists them, so its calls require
 * approval until a rule names the tool.
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
