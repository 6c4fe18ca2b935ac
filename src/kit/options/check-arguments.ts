import {
  aCount,
  aFlag,
  aFunction,
  aListOf,
  anObject,
  argumentError,
  aSignal,
  aText,
  checkedArgument,
  checkedOptions,
  modes,
  objectWith,
  oneOf,
  texts,
  type Call,
  type CallAllOptions,
  type CallOptions,
  type DelegateRequest,
  type DefinitionOptions,
  type Form,
  type ModelDefinitionOptions,
} from "../../core/index.ts";
import { aDepth, runForms } from "../../text/index.ts";
import type { UndoOptions, UndoTarget } from "../../journal/index.ts";
import type { McpProvider } from "../mcp/providers.ts";
import type { KitRunOptions } from "../runs/run-options.ts";
import type {
  DelegateOptions,
  DeriveOptions,
  PreviewCallOptions,
  ReadTaskOptions,
  RuleAddition,
  RuleChange,
  RunConfinedOptions,
} from "./options.ts";

// Separate from the options of createToolkit, which load together with the settings reader: these checks are needed at
// once.

export const aHost: Form = {
  is: "a host, as localHost() makes one",
  fits: (value) =>
    anObject.fits?.(value) === true &&
    ["fs", "proc", "clock", "info"].every((part) =>
      anObject.fits?.(Reflect.get(Object(value), part)),
    ),
};

export const services: Form = objectWith(["get"], "services, an object with a function get");

const deriveForms = {
  host: aHost,
  workspace: {
    is: "a canonical absolute path",
    fits: (value) =>
      typeof value === "string" &&
      /^(?:\/[^/\0]+)+$/u.test(value) &&
      !/\/\.{1,2}(?:\/|$)/u.test(value),
  },
  mode: oneOf(modes),
  tools: aListOf(aText, 'a list of names, as in { tools: ["Read"] }'),
  ceiling: aListOf(aText, 'a list of rules, as in { ceiling: ["Read(src/**)"] }'),
  ceilingName: aText,
} satisfies Record<keyof DeriveOptions, Form>;

/** Throws a TypeError for invalid options of `derive`: a mistyped one would limit nothing. */
export function checkDeriveOptions(options: DeriveOptions): DeriveOptions {
  return checkedOptions("derive", options, deriveForms);
}

const delegateRequestForms = {
  task: {
    is: "a text that is not empty",
    fits: (value) => typeof value === "string" && value.trim() !== "",
    isRequired: true,
  },
  context: aText,
  expectedOutcome: aText,
} satisfies Record<keyof DelegateRequest, Form>;

const delegateForms = {
  model: aText,
  maxToolCalls: aCount,
  timeoutMs: aCount,
  autoConfirmDangerous: aFlag,
  sessionId: aText,
  signal: aSignal,
  onStepStart: aFunction,
  onStepComplete: aFunction,
  onStepSummary: aFunction,
  onTextChunk: aFunction,
  onProgress: aFunction,
  onError: aFunction,
} satisfies Record<keyof DelegateOptions, Form>;

export function checkDelegate(
  request: DelegateRequest,
  options: DelegateOptions,
): DelegateOptions & { readonly request: DelegateRequest } {
  const checked = checkedOptions("delegate", request, delegateRequestForms);
  return { ...checkedOptions("delegate", options, delegateForms), request: checked };
}

const callForms = {
  signal: aSignal,
  onProgress: aFunction,
  onOutput: aFunction,
  sessionId: aText,
  agentId: aText,
  runId: aText,
  parentAgentId: aText,
  depth: aDepth,
  turn: { is: "a number", fits: (value) => typeof value === "number" && !Number.isNaN(value) },
  inOrder: aFlag,
  trace: anObject,
  onAsk: aFunction,
  services,
} satisfies Record<keyof CallOptions, Form>;

const callAllForms = {
  ...callForms,
  onOutcome: aFunction,
} satisfies Record<keyof CallAllOptions, Form>;

