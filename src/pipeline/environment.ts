import type {
  Answer,
  ArtefactRef,
  Ask,
  CommandPreviewed,
  CommandPreviewRequest,
  Confinement,
  Effect,
  EndedProgram,
  Grant,
  Host,
  HostFile,
  LeftByCall,
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
} from "../core/index.ts";
import type { NarrowOptions } from "../grant/index.ts";
import type { Compensations, DecodeOlder } from "../journal/index.ts";
import type { Boundary, Ceiling, LayerRule, RuleSet } from "../policy/index.ts";
import type { Registry } from "../registry/index.ts";

export interface BeforeHookInput {
  readonly tool: string;
  readonly input: unknown;
  readonly callId: string;
}

export type BeforeHookAnswer = { readonly input: unknown } | { readonly block: string } | undefined;

export interface AfterHookInput {
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: Outcome;
}

export interface AfterHookAnswer {
  /** Replaces what the model sees. */
  readonly content?: Outcome["content"] | string;
  /** Added after it. */
  readonly context?: string;
}

export interface Hooks {
  /** May rewrite the input or block the call. A hook that throws blocks it. */
  readonly before?: readonly ((
    input: BeforeHookInput,
  ) => Promise<BeforeHookAnswer> | BeforeHookAnswer)[];
  /** Asked before a person is; undefined passes the question on. */
  readonly permission?: readonly ((ask: Ask) => Promise<Answer | undefined> | Answer | undefined)[];
  readonly after?: readonly ((
    input: AfterHookInput,
  ) => Promise<AfterHookAnswer | undefined> | AfterHookAnswer | undefined)[];
}

/** What is left of a call to take back. */
export interface SettledUndo extends UndoRef {
  /** What it changed and cannot be taken back, in a sentence. */
  readonly note?: string;
  /** Paths that were seen to change beyond what it declares, where nothing kept them. */
  readonly seen?: readonly string[];
}

/** Journals what a call is about to overwrite. */
export interface Checkpoints {
  /** Why a call with these writes could not be taken back whole; undefined where it could. */
  assess(writes: readonly WriteEffect[]): Promise<string | undefined>;
  /**
   * Why a call that starts programs could not be taken back whole, whatever they do; undefined where it could. Left out:
   * only declared writes are kept.
   */
  assessPrograms?(): Promise<string | undefined>;
  /** Trees in which nobody else takes down what programs change. */
  watched?(): Promise<readonly string[]>;
  before(
    callId: string,
    writes: readonly WriteEffect[],
    info: {
      readonly tool: string;
      readonly sessionId?: string;
      readonly agentId?: string;
      /** Trees that are looked over before and after, because programs may change anything in them. */
      readonly watch?: readonly string[];
      /**
       * Where given, it may come back before what is kept is safe: it has then told here what makes it so, to be called
       * before anything is changed.
       */
      readonly flushLater?: (flush: () => Promise<unknown>) => void;
      /** Told of each file whose content is kept, as it was. */
      readonly onKept?: (file: HostFile) => void;
      /** Ends the wait for other programs that change the same paths. */
      readonly signal?: AbortSignal;
    },
  ): Promise<UndoRef>;
  /**
   * How far the call can be taken back; undefined where nothing of it is kept, because it changed nothing. `left` is
   * what its one change came to, where that is known.
   */
  after(callId: string, left: LeftByCall | undefined): Promise<SettledUndo | undefined>;
  /** What the next answer is to say of undo itself, once. */
  notice?(): string | undefined;
}

