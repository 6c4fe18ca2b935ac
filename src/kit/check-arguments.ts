import {
  aFlag,
  aFunction,
  aListOf,
  anObject,
  aSignal,
  aText,
  checkedFields,
  fieldsOf,
  isListOf,
  modes,
  namedBriefly,
  safely,
  type Call,
  type CallOptions,
  type DefinitionOptions,
  type Form,
} from "../core/index.ts";
import type { UndoOptions, UndoTarget } from "../journal/index.ts";
import type { DeriveOptions } from "./options.ts";

// Apart from the checks of createToolkit, which load with what reads settings: these are needed at once.

const host: Form = {
  is: "a host, an object of fs, proc and the other parts",
  fits: (value) =>
    anObject.fits(value) &&
    ["fs", "proc", "clock"].every((part) => anObject.fits(Reflect.get(Object(value), part))),
};

const services: Form = {
  is: "services, an object with a function get",
  fits: (value) => anObject.fits(value) && aFunction.fits(Reflect.get(Object(value), "get")),
};

const deriveForms = {
  host,
  mode: aText,
  tools: aListOf(aText, 'a list of names, as in { tools: ["Read"] }'),
  ceiling: aListOf(aText, 'a list of rules, as in { ceiling: ["Read(src/**)"] }'),
} satisfies Record<keyof DeriveOptions, Form>;

/** Throws a TypeError for options that no toolkit can be derived with: a mistyped one would limit nothing. */
export function checkDeriveOptions(options: DeriveOptions): DeriveOptions {
  for (const name of Object.keys(fieldsOf("derive", options))) {
    if (Object.hasOwn(deriveForms, name)) continue;
    const known = Object.keys(deriveForms).join(", ");
    throw new TypeError(`derive has no option ${namedBriefly(name)}. There are: ${known}.`);
  }
  return checkedFields("derive", options, deriveForms);
}

const callForms = {
  signal: aSignal,
  onProgress: aFunction,
  onOutput: aFunction,
  sessionId: aText,
  agentId: aText,
  turn: { is: "a number", fits: (value) => typeof value === "number" },
  inOrder: aFlag,
  onAsk: aFunction,
  services,
} satisfies Record<keyof CallOptions, Form>;

export function checkCallOptions(options: CallOptions): CallOptions {
  return checkedFields("A call", options, callForms);
}

/** The calls of one turn as a list of their own. What a call is, the call itself answers. */
export function checkCalls(calls: readonly Call[]): readonly Call[] {
  if (safely((value) => isListOf(value, () => true), calls)) return Array.from(calls);
  throw new TypeError('callAll takes a list of calls, as in [{ name: "Read", input: {} }].');
}

const definitionForms = {
  mode: { is: `one of ${modes.join(", ")}`, fits: (value) => modes.some((mode) => mode === value) },
  names: aListOf(aText, 'a list of names, as in { names: ["Read"] }'),
  variants: aFlag,
} satisfies Record<keyof DefinitionOptions, Form>;

export function checkDefinitionOptions(options: DefinitionOptions): DefinitionOptions {
  return checkedFields("A list of definitions", options, definitionForms);
}

const paths = aListOf(aText, "");
const undoForms = {
  force: {
    is: "true, false or a list of paths",
    fits: (value) => aFlag.fits(value) || paths.fits(value),
  },
  sessionId: aText,
} satisfies Record<keyof UndoOptions, Form>;

export function checkUndoOptions<T extends UndoOptions>(what: string, options: T): T {
  return checkedFields(what, options, undoForms);
}

const targetForms = {
  last: {
    is: "a whole number above 0",
    fits: (value) => typeof value === "number" && Number.isSafeInteger(value) && value > 0,
  },
  call: aText,
  to: aText,
} satisfies Record<string, Form>;

/** Throws a TypeError for what names no calls: guessing would undo others than were meant. */
export function checkUndoTarget(target: UndoTarget): UndoTarget {
  const fields = checkedFields("undo", target, targetForms);
  const named = Object.values(fields).filter((value) => value !== undefined);
  const known = Object.keys(fields).every((name) => Object.hasOwn(targetForms, name));
  if (known && named.length === 1) return fields;
  throw new TypeError("undo takes one of { last: 1 }, { call: id } and { to: id }.");
}

/** The id of a call, or a TypeError. */
export function checkCallId(what: string, id: string): string {
  if (aText.fits(id)) return id;
  throw new TypeError(`${what} takes the id of a call, a text; history() lists them.`);
}

const garbageForms = { dryRun: aFlag };

export function checkGarbageOptions<T extends object>(options: T): T {
  return checkedFields("collectGarbage", options, garbageForms);
}