export function checkCallAllOptions(options: CallAllOptions): CallAllOptions {
  return checkedOptions("callAll", options, callAllForms);
}

export function checkCallOptions(options: CallOptions): CallOptions {
  return checkedOptions("call", options, callForms);
}

const previewForms = {
  signal: aSignal,
  sessionId: aText,
  agentId: aText,
  services,
  approved: aFlag,
} satisfies Record<keyof PreviewCallOptions, Form>;

export function checkPreviewOptions(options: PreviewCallOptions): PreviewCallOptions {
  return checkedOptions("preview", options, previewForms);
}

/** Accepts any value: an invalid call gets an outcome of its own. */
const anything: Form = { is: "a call", fits: () => true };

/** Returns a copy of the calls of one turn. */
export function checkCalls(calls: readonly Call[]): readonly Call[] {
  const list = aListOf(anything, 'a list of calls, as in [{ name: "Read", input: {} }]');
  return checkedArgument("calls of callAll", calls, list);
}

const definitionForms = {
  mode: oneOf(modes),
  names: aListOf(aText, 'a list of names, as in { names: ["Read"] }'),
  variants: aFlag,
} satisfies Record<keyof DefinitionOptions, Form>;

const modelDefinitionForms = {
  ...definitionForms,
  all: aFlag,
  sessionId: aText,
  native: oneOf(["hosted", "client"]),
} satisfies Record<keyof ModelDefinitionOptions, Form>;

export function checkModelDefinitionOptions(
  options: ModelDefinitionOptions,
): ModelDefinitionOptions {
  return checkedOptions("definitions", options, modelDefinitionForms);
}

export function checkDefinitionOptions(
  what: string,
  options: DefinitionOptions,
): DefinitionOptions {
  return checkedOptions(what, options, definitionForms);
}

const aForce: Form = {
  is: "true, false or a list of paths",
  fits: (value) => typeof value === "boolean",
  items: aText,
};

const undoForms = {
  force: aForce,
  sessionId: aText,
  signal: aSignal,
  onAsk: aFunction,
} satisfies Record<keyof UndoAsking, Form>;

type UndoAsking = UndoOptions & Pick<CallOptions, "onAsk">;

export function checkUndoOptions(options: UndoAsking): UndoAsking {
  return checkedOptions("undo", options, undoForms);
}

export function checkRedoOptions(options: Pick<UndoOptions, "force">): Pick<UndoOptions, "force"> {
  return checkedOptions("redo", options, { force: aForce });
}

const targetForms = { last: aCount, call: aText, to: aText } as const;

/** Throws a TypeError for a target that names no calls, or two kinds: guessing could undo the wrong calls. */
export function checkUndoTarget(target: UndoTarget): UndoTarget {
  const fields = checkedOptions("undo", target, targetForms);
  if (Object.keys(fields).length === 1) return fields;
  throw argumentError("undo needs the calls to undo.", {
    hint: "Pass one of { last: 1 }, { call: id } and { to: id }.",
  });
}

const aCallId: Form = { ...aText, is: "the id of a call, a text as history() lists them" };

export function checkCallId(id: string): string {
  return checkedArgument("callId", id, aCallId);
}

const aSessionId: Form = { ...aText, is: "the id of a session, a text" };

/** Checks the session that a kit is limited to; a kit that is limited already has that of its parent only. */
export function checkSessionId(sessionId: string, within: string | undefined): string {
  checkedArgument("sessionId", sessionId, aSessionId);
  if (sessionId !== "" && (within === undefined || within === sessionId)) return sessionId;
  throw argumentError(
    sessionId === ""
      ? "sessionId must be the id of a session, a text that is not empty."
      : `This toolkit is for the session ${String(within)} only; use the one that it comes from.`,
  );
}

/** Checks the text that a method on deferred tools gets, and its session. */
export function checkToolText(what: string, text: string, sessionId: string | undefined): void {
  checkedArgument(what, text, aText);
  checkSession(sessionId);
}

export function checkSession(sessionId: string | undefined): void {
  if (sessionId !== undefined) checkedArgument("sessionId", sessionId, aSessionId);
}

