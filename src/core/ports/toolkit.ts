import type { Decision, Mode } from "../call/decisions.ts";
import type { Effect } from "../call/effects.ts";
import type { HaftEvent, NewEvent } from "../call/events.ts";
import type { Call, CallAllOptions, CallOptions, Outcome, Repair } from "../call/outcome.ts";
import type { ErrorInfo } from "../call/errors.ts";
import type { RunWork } from "./tasks/jobs.ts";
import type { DefinitionFormat } from "../tool/provider-formats.ts";
import type { ToolListing } from "../tool/tool.ts";

/** Selection of tools for definitions and listings. */
export interface DefinitionOptions {
  /** Mode whose callable tools are offered. Default: the kit's mode. */
  readonly mode?: Mode;
  /** Names of the tools to include. Default: all that are offered. */
  readonly names?: readonly string[];
  /** Include tools in definitions that are alternative forms of another tool. Default: only those in `names`. */
  readonly variants?: boolean;
}

/** Options for the definitions that a model gets. */
export interface ModelDefinitionOptions extends DefinitionOptions {
  /** Include deferred tools. Default: only those that the model sees now. */
  readonly all?: boolean;
  /** Session whose activated tools are included. Default: those of calls without a session. */
  readonly sessionId?: string | undefined;
  /**
   * Include deferred tools, marked with `defer_loading` in the formats `anthropic` and `openai-responses`: the provider
   * keeps them from the model until they are found. `hosted`: a search tool of the provider finds them, which you add to
   * the list; ToolSearch is left out. `client`: ToolSearch finds them. Default: they are left out.
   */
  readonly native?: "hosted" | "client" | undefined;
}

/**
 * Tools in a provider's format, sorted by name and byte-stable. Frozen, although the type says otherwise: provider SDKs
 * accept only types that can change.
 */
export interface Definitions<T = Readonly<Record<string, unknown>>> {
  /** One definition a tool, in the provider's format. */
  readonly tools: T[];
  /** Schema keywords that the provider does not support and that were left out. */
  readonly dropped: readonly DroppedDefinitionPart[];
  /**
   * Names that the provider does not accept and that were replaced. Calls and inputs with the new names are accepted as
   * they are.
   */
  readonly renamed: readonly RenamedDefinitionPart[];
  /** Tools that the provider keeps from the model until they are found; absent where there are none. */
  readonly deferred?: readonly DeferredDefinition[];
}

/** Tool that a provider keeps from a model until it is found. */
export interface DeferredDefinition {
  /** Name of the tool. */
  readonly tool: string;
  /** Name in the definition. */
  readonly name: string;
}

/** Keyword of a schema that a definition lacks. */
export interface DroppedDefinitionPart {
  /** Name of the tool. */
  readonly tool: string;
  /** JSON pointer into its schema; "" for the top. */
  readonly path: string;
  /** The keyword; `unavailable` for a tool that could not be loaded. */
  readonly keyword: string;
}

/** Name that differs in a definition. */
export interface RenamedDefinitionPart {
  /** Name of the tool. */
  readonly tool: string;
  /** JSON pointer to the property in its schema; "" for the tool itself. */
  readonly path: string;
  /** Name in the definition. */
  readonly name: string;
}

/** Interpretation of a call that is not run. */
export interface Explanation {
  /** Name of the tool; absent if there is none of this name. */
  readonly tool?: string;
  /** Input with which the call would run, repaired and with defaults. */
  readonly input?: unknown;
  /** Repairs of the input. */
  readonly repairs: readonly Repair[];
  /** Everything the call would touch. */
  readonly effects: readonly Effect[];
  /** Decision of the rules. */
  readonly decision?: Decision;
  /** Reason why the call could not be judged. */
  readonly error?: ErrorInfo;
}

/**
 * Effect of a call that was interrupted: it took effect, it did not, that cannot be known, or the call changes nothing
 * and may simply run again.
 */
export type Reconciliation = "done" | "not-done" | "unknown" | "repeatable";

/** Events of a toolkit. */
export interface ToolkitEvents {
  /**
   * Calls the listener for every event from now on; the returned function unsubscribes it. Throws a TypeError if it is
   * not a function.
   *
   * @example
   * const stop = kit.events.subscribe((event) => console.log(event.seq, event.type));
   */
  subscribe(listener: (event: HaftEvent) => void): () => void;
  /** Emits an event, numbered and dated by the kit. Throws a TypeError if it is not an event. */
  emit(event: NewEvent): void;
}

/** A toolkit whose events can be listened to. */
export interface ObservableToolkit {
  /** Its events. */
  readonly events: Pick<ToolkitEvents, "subscribe">;
}

/** Deferral as runs need it. */
export interface ToolkitDeferral {
  /**
   * Chooses how a model calls the tools that it finds in a session, before it gets the definitions there: they join its
   * list, or the list stays the same and they are called through `tool_call`, or its provider has all of them and shows
   * those that were found.
   */
  chooseCalls(
    model: {
      /** Whether its provider keeps tools that are marked as deferred from it until a result loads them. Default: no. */
      readonly defersTools?: boolean;
      /** Whether its provider caches the beginning of requests, so that a changed list costs more. Default: no. */
      readonly cachesPrompts?: boolean;
    },
    sessionId?: string,
  ): Promise<"growing" | "envelope" | "native">;
  /**
   * Estimate of the tokens that each request of a session is shorter by, because it lacks deferred tools: one for four
   * characters of their definitions.
   */
  tokensSaved(sessionId?: string): number;
}

/** The part of a kit that the agent loop, the MCP server and adapters use. */
export interface Toolkit {
  /** Takes one call through every step. A failing call never rejects; its outcome says why it failed. */
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  /** Runs the calls of one turn: conflicting ones in order, the rest concurrently. Outcomes are in call order. */
  callAll(calls: readonly Call[], options?: CallAllOptions): Promise<readonly Outcome[]>;
  /** Returns the effects of a call and the decision about it. Nothing runs, and the user is not asked. */
  explain(call: Call): Promise<Explanation>;
  /** Finds out whether an interrupted call took effect; runs nothing. Absent where that is never known. */
  reconcile?(call: Call, options?: CallOptions): Promise<Reconciliation>;
  /** Returns the tools in a provider's format. */
  definitions(format: DefinitionFormat, options?: ModelDefinitionOptions): Promise<Definitions>;
  /** Returns the tools offered now, sorted by name; loads no tool. */
  listings(options?: DefinitionOptions): readonly ToolListing[];
  /** Tools that a model does not see until it needs them. Absent where none are deferred. */
  readonly deferral?: ToolkitDeferral;
  /** Events of its calls, and of the runs and adapters that use it. */
  readonly events: ToolkitEvents;
  /** Background work of runs. Absent where calls leave nothing running. */
  readonly work?: RunWork;
  /** Current time of the host's clock, in milliseconds since the epoch. */
  now(): number;
  /** Returns a new id with this prefix, unique within the kit. */
  newId(prefix: string): string;
}
