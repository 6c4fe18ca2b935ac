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
export interface PublicRecord {
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

/** A call as it was sent; never changes. */
export interface Request {
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

/**
 * Everything known about one call while it passes through the steps. One object of one shape, created once: steps fill
 * it in, and nothing is copied from step to step. No step sees it as a whole: `Step` shows each the request, what
 * earlier steps provided, and the fields that it sets itself.
 */
export class CallState implements Request {
  readonly id: string;
  readonly key: string;
  readonly call: Call;
  readonly fault: ToolError | undefined;
  readonly options: CallOptions;
  readonly turn: TurnState;
  readonly startedAt: number;
  readonly stops: Stops;

  registered: RegisteredTool | undefined = undefined;
  tool: Tool | undefined = undefined;
  /** First the raw input, then the parsed one, then the validated one. */
  input: unknown;
  /** Text from which `input` was parsed, as long as it is what the model sent. */
  text: string | undefined = undefined;
  repairs: readonly Repair[] = noRepairs;
  /** `input` fits the tool's schema. */
  isValid = false;
  /** The before-hooks have run for this input. */
  hooksRan = false;
  /** Answers of the hooks before the call. */
  hooked: HookedState = notHooked;

  effects: readonly Effect[] = noEffects;
  requested: RequestedPaths | undefined = undefined;
  /** Written paths that git would run or obey, which are protected for this call. */
  gitParts: readonly string[] | undefined = undefined;
  /** Canonical path of each requested path, as resolved when the effects were listed. */
  resolved: ReadonlyMap<string, string> | undefined = undefined;
  decision: Decision | undefined = undefined;
  grant: Grant | undefined = undefined;
  answeredBy: DecisionRecord["answeredBy"] = undefined;
  answer: Answer["kind"] | undefined = undefined;

  /** Record of the undo; complete when the call has ended. */
  undo: UndoRef | undefined = undefined;
  /** Changes of the call that cannot be undone, in a sentence. */
  unkept: string | undefined = undefined;
  /** Set where the call makes all its changes through its host. */
  transaction: WriteTransaction | undefined = undefined;

  /** State before the edit; undefined where nothing checks it. */
  begunEdit: BegunEdit | undefined = undefined;

  /** The tool was started, whatever its result. */
  hasRun = false;
  result: ToolResult | undefined = undefined;
  error: ToolError | undefined = undefined;
  /** Bounded end of the streamed output; the answer of a call that never finished. */
  streamed = "";
  /** The start of the streamed output was dropped. */
  isStreamedCut = false;
  liveMetadata: Record<string, unknown> | undefined = undefined;
  undeclared: ToolError | undefined = undefined;
  /** Report on the call's programs. */
  confined: ConfinementAccount | undefined = undefined;

  content: readonly ContentPart[] = noContent;
  /** `structuredContent` of the outcome, for programs. */
  structured: unknown = undefined;
  isStructuredTaken = false;
  artifact: ArtifactRef | undefined = undefined;
  trust: Trust = "trusted";
  durationMs = 0;
  /** Cached public record, valid while the state it was derived from is unchanged. */
  told: PublicRecord | undefined = undefined;

  constructor(fields: {
    readonly id: string;
    readonly key: string;
    readonly call: Call;
    readonly fault?: ToolError | undefined;
    readonly options: CallOptions;
    readonly turn: TurnState;
    readonly startedAt: number;
  }) {
    this.id = fields.id;
    this.key = fields.key;
    this.call = fields.call;
    this.fault = fields.fault;
    this.options = fields.options;
    this.turn = fields.turn;
    this.startedAt = fields.startedAt;
    this.stops = new Stops(fields.options.signal);
    this.input = fields.call.input;
  }
}