export function checkGarbageOptions<T extends object>(options: T): T {
  return checkedOptions("storage.collect", options, { dryRun: aFlag });
}

const runConfinedForms = {
  onOutput: aFunction,
  signal: aSignal,
} satisfies Record<keyof RunConfinedOptions, Form>;

/** Checks and copies the program and its options. */
export function checkRunConfined(
  argv: readonly string[],
  options: RunConfinedOptions,
): { readonly argv: readonly string[]; readonly options: RunConfinedOptions } {
  const checked = checkedArgument("argv", argv, { ...texts, is: 'a list of texts, as in ["ls"]' });
  return { argv: checked, options: checkedOptions("runConfined", options, runConfinedForms) };
}

export function checkRunOptions(options: KitRunOptions): KitRunOptions {
  return checkedOptions("run", options, runForms satisfies Record<keyof KitRunOptions, Form>);
}

export function checkListener<T>(listener: T): T {
  return checkedArgument("listener", listener, aFunction);
}

const changeForms = {
  rule: { ...aText, isRequired: true },
  list: oneOf(["allow", "ask", "deny"]),
  scope: { ...oneOf(["user", "project", "local"]), isRequired: true },
} satisfies Record<keyof RuleChange, Form>;

const additionForms = {
  ...changeForms,
  match: texts,
  notMatch: texts,
} satisfies Record<keyof RuleAddition, Form>;

export function checkRuleAddition(what: string, addition: RuleAddition): RuleAddition {
  return checkedOptions(what, addition, additionForms);
}

export function checkRuleChange(change: RuleChange): RuleChange {
  return checkedOptions("permissions.remove", change, changeForms);
}

const aTaskId: Form = { ...aText, is: "the id of a task, a text as tasks.list() has them" };

export function checkTaskId(id: string): string {
  return checkedArgument("id", id, aTaskId);
}

const readTaskForms = {
  from: {
    is: "a whole number from 0",
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  maxBytes: aCount,
} satisfies Record<keyof ReadTaskOptions, Form>;

export function checkReadTask(options: ReadTaskOptions): ReadTaskOptions {
  return checkedOptions("tasks.read", options, readTaskForms);
}

const anEvent: Form = {
  is: "an event, an object with a text type",
  fits: (value) =>
    anObject.fits?.(value) === true && typeof Reflect.get(Object(value), "type") === "string",
};

export function checkEvent<T>(event: T): T {
  return checkedArgument("event", event, anEvent);
}

const mcpProviderForms = {
  id: { ...aText, isRequired: true },
  isEligible: { ...aFunction, isRequired: true },
  server: {
    is: "{ tools }, a server with a function connect, or a function that returns one",
    fits: (value) =>
      typeof value === "function" ||
      (anObject.fits?.(value) === true &&
        (Array.isArray(Reflect.get(Object(value), "tools")) ||
          typeof Reflect.get(Object(value), "connect") === "function")),
    isRequired: true,
  },
} satisfies Record<keyof McpProvider, Form>;

/** Throws a TypeError for a provider that cannot be one. */
export function checkMcpProvider(provider: McpProvider): McpProvider {
  const checked = checkedOptions("registerMcpProvider", provider, mcpProviderForms);
  if (checked.id.trim() === "") throw argumentError("id of registerMcpProvider must not be empty.");
  return checked;
}

/** Throws a TypeError for a kind that settings cannot name, or that needs no registration. */
export function checkMcpTransport<T extends { readonly kind: string; readonly open: unknown }>(
  given: T,
): T {
  const { kind } = checkedOptions("registerMcpTransport", given, mcpTransportForms);
  if (/^[\w.+-]{1,64}$/u.test(kind) && !["stdio", "http", "sse"].includes(kind)) return given;
  throw argumentError("kind of registerMcpTransport must be a new name of letters, digits and -.");
}

const mcpTransportForms = {
  kind: { ...aText, isRequired: true },
  open: { ...aFunction, isRequired: true },
} satisfies Record<string, Form>;
