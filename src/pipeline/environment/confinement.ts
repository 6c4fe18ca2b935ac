import type {
  Confinement,
  EndedProgram,
  Grant,
  ProcessSpec,
  StagedChanges,
  ToolError,
  UndoRef,
} from "../../core/index.ts";

/** A permitted call that is about to start its first program. */
export interface ConfineRequest {
  /** Unique among the calls in progress. */
  readonly callId: string;
  readonly tool: string;
  readonly grant: Grant;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /** The kit itself may write files for the call, next to its programs. */
  readonly writesItself?: boolean;
  /** Ends waits for other processes; fires on abort, not on the call's timeout. */
  readonly signal?: AbortSignal | undefined;
  /** Asks the user to approve the programs' changes before they are applied; resolves to a refusal, or to undefined. */
  readonly approve: (
    staged: StagedChanges,
    about?: ApprovalContext,
  ) => Promise<ApprovalRefused | undefined>;
}

/** Reasons why changes need approval. Default: all changes need it. */
export interface ApprovalContext {
  /** Changed protected paths that the call did not declare. */
  readonly protectedWrites?: readonly string[];
  /** Changed paths that an ask rule names and the call did not declare. */
  readonly ruled?: readonly string[];
  /** Changed files that a running program has locked, in a sentence. */
  readonly locked?: string;
  /** Changes that could not be undone, in a sentence. */
  readonly notUndoable?: string;
  /** Set where the programs have not started, and nothing is staged: approval is for their start. */
  readonly start?: StartOnRealFiles;
}

/** Directories in which nothing keeps a program from creating protected files. */
export interface StartOnRealFiles {
  readonly directories: readonly string[];
  /** Why no overlay holds its changes back, in a sentence. */
  readonly because: string;
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
