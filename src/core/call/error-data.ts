import type { Finding, RuleRef } from "./decisions.ts";
import type { Effect } from "./effects.ts";

/** Facts of an error for programs, JSON-compatible. Names that a code does not list are those of the tool that failed. */
export interface ErrorFacts {
  readonly [name: string]: unknown;
}

/** A fault in an input, in terms a model can act on. */
export interface InputIssue {
  /** JSON pointer such as `/edits/0/old_string`; "" for the whole input. */
  readonly path: string;
  /** Fault, in one sentence. */
  readonly message: string;
  /** Value or type that the schema expects there. */
  readonly expected?: string;
  /** Value or type that the input has there. */
  readonly received?: string;
}

/** Lines of a text, counted from 1; both are included. */
export interface LineRange {
  /** First line. */
  readonly firstLine: number;
  /** Last line. */
  readonly lastLine: number;
}

/**
 * Facts that an error may carry, by its code. Each is present where it is known; a code that is not listed has only facts
 * of the tool that failed.
 */
export interface ErrorDataByCode {
  /** Names that may have been meant. */
  readonly UNKNOWN_TOOL: ErrorFacts & {
    /** Name as it was called. */
    readonly name?: string;
    /** Tools with similar names, best first, at most three. */
    readonly nearest?: readonly string[];
    /** Names of the tools that can be called. */
    readonly available?: readonly string[];
  };
  /** Faults of the input. */
  readonly INVALID_INPUT: ErrorFacts & {
    /** Faults of the input, in the order of the schema. */
    readonly issues?: readonly InputIssue[];
    /** Line of the text at fault, counted from 1. */
    readonly line?: number;
    readonly path?: string;
  };
  /** The rule and what it withholds. */
  readonly PERMISSION_DENIED: ErrorFacts & {
    /** Rule that denies the call; a text if it was found only while the call ran. */
    readonly rule?: RuleRef | string;
    /** Reasons for the decision, in order. */
    readonly trail?: readonly Finding[];
    /** First path that is withheld. */
    readonly path?: string;
    /** Paths that are withheld, at most the first hundred. */
    readonly paths?: readonly string[];
  };
  /** How the call could be allowed. */
  readonly APPROVAL_REQUIRED: ErrorFacts & {
    /** Narrowest rule that would allow the call. */
    readonly suggestion?: string;
    /** True if a user was asked and did not answer. */
    readonly asked?: boolean;
  };
  /** The path outside. */
  readonly OUTSIDE_WORKSPACE: ErrorFacts & { readonly path?: string };
  /** The access, and what was declared. */
  readonly UNDECLARED_EFFECT: ErrorFacts & {
    /** Access that the tool tried. */
    readonly need?: ErrorFacts | object;
    /** Effects that the call was granted. */
    readonly declared?: readonly Effect[];
  };
  /** The limit. */
  readonly TIMEOUT: ErrorFacts & {
    /** Time limit that passed, in milliseconds. */
    readonly timeoutMs?: number;
  };
  /** The missing name, and similar ones. */
  readonly NOT_FOUND: ErrorFacts & {
    /** Existing names that may be meant, best first. */
    readonly suggestions?: readonly string[];
    readonly path?: string;
    readonly callId?: string;
    readonly taskId?: string;
    readonly program?: string;
  };
  /** Kind of what is there instead. */
  readonly NOT_A_DIRECTORY: ErrorFacts & {
    /** Kind of what is at the path, such as `file` or `fifo`. */
    readonly kind?: string;
  };
  /** Kind of what is there instead. */
  readonly NOT_A_FILE: ErrorFacts & {
    /** Kind of what is at the path, such as `directory` or `socket`. */
    readonly kind?: string;
  };
  /** Kind of the content. */
  readonly BINARY_FILE: ErrorFacts & {
    /** Reason why the content is not text. */
    readonly because?: string;
    /** Size of the file in bytes. */
    readonly size?: number;
    /** Format that was recognized, such as `png`. */
    readonly format?: string;
  };
  /** Size and limit. */
  readonly TOO_LARGE: ErrorFacts & {
    readonly path?: string;
    /** Size in bytes. */
    readonly size?: number;
    /** Limit in bytes. */
    readonly maxBytes?: number;
  };
  /** Path or program that the system refuses. */
  readonly ACCESS_DENIED: ErrorFacts & { readonly path?: string; readonly program?: string };
  /** Where there is no space. */
  readonly NO_SPACE: ErrorFacts & { readonly path?: string };
  /** The path that changed. */
  readonly PATH_CHANGED: ErrorFacts & { readonly path?: string };
  /** The path that leads to itself. */
  readonly LINK_LOOP: ErrorFacts & { readonly path?: string };
  /** Paths that changed. */
  readonly STALE_READ: ErrorFacts & {
    /** First path that changed. */
    readonly path?: string;
    /** All paths that changed. */
    readonly paths?: readonly string[];
    /** Content hash that was expected; null for a file that was absent. */
    readonly expected?: string | null;
    /** Content hash that was found; null for a file that is missing. */
    readonly found?: string | null;
    /** Differences by path, at most the first few: of an undo both sides, of a command on an overlay the reasons. */
    readonly conflicts?: readonly object[];
  };
  /** Lines that were not read. */
  readonly NOT_READ: ErrorFacts & Partial<LineRange>;
  /** The nearest lines. */
  readonly NO_MATCH: ErrorFacts & {
    /** Most similar lines of the file. */
    readonly nearest?: LineRange;
  };
  /** Where the matches are. */
  readonly AMBIGUOUS_MATCH: ErrorFacts & {
    /** First line of each match, counted from 1. */
    readonly lines?: readonly number[];
  };
  /** How the command ended. */
  readonly COMMAND_FAILED: ErrorFacts & {
    /** Exit code of the command; null if a signal ended it. */
    readonly exitCode?: number | null;
    /** Signal that ended the command, such as `SIGKILL`. */
    readonly signal?: string | null;
  };
  /** The limit. */
  readonly LIMIT_REACHED: ErrorFacts & {
    /** Name of the limit, such as `maxCost`. */
    readonly limit?: string;
  };
  /** The missing part. */
  readonly UNAVAILABLE: ErrorFacts & {
    /** Tool that could not be loaded. */
    readonly tool?: string;
    /** Id of the service token that nothing provides. */
    readonly service?: string;
    readonly path?: string;
    readonly callId?: string;
  };
  /** The provider's answer. */
  readonly MODEL_FAILED: ErrorFacts & {
    /** HTTP status of the provider. */
    readonly status?: number;
    /** Time after which the provider accepts the next request, in milliseconds. */
    readonly retryAfterMs?: number;
  };
}

/** Facts that an error with this code may carry. */
export type ErrorData<C extends string = string> = C extends keyof ErrorDataByCode
  ? ErrorDataByCode[C]
  : ErrorFacts;
