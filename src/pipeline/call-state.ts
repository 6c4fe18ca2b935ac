import type {
  Answer,
  ArtifactRef,
  BegunEdit,
  Call,
  CallOptions,
  ContentPart,
  Decision,
  DecisionRecord,
  Effect,
  Finding,
  Grant,
  Repair,
  Tool,
  ToolError,
  ToolResult,
  Trust,
  UndoRef,
  WriteTransaction,
} from "../core/index.ts";
import type { RegisteredTool } from "../registry/index.ts";
import type { ConfinementAccount } from "./environment/confinement.ts";
import { Stops } from "./run/abort-listeners.ts";
import type { TurnState } from "./run/turn-state.ts";

export const noEffects: readonly Effect[] = Object.freeze([]);
export const noRepairs: readonly Repair[] = Object.freeze([]);
export const noContent: readonly ContentPart[] = Object.freeze([]);

/** For each canonical path reached via a link, the absolute paths as they were requested. */
export type RequestedPaths = ReadonlyMap<string, readonly string[]>;

/** The effects and the decision as published in events and outcomes. */
export interface Told {
  /** State from which they were derived. */
  readonly of: Pick<CallState, "effects" | "decision" | "answeredBy">;
  readonly effects: readonly Effect[];
  readonly decision: DecisionRecord | undefined;
}

/** Answers of the hooks before a call, combined. */
export interface HookedState {
  /** Reason for which a hook allows the call where a rule could. */
  readonly allows?: string;
  /** Reason for which a hook wants the user to be asked. */
  readonly asks?: string;
  /** Texts for the model. */
  readonly contexts: readonly string[];
  readonly trail: readonly Finding[];
}

export const notHooked: HookedState = Object.freeze({ contexts: [], trail: [] });

/** A call as it was sent. */
export interface SentCall {
  readonly id: string;
  /** The id, made unique among the calls in progress: processes and before-images are stored under it. */
  readonly key: string;
  readonly call: Call;
  /** Why the call could not be parsed at all. */
  readonly fault: ToolError | undefined;
  readonly options: CallOptions;
  readonly turn: TurnState;
  readonly startedAt: number;
  /** Notified when the call is aborted. */
  readonly stops: Stops;
}

/** Fields set by resolve, parse, validate and before-hooks. */
export interface UnderstoodCall {
  registered: RegisteredTool | undefined;
  tool: Tool | undefined;
  /** First the raw input, then the parsed one, then the validated one. */
  input: unknown;
  /** Text from which `input` was parsed, as long as it is what the model sent. */
  text: string | undefined;
  repairs: readonly Repair[];
  /** `input` fits the tool's schema. */
  isValid: boolean;
  /** The before-hooks have run for this input. */
  isHooked: boolean;
  /** Answers of the hooks before the call. */
  hooked: HookedState;
}

/** Fields set by effects, decide and permit. */
export interface JudgedCall {
  effects: readonly Effect[];
  requested: RequestedPaths | undefined;
  /** Written paths that git would run or obey, which are protected for this call. */
  gitParts: readonly string[] | undefined;
  /** Canonical path of each requested path, as resolved when the effects were listed. */
  resolved: ReadonlyMap<string, string> | undefined;
  decision: Decision | undefined;
  grant: Grant | undefined;
  answeredBy: DecisionRecord["answeredBy"];
  answer: Answer["kind"] | undefined;
}

/** Fields set by checkpoint, and completed when the call has ended. */
export interface JournaledCall {
  undo: UndoRef | undefined;
  /** Changes of the call that cannot be undone, in a sentence. */
  unkept: string | undefined;
  /** Set where the call makes all its changes through its host. */
  transaction: WriteTransaction | undefined;
}

/** Fields set by the check before an edit. */
export interface CheckedCall {
  /** State before the edit; undefined where nothing checks it. */
  begunEdit: BegunEdit | undefined;
}

