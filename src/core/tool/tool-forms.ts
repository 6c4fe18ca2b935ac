import { modes } from "../call/decisions.ts";
import {
  aCount,
  aFlag,
  aFunction,
  aListOf,
  anObject,
  aText,
  oneOf,
  texts,
  type Fields,
  type Form,
} from "../check-arguments.ts";
import { effectKinds } from "../call/effects.ts";
import type { LazyTool, ToolBehaviour, ToolFlags, ToolSource, ToolTraits } from "./tool.ts";

const namePattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/u;

export const toolName: Form = {
  is: '1 to 64 letters, digits, "_", "-" or ".", and start with a letter',
  fits: (value) => typeof value === "string" && namePattern.test(value),
};

const aSchema: Form = {
  is: "a schema",
  fits: (value) => (typeof value === "object" && value !== null) || typeof value === "function",
};

function required(form: Form): Form {
  return { ...form, isRequired: true };
}

/** Everything a tool says of itself beforehand. */
export const traitForms = {
  name: required(toolName),
  displayName: aText,
  version: aText,
  category: aText,
  tags: texts,
  aliases: aListOf(toolName, "a list of names"),
  searchHint: aText,
  alwaysLoad: aFlag,
  icon: aText,
  source: {
    is: "an object of id, name and kind",
    fields: {
      id: required(aText),
      name: required(aText),
      kind: required(oneOf(["built-in", "custom", "mcp"])),
    } satisfies Record<keyof ToolSource, Form>,
  },
  strict: aFlag,
  enabled: aFlag,
  autoExecute: aFlag,
  touches: required(
    aListOf(oneOf(effectKinds), "a list of the effect kinds it may have, [] for none"),
  ),
  flags: {
    is: "an object of flags",
    fields: {
      readOnly: aFlag,
      destructive: aFlag,
      idempotent: aFlag,
      openWorld: aFlag,
      concurrencySafe: aFlag,
    } satisfies Record<keyof ToolFlags, Form>,
  },
  timeoutMs: aCount,
  maxChars: aCount,
  variantOf: aText,
  staged: oneOf(["files", "commands"]),
  modes: aListOf(oneOf(modes), "a list of modes"),
  needs: aListOf(anObject, "a list of service tokens"),
  kind: oneOf(["tool", "lazy-tool"]),
} satisfies Record<keyof ToolTraits | "kind", Form>;

/** Forms of the members that depend on the input type. */
export const behaviourForms = {
  description: required({
    is: "a text, or { short } and more",
    fits: (value) => typeof value === "string",
    fields: {
      short: required(aText),
      long: aText,
      usageNotes: texts,
      examples: aListOf(anObject, "a list of { input, note }"),
      important: texts,
    },
  }),
  input: required(aSchema),
  output: aSchema,
  inputAliases: {
    is: 'an object of lists of names, as in { file_path: ["path"] }',
    values: texts,
  },
  freeText: aListOf(aText, "a list of keys of its input"),
  effects: aFunction,
  signature: aFunction,
  suggestRule: aFunction,
  run: required(aFunction),
  preview: aFunction,
  undo: aFunction,
  reconcile: aFunction,
  formatIssues: aFunction,
} satisfies Record<keyof ToolBehaviour<unknown> | "input", Form>;

export const lazyForms = {
  init: required(aFunction),
  known: {
    is: "an object of summary, description and inputSchema",
    fields: {
      summary: required(aText),
      description: required(aText),
      inputSchema: required(anObject),
      level: { is: "0, 1 or 2", fits: (value) => value === 0 || value === 1 || value === 2 },
    },
  },
} satisfies Record<Exclude<keyof LazyTool, keyof ToolTraits | "kind">, Form>;

/** The smallest shape tools come in elsewhere. */
export const minimalForms = {
  name: required(toolName),
  description: required(aText),
  parameters: required(aSchema),
  execute: required(aFunction),
} satisfies Fields;
