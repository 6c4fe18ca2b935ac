import type {
  Answer,
  ArtifactRef,
  CallOptions,
  Ask,
  CommandPreviewed,
  CommandPreviewRequest,
  Confinement,
  Effect,
  EndedProgram,
  Finding,
  Grant,
  Host,
  Limits,
  Mode,
  NewEvent,
  OnAsk,
  Outcome,
  ProcessSpec,
  SaveScope,
  Services,
  StagedChanges,
  ToolError,
  StagedHost,
  UndoRef,
  WriteEffect,
  WriteTransaction,
} from "../core/index.ts";
import type { NarrowOptions } from "../grant/index.ts";
import type { Compensations, DecodeOlder } from "../journal/index.ts";
import type { Boundary, Ceiling, LayerRule, RuleSet } from "../policy/index.ts";
import type { Registry } from "../registry/index.ts";

/** A call before it is judged. */
export interface BeforeHookInput {
  /** Name of the tool. */
  readonly tool: string;
  /** Validated input. */
  readonly input: unknown;
  /** Id of the call. */
  readonly callId: string;
  /** Session of the call. */
  readonly sessionId?: string;
  /** Agent of the call. */
  readonly agentId?: string;
  /** Run of the call. */
  readonly runId?: string;
  /** Fires when the call is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Answer of a hook before a call: another input, a block, or a verdict with its reason. A verdict "allow" answers the
 * question that an allow rule could have answered; it overrides no rule.
 */
export type BeforeHookAnswer =
  | { readonly input: unknown }
  | { readonly block: string }
  | HookVerdict
  | undefined;

/** Verdict of a hook on a call. */
export interface HookVerdict {
  /** `none` leaves the decision to the rules. */
  readonly verdict: "allow" | "ask" | "deny" | "none";
  /** Reason of the verdict, in a sentence. */
  readonly reason?: string;
  /** Replaces the input; it is judged like any other. */
  readonly input?: unknown;
  /** Text appended to the result of the call. */
  readonly context?: string;
  /** Added to the trail of the decision. */
  readonly trail?: readonly Finding[];
}

/** Function called before a call. One that throws or takes too long blocks the call. */
export interface BeforeHook {
  (input: BeforeHookInput): Promise<BeforeHookAnswer> | BeforeHookAnswer;
  /**
   * Milliseconds that it may take.
   *
   * @default 60_000
   */
  readonly timeoutMs?: number;
}

/** A call with its bounded result. */
export interface AfterHookInput {
  /** Name of the tool. */
  readonly tool: string;
  /** Input with which it ran. */
  readonly input: unknown;
  /** Result as the model would see it. */
  readonly outcome: Outcome;
  /** Id of the call. */
  readonly callId: string;
  /** Session of the call. */
  readonly sessionId?: string;
  /** Agent of the call. */
  readonly agentId?: string;
  /** Run of the call. */
  readonly runId?: string;
  /** Fires when the call is aborted. */
  readonly signal?: AbortSignal;
}

/** Changes that a hook makes to a result; what is left out stays. */
export interface AfterHookAnswer {
  /** Replaces what the model sees. */
  readonly content?: Outcome["content"] | string;
  /** Text appended to the content. */
  readonly context?: string;
}

/** Functions that see each call before and after it runs. */
export interface Hooks {
  /** May rewrite the input or block the call. A hook that throws blocks it. */
  readonly before?: readonly BeforeHook[];
  /** Asked before the user; undefined passes the question on. */
  readonly permission?: readonly ((ask: Ask) => Promise<Answer | undefined> | Answer | undefined)[];
  /** Called with the bounded result of every call; may replace it or add context. */
  readonly after?: readonly ((
    input: AfterHookInput,
  ) => Promise<AfterHookAnswer | undefined> | AfterHookAnswer | undefined)[];
}

/** How far a completed call can be undone. */
export interface SettledUndo extends UndoRef {
  /** Changes of the call that cannot be undone, in a sentence. */
  readonly note?: string;
  /** Paths that changed beyond the call's declared effects and were not captured. */
  readonly seen?: readonly string[];
}

/** Journals files before a call overwrites them. */
export interface Checkpoints {
  /** Returns why a call with these writes could not be undone completely; undefined where it could. */
  assess(writes: readonly WriteEffect[]): Promise<string | undefined>;
  /**
   * Returns why a call that starts programs could not be undone completely, whatever they change; undefined where it
   * could. Absent where only declared writes are captured.
   */
  assessPrograms?(): Promise<string | undefined>;
  /** Returns the trees in which no other mechanism records the changes of programs. */
  watched?(): Promise<readonly string[]>;
  before(
    callId: string,
    writes: readonly WriteEffect[],
    info: {
      readonly tool: string;
      readonly sessionId?: string;
      readonly agentId?: string;
      /** Trees that are compared before and after the call, because programs may change anything in them. */
      readonly watch?: readonly string[];
      /** The call makes all its changes through its host, so it gets a transaction for them. */
      readonly isTransaction?: boolean;
      /** Ends the wait for other processes that change the same paths. */
      readonly signal?: AbortSignal;
    },
  ): Promise<{ readonly undo: UndoRef; readonly transaction?: WriteTransaction | undefined }>;
  /** Returns how far the call can be undone; undefined where nothing is stored, because the call changed nothing. */
  after(callId: string): Promise<SettledUndo | undefined>;
  /** Returns a notice about undo itself for the next answer, once. */
  notice?(): string | undefined;
}

/** The part of an OpenTelemetry tracer that haft uses; tracers of `@opentelemetry/api` fit it. */
export interface Tracer {
  /** Starts a span; times are in milliseconds since the epoch. */
  startSpan(
    name: string,
    options: {
      readonly startTime: number;
      readonly attributes: Readonly<Record<string, string | number | boolean>>;
    },
  ): {
    setStatus(status: { readonly code: number; readonly message?: string }): unknown;
    end(endTime: number): void;
  };
}

/** Content seen in a session that could leak out of it. */
export interface Taint {
  untrustedSeen: boolean;
  privateRead: boolean;
  /** A secret in an answer was replaced by a placeholder, which must not be written to a file. */
  secretsHidden: boolean;
}

/** A permitted call that is about to start its first program. */
export interface ConfineRequest {
  /** Unique among the calls in progress. */
  readonly callId: string;
  readonly tool: string;
  readonly grant: Grant;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /** Ends waits for other processes; fires on abort, not on the call's timeout. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the user to approve the programs' changes before they are applied; resolves to a refusal, or to undefined. */
  readonly approve: (
    staged: StagedChanges,
    about?: ApprovalGrounds,
  ) => Promise<ApprovalRefused | undefined>;
}

/** Reasons why changes need approval. Default: all changes need it. */
export interface ApprovalGrounds {
  /** Changed protected paths that the call did not declare. */
  readonly planted?: readonly string[];
  /** Changed paths that an ask rule names and the call did not declare. */
  readonly ruled?: readonly string[];
  /** Changed files that a running program has locked, in a sentence. */
  readonly locked?: string;
  /** Changes that could not be undone, in a sentence. */
  readonly notUndoable?: string;
}

/** Why changes are dropped. */
export interface ApprovalRefused {
  /** Completes the sentence "It was dropped, because". */
  readonly because: string;
  readonly code: "APPROVAL_REQUIRED" | "DENIED_BY_USER" | "ABORTED";
  /** There is no user to ask. */
  readonly isAbsent?: true;
}

/** Confinement of the programs of one call. */
export interface CallConfinement {
  /** Called before each start; undefined for a program that runs unconfined. */
  readonly confinement: (program: Pick<ProcessSpec, "live">) => Promise<Confinement | undefined>;
  /** Called once, when the tool has returned; some programs may still run. Must not reject for what they did. */
  readonly close: (ended: readonly EndedProgram[]) => Promise<ConfinementAccount>;
}

/** Report on how the programs of a call ran. */
export interface ConfinementAccount {
  /** Sentences appended to the answer that the model reads. */
  readonly notes: readonly string[];
  /** Merged into the outcome's metadata; takes precedence over the tool's own. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** How far the programs' changes can be undone; absent where none were captured. */
  readonly undo?: UndoRef;
  /** Set where changes were lost or not applied to the real tree, so the call failed. */
  readonly failure?: ToolError;
}

/** Record of what is about to happen in a run that is stored. */
export interface CallRecordRequest {
  readonly sessionId: string;
  readonly callId: string;
  /** `intent`: the call is about to run; `answer`: the user answered a question about it. */
  readonly kind: "intent" | "answer";
  /** Flush it to the disk: the effects cannot be found again by looking at the workspace. */
  readonly isDurable: boolean;
  readonly body: unknown;
}

/** Dependencies of the steps on their kit. Read at each call, so a change takes effect with the next call. */
export interface PipelineEnvironment {
  readonly registry: Registry;
  readonly host: Host;
  readonly workspace: string;
  readonly cwd: string;
  /** Creates a host that stores its changes separately; absent where that is not possible. */
  readonly stage?: () => Promise<StagedHost>;
  /** Returns the services for tools in this session. */
  services(sessionId: string | undefined): Services;
  readonly hooks: Hooks;
  readonly onAsk: OnAsk | undefined;
  readonly checkpoints: Checkpoints | undefined;
  /** Records calls that their own tools can undo; absent where nothing is stored. */
  readonly compensations?: Pick<Compensations, "keep">;
  /**
   * Called when a call starts its first program, so that other calls have no cost. Rejects where programs may not be
   * started for the call.
   */
  readonly confine?: ((request: ConfineRequest) => Promise<CallConfinement>) | undefined;
  /**
   * Stores a record about a call of a stored run; undefined where none is stored. The call does not start, and an answer
   * has no effect, before it resolves.
   */
  readonly recordCall?: ((record: CallRecordRequest) => Promise<void> | undefined) | undefined;
  /** Decodes texts in legacy encodings for the diffs of a preview. */
  readonly decodeOlder?: DecodeOlder;
  /** Confinement for the program that a search of a tree or file may start. */
  readonly confineSearch?: NarrowOptions["confineSearch"];
  /** Runs a command as a dry run, confined to the call's grant. UNAVAILABLE where that is not possible. */
  readonly tryCommand?:
    | ((
        request: CommandPreviewRequest,
        call: { readonly grant: Grant; readonly agentId: string | undefined },
      ) => Promise<CommandPreviewed>)
    | undefined;
  readonly tracer: Tracer | undefined;
  /** Maximum characters of an answer. Default 50,000; a tool may set its own. */
  readonly maxChars: number;
  /** Maximum characters by tool name; takes precedence over the tool's own limit. */
  readonly shownChars: ReadonlyMap<string, number>;
  readonly answerLimits: Limits["answer"];
  readonly redactSecrets: boolean;
  rules(): RuleSet;
  mode(): Mode;
  boundary(): Boundary;
  /** Called when a tool suggests an invalid rule or fails to suggest one. */
  readonly onBadSuggestion?: (tool: string, why: string) => void;
  /** Everyday effects allowed without a rule. Default: the built-in layer. */
  readonly builtIn: readonly LayerRule[] | undefined;
  /** Outermost first. */
  readonly ceilings: readonly Ceiling[] | undefined;
  /** Returns the ceilings that apply to a call for a time, such as those of a skill that is used. */
  readonly activeCeilings?: ((options: CallOptions) => readonly Ceiling[]) | undefined;
  readonly trusted: boolean;
  taint(sessionId: string | undefined): Taint;
  /**
   * Applies the rule from now on and stores it in the settings of its scope. If storing fails, the rule does not apply,
   * and the reason is returned. Throws if the rule is invalid.
   */
  saveRule(rule: string, scope: SaveScope): Promise<string | undefined>;
  /** Stores the full text of an answer that is shown in part. */
  keepArtifact(callId: string, text: string): Promise<ArtifactRef | undefined>;
  /** Returns the artifact that the tool itself wrote while it ran. */
  artifactOf(callId: string): ArtifactRef | undefined;
  emit(event: NewEvent): void;
  now(): number;
  newId(prefix: string): string;
  /** Ensures that the user is asked one question at a time. */
  readonly askQueue: AskQueue;
  readonly streaks: FailureStreaks;
  /** Keys of the calls in progress, including those of kits that share the host and the journal. */
  readonly underWay: Set<string>;
  /** Number of refusals by tool and input, so that the user sees that a request is repeated. */
  readonly refusals: Map<string, number>;
  /** Whether a read or a program stays inside the workspace as far as is known; content from outside is untrusted. */
  isInside(effect: Effect): boolean;
}

/** Runs one question at a time, in the order of arrival. */
export class AskQueue {
  #tail: Promise<void> = Promise.resolve();

  async run<T>(ask: () => Promise<T>): Promise<T> {
    const before = this.#tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#tail = promise;
    await before;
    try {
      return await ask();
    } finally {
      resolve();
    }
  }
}

/** Counts identical failures in a row, per tool. */
export class FailureStreaks {
  readonly #last = new Map<string, { readonly key: string; readonly count: number }>();

  /** Records a failure and returns how often in a row this tool has failed in exactly this way. */
  failed(tool: string, key: string): number {
    const last = this.#last.get(tool);
    const count = last?.key === key ? last.count + 1 : 1;
    this.#last.set(tool, { key, count });
    return count;
  }

  succeeded(tool: string): void {
    if (this.#last.size > 0) this.#last.delete(tool);
  }
}
