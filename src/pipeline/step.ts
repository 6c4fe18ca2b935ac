import type { CallState, Request } from "./call-state.ts";
import type { PipelineEnvironment } from "./environment/environment.ts";

/** Where a step sends the call: on (undefined), or back, because the input or the world has changed. */
export type Next = "validate" | "effects" | undefined;

/** Facts about a call that steps need and provide, in order, each with the fields that hold it. */
export interface Facts {
  /** The tool is found and loaded. */
  tool: "tool" | "registered";
  /** The input is a value, no text. */
  parsed: "input" | "text" | "repairs";
  /** The input fits the schema of the tool. */
  valid: "input" | "repairs" | "isValid";
  /** The hooks have seen the input as it will run. */
  hooked: "input" | "hooked";
  /** The effects of the input are listed, and their paths canonical. */
  effects: "effects" | "requested" | "gitParts" | "resolved";
  /** The input writes no placeholder of a secret. */
  unmarked: never;
  /** The rules have decided. */
  decision: "decision";
  /** The rules or the user allow the call. */
  approval: "grant";
  /** The before-images of its writes are journaled. */
  checkpoint: "undo" | "transaction";
  /** The log of its run says that it is about to run. */
  intent: never;
  /** The checks know the state before the edit. */
  beforeEdit: "begunEdit";
  /** The tool has answered. */
  result: "result";
  /** The call has ended, whether it ran or not: any field may be set. */
  ended: keyof CallState;
  /** The content is bounded, as the model sees it. */
  content: "content";
}

export type Fact = keyof Facts;

/** Fields that hold a value for certain once their fact is known; all others may be undefined even then. */
type Certain = "tool" | "registered" | "decision" | "grant";

/** Fields that are known with these facts, to read. */
export type FieldsOf<Known extends Fact> = "ended" extends Known
  ? Finished
  : {
      readonly [Field in Facts[Known]]: Field extends Certain
        ? Exclude<CallState[Field], undefined>
        : CallState[Field];
    };

/** The call as a step sees it: the request, the fields that it sets, and what it needs of earlier steps. */
export type StateOf<Sets extends keyof CallState, Needs extends Fact = never> = Request &
  Pick<CallState, Sets> &
  FieldsOf<Needs>;

/** A call whose tool is found. */
export type Resolved = CallState & FieldsOf<"tool">;
/** A call that is understood: its tool is found, its input is as it will run, and what it touches is known. */
export type Understood = Request & FieldsOf<"tool" | "valid" | "hooked" | "effects">;
/** A call that is understood, with the decision and the grant as far as there are any. */
export type Foreseen = Understood & Readonly<Pick<CallState, "decision" | "grant">>;
/** A call about which the rules have decided. */
export type Judged = Understood & FieldsOf<"decision">;
/** A call that the rules or the user allow. */
export type Granted = Judged & FieldsOf<"approval">;
/** Every call ends as this, a refused one too: any field of a step may be unset. */
export type Finished = Readonly<CallState>;

/** The call outside the sequence of steps, once `resolve` has found its tool. */
export function resolved(state: CallState): Resolved {
  if (isResolved(state)) return state;
  throw new TypeError("The call has no tool yet.");
}

/** The call outside the sequence of steps, once the rules allow it or ask about it. */
export function judged(state: Resolved): Resolved & Granted {
  if (isJudged(state)) return state;
  throw new TypeError("The rules have not decided yet, or they deny the call.");
}

function isResolved(state: CallState): state is Resolved {
  return state.tool !== undefined && state.registered !== undefined;
}

function isJudged(state: Resolved): state is Resolved & Granted {
  return state.decision !== undefined && state.grant !== undefined;
}

/** Facts that a step can provide, because it may set their fields. */
type ProvidedBy<Sets> = {
  [F in Fact]: Facts[F] extends Sets ? F : never;
}[Fact];

/**
 * One step of a call: `Sets` are the fields that it fills in. It returns nothing, returns where to go back to, or throws
 * a ToolError. Only a step that has something to wait for returns a promise; the others cost no tick.
 */
export interface Step<
  Sets extends keyof CallState,
  Needs extends Fact = never,
  Gives extends ProvidedBy<Sets> = never,
> {
  (state: StateOf<Sets, Needs>, environment: PipelineEnvironment): Next | Promise<Next>;
  /** Facts that it needs; only for the compiler. */
  readonly needs?: Needs;
  /** Facts that it provides; only for the compiler. */
  readonly gives?: Gives;
}

/** A step in a sequence, which has checked that it finds what it needs. Declared as a method, so that any step fits. */
export type PlacedStep = {
  step(state: Request, environment: PipelineEnvironment): Next | Promise<Next>;
}["step"];

/** Steps in an order in which each finds what it needs. */
export interface Sequence<Known extends Fact> {
  readonly steps: readonly PlacedStep[];
  /** Adds a step; does not compile if it needs a fact that no earlier step provides. */
  next<Gives extends Fact = never>(
    step: PlacedStep & { readonly needs?: Known; readonly gives?: Gives },
  ): Sequence<Known | Gives>;
}

/** An empty sequence, for a call about which these facts count as known. */
export function sequence<Known extends Fact = never>(
  steps: readonly PlacedStep[] = [],
): Sequence<Known> {
  return {
    steps,
    next: (step) => sequence([...steps, step]),
  };
}
