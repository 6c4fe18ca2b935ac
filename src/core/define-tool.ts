import {
  aFlag,
  aListOf,
  anObject,
  aText,
  checkedFields,
  fieldsOf,
  isListOf,
  namedBriefly,
  safely,
  type Form,
} from "./check-fields.ts";
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
  given: ToolDefinition<S> | LazyToolDefinition<S>,
): Tool | LazyTool {
  const definition = fieldsOf("defineTool", given);
  checkTraits(definition);
  if ("init" in definition) {
    if (typeof definition.init !== "function") {
      throw new TypeError(`Tool ${definition.name}: init must be a function.`);
    }
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
  given: MinimalTool,
  traits: Partial<Omit<ToolTraits, "name">> = {},
): Tool {
  const tool = fieldsOf("fromMinimalTool", given);
  if (typeof tool.execute !== "function") {
    throw new TypeError(`Tool ${namedBriefly(tool.name)}: execute must be a function.`);
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
  for (const each of [
    name,
    ...(safely((value) => isListOf(value, () => true), aliases) ? aliases : [undefined]),
  ]) {
    if (typeof each !== "string" || !namePattern.test(each)) {
      throw new TypeError(
        `Tool name ${namedBriefly(each)} must be 1 to 64 letters, digits, "_", "-" or ".", and start with a letter.`,
      );
    }
  }
  if (!safely((value) => isListOf(value, () => true), touches)) {
    throw new TypeError(`Tool ${name}: touches must list its effect kinds, [] for none.`);
  }
  for (const kind of touches) {
    if (!effectKinds.includes(kind)) {
      throw new TypeError(
        `Tool ${name}: ${namedBriefly(kind)} is not an effect kind. Use ${effectKinds.join(", ")}.`,
      );
    }
  }
  checkedFields(`Tool ${name}`, traits, traitForms);
  if (staged !== undefined && staged !== "files" && staged !== "commands") {
    throw new TypeError(`Tool ${name}: staged must be "files" or "commands".`);
  }
  for (const [key, value] of Object.entries({ timeoutMs, maxChars })) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) {
      throw new TypeError(`Tool ${name}: ${key} must be a whole number above 0.`);
    }
  }
}

/** Every trait but those that have a check of their own. */
const traitForms: Readonly<Record<string, Form>> = {
  displayName: aText,
  version: aText,
  category: aText,
  searchHint: aText,
  variantOf: aText,
  icon: aText,
  strict: aFlag,
  tags: aListOf(aText, "a list of texts"),
  needs: aListOf(anObject, "a list of service tokens"),
  source: {
    is: "an object of the texts id, name and kind",
    fits: (value) =>
      isObject(value) && ["id", "name", "kind"].every((key) => aText.fits(value[key])),
  },
  flags: {
    is: "an object of flags, each true or false",
    fits: (value) => isObject(value) && Object.values(value).every((flag) => aFlag.fits(flag)),
  },
};

/** Throws a TypeError for an object that defineTool would not make. */
export function checkTool(tool: Tool | LazyTool): void {
  checkTraits(tool);
  if (tool.kind === "tool") checkBehaviour(tool.name, tool);
}

function checkBehaviour<S extends InputSchema>(name: string, behaviour: InitializedTool<S>): void {
  const { description, input, output } = behaviour;
  const short = shortOf(description);
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
  checkedFields(`Tool ${name}`, behaviour, behaviourForms);
}

const behaviourForms: Readonly<Record<string, Form>> = {
  freeText: aListOf(aText, "a list of keys of its input"),
  inputAliases: {
    is: 'an object of lists of names, as in { file_path: ["path"] }',
    fits: (value) =>
      isObject(value) && Object.values(value).every((names) => isListOf(names, aText.fits)),
  },
};

function shortOf(description: unknown): unknown {
  if (typeof description === "string") return description;
  const isReadable = (value: unknown): boolean => isObject(value) && aText.fits(value["short"]);
  return safely(isReadable, description) ? "" : undefined;
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
