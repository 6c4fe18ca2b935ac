import type {
  Answer,
  ArtefactRef,
  Call,
  CallOptions,
  ContentPart,
  Decision,
  DecisionRecord,
  Effect,
  Grant,
  HostFile,
  LeftByCall,
  Repair,
  Tool,
  ToolError,
  ToolResult,
  Trust,
  UndoRef,
} from "../core/index.ts";
import type { RegisteredTool } from "../registry/index.ts";
import type { ConfinementAccount } from "./environment.ts";
import { Stops } from "./run/abort-listeners.ts";
import type { TurnState } from "./run/turn-state.ts";

export const noEffects: readonly Effect[] = Object.freeze([]);
export const noRepairs: readonly Repair[] = Object.freeze([]);
export const noContent: readonly ContentPart[] = Object.freeze([]);

/** For a canonical path reached through a link, the absolute paths as they were named. */
export type RequestedPaths = ReadonlyMap<string, readonly string[]>;

/** The effects and the decision as readers of events and outcomes see them. */
export interface Told {
  /** What they were made of. */
  readonly of: Pick<CallState, "effects" | "decision" | "answeredBy">;
  readonly effects: readonly Effect[];
  readonly decision: DecisionRecord | undefined;
}

/**
 * Everything known about one call while it goes through the steps. One object of one shape, made once:
 * steps fill it in, nothing is copied from step to step.
 */
export class CallState {
  readonly id: string;
  /** The id, made unlike that of every other call under way: processes and before-images are kept by it. */
  key: string;
  readonly call: Call;
  /** Why it cannot even be read as a call. */
  readonly fault: ToolError | undefined;
  readonly options: CallOptions;
  readonly turn: TurnState;
  readonly startedAt: number;
  /** Told when the call is aborted. */
  readonly stops: Stops;

  registered: RegisteredTool | undefined = undefined;
  tool: Tool | undefined = undefined;
  /** What the model sent, then what it means, then what it was validated to. */
  input: unknown;
  /** The text `input` was parsed from, while it is still what the model sent. */
  text: string | undefined = undefined;
  repairs: readonly Repair[] = noRepairs;
  /** `input` is what the tool asks for. */
  isValid = false;
  /** The before-hooks have spoken about this input. */
  isHooked = false;
  effects: readonly Effect[] = noEffects;
  requested: RequestedPaths | undefined = undefined;
  /** What each path that was named led to when the effects were taken. */
  resolved: ReadonlyMap<string, string> | undefined = undefined;
  decision: Decision | undefined = undefined;
  grant: Grant | undefined = undefined;
  answeredBy: DecisionRecord["answeredBy"] = undefined;
  answer: Answer["kind"] | undefined = undefined;
  /** Kept while what it was made of is the same. */
  told: Told | undefined = undefined;
  undo: UndoRef | undefined = undefined;
  /** What it changed and cannot be taken back, in a sentence. */
  unkept: string | undefined = undefined;
  /** Makes the before-images safe, where that is left to whoever changes something. */
  flushImages: (() => Promise<unknown>) | undefined = undefined;
  /** The small files that were kept before the call, where all it changes goes through its host. */
  kept: Map<string, HostFile> | undefined = undefined;
  /** The hashes of all files that were kept, where it has `kept`. */
  keptHashes: Map<string, string> | undefined = undefined;
  /** What it made of files, where that is known. */
  left: LeftByCall | undefined = undefined;

  /** The tool was started, whatever came of it. */
  hasRun = false;
  result: ToolResult | undefined = undefined;
  error: ToolError | undefined = undefined;
  /** What the tool streamed, bounded; the answer of a call that never finished. */
  streamed = "";
  /** What was streamed first is no longer in it. */
  isStreamedCut = false;
  liveMetadata: Record<string, unknown> | undefined = undefined;
  undeclared: ToolError | undefined = undefined;
  /** How its programs ran. */
  confined: ConfinementAccount | undefined = undefined;

  content: readonly ContentPart[] = noContent;
  /** What the outcome carries for programs. */
  structured: unknown = undefined;
  isStructuredTaken = false;
  artefact: ArtefactRef | undefined = undefined;
  trust: Trust = "trusted";
  durationMs = 0;

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