/** Fields set by run. */
export interface RanCall {
  /** The tool was started, whatever its result. */
  hasRun: boolean;
  result: ToolResult | undefined;
  error: ToolError | undefined;
  /** Bounded end of the streamed output; the answer of a call that never finished. */
  streamed: string;
  /** The start of the streamed output was dropped. */
  isStreamedCut: boolean;
  liveMetadata: Record<string, unknown> | undefined;
  undeclared: ToolError | undefined;
  /** Report on the call's programs. */
  confined: ConfinementAccount | undefined;
}

/** Fields set by bound and record. */
export interface AnsweredCall {
  content: readonly ContentPart[];
  /** `structuredContent` of the outcome, for programs. */
  structured: unknown;
  isStructuredTaken: boolean;
  artifact: ArtifactRef | undefined;
  trust: Trust;
  durationMs: number;
  /** Cached public record, valid while the state it was derived from is unchanged. */
  told: Told | undefined;
}

/** State as a step sees it, which may set the fields of its own stage and read all others. */
export type StateOf<Own> = Own & Readonly<Omit<CallState, keyof Own>>;

/**
 * Everything known about one call while it passes through the steps. One object of one shape, created once:
 * steps fill it in, and nothing is copied from step to step.
 */
export class CallState
  implements
    SentCall,
    UnderstoodCall,
    JudgedCall,
    JournaledCall,
    CheckedCall,
    RanCall,
    AnsweredCall
{
  readonly id: string;
  key: string;
  readonly call: Call;
  readonly fault: ToolError | undefined;
  readonly options: CallOptions;
  readonly turn: TurnState;
  readonly startedAt: number;
  readonly stops: Stops;

  registered: RegisteredTool | undefined = undefined;
  tool: Tool | undefined = undefined;
  input: unknown;
  text: string | undefined = undefined;
  repairs: readonly Repair[] = noRepairs;
  isValid = false;
  isHooked = false;
  hooked: HookedState = notHooked;

  effects: readonly Effect[] = noEffects;
  requested: RequestedPaths | undefined = undefined;
  gitParts: readonly string[] | undefined = undefined;
  resolved: ReadonlyMap<string, string> | undefined = undefined;
  decision: Decision | undefined = undefined;
  grant: Grant | undefined = undefined;
  answeredBy: DecisionRecord["answeredBy"] = undefined;
  answer: Answer["kind"] | undefined = undefined;

  undo: UndoRef | undefined = undefined;
  unkept: string | undefined = undefined;
  transaction: WriteTransaction | undefined = undefined;

  begunEdit: BegunEdit | undefined = undefined;

  hasRun = false;
  result: ToolResult | undefined = undefined;
  error: ToolError | undefined = undefined;
  streamed = "";
  isStreamedCut = false;
  liveMetadata: Record<string, unknown> | undefined = undefined;
  undeclared: ToolError | undefined = undefined;
  confined: ConfinementAccount | undefined = undefined;

  content: readonly ContentPart[] = noContent;
  structured: unknown = undefined;
  isStructuredTaken = false;
  artifact: ArtifactRef | undefined = undefined;
  trust: Trust = "trusted";
  durationMs = 0;
  told: Told | undefined = undefined;

  constructor(fields: {
    readonly id: string;
    readonly call: Call;
    readonly fault?: ToolError | undefined;
    readonly options: CallOptions;
    readonly turn: TurnState;
    readonly startedAt: number;
  }) {
    this.id = fields.id;
    this.key = fields.id;
    this.call = fields.call;
    this.fault = fields.fault;
    this.options = fields.options;
    this.turn = fields.turn;
    this.startedAt = fields.startedAt;
    this.stops = new Stops(fields.options.signal);
    this.input = fields.call.input;
  }
}

/** The tool of a call that has passed `resolve`. */
export function toolOf(state: CallState): Tool {
  if (state.tool === undefined) throw new TypeError("This step runs after resolve.");
  return state.tool;
}