/** The part of an OpenTelemetry tracer that is used; `@opentelemetry/api` fits it. */
export interface Tracer {
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

/** What has been seen in a session that could be carried out of it. */
export interface Taint {
  untrustedSeen: boolean;
  privateRead: boolean;
  /** Something in an answer was replaced by a mark, which must not be written back. */
  secretsHidden: boolean;
}

/** A call that is permitted and about to start its first program. */
export interface ConfineRequest {
  /** Unlike that of every other call under way. */
  readonly callId: string;
  readonly tool: string;
  readonly grant: Grant;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /** Ends what waits for other programs; one whose time is over still waits. */
  readonly signal?: AbortSignal | undefined;
  /** Shows a person what the call's programs changed where it does not count yet; resolves to a no, undefined for a yes. */
  readonly approve: (
    staged: StagedChanges,
    about?: ApprovalGrounds,
  ) => Promise<ApprovalRefused | undefined>;
}

/** Why changes are shown to a person. Left out: because all are. */
export interface ApprovalGrounds {
  /** Protected paths among them that the call did not name. */
  readonly planted?: readonly string[];
  /** Paths among them that an ask rule names and the call did not. */
  readonly ruled?: readonly string[];
  /** Files among them that a running program has locked, in a sentence. */
  readonly locked?: string;
  /** What of it could not be taken back, in a sentence. */
  readonly notUndoable?: string;
}

/** Why changes are not kept. */
export interface ApprovalRefused {
  /** Ends the sentence "It was dropped, because". */
  readonly because: string;
  readonly code: "APPROVAL_REQUIRED" | "DENIED_BY_USER" | "ABORTED";
  /** Nobody is here who could be asked. */
  readonly isAbsent?: true;
}

/** How the programs of one call are started. */
export interface CallConfinement {
  /** Asked before each start; undefined where it runs straight. */
  readonly confinement: (program: Pick<ProcessSpec, "live">) => Promise<Confinement | undefined>;
  /** Asked once, when the tool has come back; some of its programs may run on. Must not fail for what they did. */
  readonly close: (ended: readonly EndedProgram[]) => Promise<ConfinementAccount>;
}

/** What is told of how the programs of a call ran. */
export interface ConfinementAccount {
  /** Sentences that end the answer the model reads. */
  readonly notes: readonly string[];
  /** Joins the metadata of the outcome, above what the tool says itself. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What can be taken back of what they changed; left out where nothing was kept of it. */
  readonly undo?: UndoRef;
  /** What they changed was lost or not brought to the real tree, so that the call is no success. */
  readonly failure?: ToolError;
}

/** What the steps need of the kit that runs them. Read at each call, so that a change counts from the next call on. */
export interface PipelineEnvironment {
  readonly registry: Registry;
  readonly host: Host;
  readonly workspace: string;
  readonly cwd: string;
  /** A host that keeps what is changed to itself; absent where none can be made. */
  readonly stage?: () => Promise<StagedHost>;
  /** What tools may ask for, as this session has it. */
  services(sessionId: string | undefined): Services;
  readonly hooks: Hooks;
  readonly onAsk: OnAsk | undefined;
  readonly checkpoints: Checkpoints | undefined;
  /** Where calls are noted that their own tools take back; absent where nothing is kept. */
  readonly compensations?: Pick<Compensations, "keep">;
  /** Asked when a call starts its first program, so that others pay nothing. Fails where none may be started so. */
  readonly confine?: ((request: ConfineRequest) => Promise<CallConfinement>) | undefined;
  /** Reads texts in older encodings for the differences of a preview. */
  readonly decodeOlder?: DecodeOlder;
  /** How a search of a tree or file starts the program it may need. */
  readonly confineSearch?: NarrowOptions["confineSearch"];
  /** Runs a command where nothing of it counts, held as the call's grant says. UNAVAILABLE where that cannot be had. */
  readonly tryCommand?:
    | ((
        request: CommandPreviewRequest,
        call: { readonly grant: Grant; readonly agentId: string | undefined },
      ) => Promise<CommandPreviewed>)
    | undefined;
  readonly tracer: Tracer | undefined;
  /** Default 50,000; a tool may set its own. */
  readonly maxChars: number;
  /** By tool name; stands above what the tool sets. */
  readonly shownChars: ReadonlyMap<string, number>;
  readonly answerLimits: Limits["answer"];
  readonly redactSecrets: boolean;
  rules(): RuleSet;
  mode(): Mode;
  boundary(): Boundary;
  /** Hears that a tool suggested what is not a rule, or failed to suggest one. */
  readonly onBadSuggestion?: (tool: string, why: string) => void;
  /** Everyday effects allowed without a rule. Default: the built-in layer. */
  readonly builtIn: readonly LayerRule[] | undefined;
  /** Outermost first. */
  readonly ceilings: readonly Ceiling[] | undefined;
  readonly trusted: boolean;
  taint(sessionId: string | undefined): Taint;
  /**
   * Makes the rule count from now on and stores it where its scope lives; where that fails, it does not count and why is
   * returned. Throws where it is no rule.
   */
  saveRule(rule: string, scope: SaveScope): Promise<string | undefined>;
  /** Keeps the whole of an answer that is shown in part. */
  keepArtefact(callId: string, text: string): Promise<ArtefactRef | undefined>;
  /** What the tool itself kept whole while it ran. */
  artefactOf(callId: string): ArtefactRef | undefined;
  emit(event: NewEvent): void;
  now(): number;
  newId(prefix: string): string;
  /** One person is asked one thing at a time. */
  readonly askQueue: AskQueue;
  readonly streaks: FailureStreaks;
  /** Keys of the calls under way, also those of kits that share the host and the journal. */
  readonly underWay: Set<string>;
  /** Refusals so far by tool and input, so that a person sees a repeated request. */
  readonly refusals: Map<string, number>;
  /** Whether a read stays inside the workspace: what lies outside is nobody's word to rely on. */
  isInside(effect: Effect): boolean;
}

/** Lets one asker in at a time, in the order they came. */
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

  /** How often in a row this tool has now failed in exactly this way. */
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
