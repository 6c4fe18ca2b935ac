import type {
  ArtifactRef,
  CallOptions,
  CommandPreviewed,
  CommandPreviewRequest,
  EditChecks,
  Effect,
  Grant,
  HookChange,
  Host,
  Limits,
  Mode,
  NewEvent,
  OnAsk,
  SaveScope,
  SeenFiles,
  Services,
  StagedHost,
  WriteEffect,
} from "../../core/index.ts";
import type { NarrowOptions } from "../../grant/index.ts";
import type { Compensations, DecodeOlder } from "../../journal/index.ts";
import type { Boundary, Ceiling, LayerRule, RuleSet } from "../../policy/index.ts";
import type { Registry } from "../../registry/index.ts";
import type { QuestionQueue, FailureStreaks } from "./ask-queue.ts";
import type { Checkpoints } from "./checkpoints.ts";
import type { CallConfinement, ConfineRequest } from "./confinement.ts";
import type { KnownHooks } from "./hooks.ts";

/**
 * Dependencies of the steps on their kit, in named parts; a step asks for the parts that it uses. Read at each call, so
 * a change takes effect with the next call.
 */
export interface PipelineEnvironment
  extends
    ToolParts,
    CallPlace,
    JudgingParts,
    AskingParts,
    AnswerParts,
    CheckParts,
    UndoParts,
    ProgramParts,
    RecordParts {}

/** The tools, what they may use and who has a say in their calls. */
export interface ToolParts {
  readonly registry: Registry;
  /** Returns why there is no tool of this name, such as a server that failed. Undefined where nothing says why. */
  readonly whyMissing?: ((name: string) => MissingTool | undefined) | undefined;
  /** Returns the services for tools in this session. */
  services(sessionId: string | undefined): Services;
  readonly hooks: KnownHooks;
  /** Failures in a row of each tool, for the hint of the next one. */
  readonly streaks: FailureStreaks;
  /** Keys of the calls in progress, including those of kits that share the host and the journal. */
  readonly activeCallKeys: Set<string>;
}

/** Why a tool is not there, in sentences, and what to do. */
export interface MissingTool {
  readonly reason: string;
  readonly hint: string;
}

/** Place in which calls act. */
export interface CallPlace {
  readonly host: Host;
  readonly workspace: string;
  readonly cwd: string;
  /** Creates a host that stores its changes separately; absent where that is not possible. */
  readonly stage?: () => Promise<StagedHost>;
}

/** Rules and facts by which a call is judged. */
export interface JudgingParts {
  rules(): RuleSet;
  mode(): Mode;
  boundary(): Boundary;
  /** Everyday effects allowed without a rule. Default: the built-in layer. */
  readonly builtIn: readonly LayerRule[] | undefined;
  /** Outermost first. */
  readonly ceilings: readonly Ceiling[] | undefined;
  /** Returns the ceilings that apply to a call for a time, such as those of a skill that is used. */
  readonly activeCeilings?: ((options: CallOptions) => readonly Ceiling[]) | undefined;
  readonly trusted: boolean;
  taint(sessionId: string | undefined): Taint;
  /** Whether a read or a program stays inside the workspace as far as is known; content from outside is untrusted. */
  isInside(effect: Effect): boolean;
  /** Called when a tool suggests an invalid rule or fails to suggest one. */
  readonly onBadSuggestion?: (tool: string, why: string) => void;
}

/** Content seen in a session that could leak out of it. */
export interface Taint {
  untrustedSeen: boolean;
  privateRead: boolean;
  /** Content of unknown origin was seen, as of a conversation from another process. */
  mayBeUntrusted: boolean;
  /** Something unknown was read, as by a server or a program. */
  mayBePrivate: boolean;
  /** A secret in an answer was replaced by a placeholder, which must not be written to a file. */
  secretsHidden: boolean;
}

/** Means to ask the user. */
export interface AskingParts {
  readonly onAsk: OnAsk | undefined;
  /** Ensures that the user is asked one question at a time. */
  readonly askQueue: QuestionQueue;
  /** Number of refusals by tool and input, so that the user sees that a request is repeated. */
  readonly refusals: Map<string, number>;
  /**
   * Applies the rule from now on and stores it in the settings of its scope. If storing fails, the rule does not apply,
   * and the reason is returned. Throws if the rule is invalid.
   */
  saveRule(rule: string, scope: SaveScope): Promise<string | undefined>;
}

/** Limits and storage of answers. */
export interface AnswerParts {
  /** Maximum characters of an answer. Default 50,000; a tool may set its own. */
  readonly maxChars: number;
  /** Maximum characters by tool name; takes precedence over the tool's own limit. */
  readonly shownChars: ReadonlyMap<string, number>;
  readonly answerLimits: Limits["answer"];
  readonly redactSecrets: boolean;
  /** Stores the full text of an answer that is shown in part. */
  keepArtifact(
    callId: string,
    text: string,
    sessionId: string | undefined,
  ): Promise<ArtifactRef | undefined>;
  /** Returns the artifact that the tool itself wrote while it ran. */
  artifactOf(callId: string): ArtifactRef | undefined;
  /** Decodes texts in legacy encodings for the diffs of a preview. */
  readonly decodeOlder?: DecodeOlder;
}

/** Checks of edited files. */
export interface CheckParts {
  /** Checkers and language servers; undefined where the settings name none. */
  readonly editChecks?: EditChecks | undefined;
}

/** Journal of changes. */
export interface UndoParts {
  readonly checkpoints: Checkpoints | undefined;
  /**
   * Lists files that the kit may write for a call after a question of its own: the call's undo covers them, and the tool
   * itself may not write them.
   */
  readonly writtenByKit?: (tool: string, input: unknown) => readonly WriteEffect[];
  /**
   * Returns a text for the model about changes that hooks made to files of a call, and updates what its session has seen
   * of them.
   */
  readonly noteHookChanges?:
    | ((
        changes: readonly HookChange[],
        session: {
          readonly seen: SeenFiles | undefined;
          readonly cwd: string;
          /** Characters of the text that are not cut from the answer. */
          readonly maxChars: number;
        },
      ) => Promise<string>)
    | undefined;
  /** Records calls that their own tools can undo; absent where nothing is stored. */
  readonly compensations?: Pick<Compensations, "keep">;
}

/** Confinement of programs. */
export interface ProgramParts {
  /**
   * Called when a call starts its first program, so that other calls have no cost. Rejects where programs may not be
   * started for the call.
   */
  readonly confine?: ((request: ConfineRequest) => Promise<CallConfinement>) | undefined;
  /** Confinement for the program that a search of a tree or file may start. */
  readonly confineSearch?: NarrowOptions["confineSearch"];
  /** Runs a command as a dry run, confined to the call's grant. UNAVAILABLE where that is not possible. */
  readonly tryCommand?:
    | ((
        request: CommandPreviewRequest,
        call: { readonly grant: Grant; readonly agentId: string | undefined },
      ) => Promise<CommandPreviewed>)
    | undefined;
}

/** Records and events of calls. */
export interface RecordParts {
  readonly tracer: Tracer | undefined;
  emit(event: NewEvent): void;
  now(): number;
  newId(prefix: string): string;
  /**
   * Stores a record about a call of a stored run; undefined where none is stored. The call does not start, and an answer
   * has no effect, before it resolves.
   */
  readonly recordCall?: ((record: CallRecordRequest) => Promise<void> | undefined) | undefined;
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
