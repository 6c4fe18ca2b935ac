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
  /** Calls the listener for every event from now on; the returned function unsubscribes it. */
  subscribe(listener: (event: HaftEvent) => void): () => void;
  /** Emits an event, numbered and dated by the kit. */
  emit(event: NewEvent): void;
  /** Background work of runs. Absent where calls leave nothing running. */
  readonly work?: RunWork;
  /** Current time of the host's clock, in milliseconds since the epoch. */
  now(): number;
  /** Returns a new id with this prefix, unique within the kit. */
  newId(prefix: string): string;
}
