import type { ErrorData } from "./error-data.ts";

/** Category of a failure: the call's form, the work itself, a refusal, a time limit, or not known. */
export type ErrorType = "validation" | "execution" | "permission" | "timeout" | "unknown";

/** The party that can act on an error. */
export type ErrorMove = "model" | "user" | "host";

interface ErrorTraits {
  readonly type: ErrorType;
  readonly move: ErrorMove;
  /** Whether the very same call may succeed when tried again later. */
  readonly retryable: boolean;
}

/** Every code a call can fail with. A code is never renamed; docs/reference/errors.md has a section for each. */
export const errorCodes = {
  UNKNOWN_TOOL: { type: "validation", move: "model", retryable: false },
  INVALID_JSON: { type: "validation", move: "model", retryable: false },
  INCOMPLETE_CALL: { type: "validation", move: "model", retryable: false },
  INVALID_INPUT: { type: "validation", move: "model", retryable: false },
  BLOCKED_BY_HOOK: { type: "permission", move: "model", retryable: false },
  PERMISSION_DENIED: { type: "permission", move: "user", retryable: false },
  APPROVAL_REQUIRED: { type: "permission", move: "user", retryable: false },
  DENIED_BY_USER: { type: "permission", move: "model", retryable: false },
  OUTSIDE_WORKSPACE: { type: "permission", move: "user", retryable: false },
  UNDECLARED_EFFECT: { type: "permission", move: "host", retryable: false },
  ABORTED: { type: "execution", move: "user", retryable: true },
  TIMEOUT: { type: "timeout", move: "model", retryable: true },
  NOT_FOUND: { type: "execution", move: "model", retryable: false },
  ALREADY_EXISTS: { type: "execution", move: "model", retryable: false },
  IS_DIRECTORY: { type: "execution", move: "model", retryable: false },
  NOT_A_DIRECTORY: { type: "execution", move: "model", retryable: false },
  NOT_A_FILE: { type: "execution", move: "model", retryable: false },
  BINARY_FILE: { type: "execution", move: "model", retryable: false },
  TOO_LARGE: { type: "execution", move: "model", retryable: false },
  ACCESS_DENIED: { type: "execution", move: "user", retryable: false },
  NO_SPACE: { type: "execution", move: "user", retryable: true },
  PATH_CHANGED: { type: "execution", move: "model", retryable: true },
  LINK_LOOP: { type: "execution", move: "model", retryable: false },
  STALE_READ: { type: "execution", move: "model", retryable: false },
  NOT_READ: { type: "execution", move: "model", retryable: false },
  NO_MATCH: { type: "execution", move: "model", retryable: false },
  AMBIGUOUS_MATCH: { type: "execution", move: "model", retryable: false },
  NO_CHANGE: { type: "execution", move: "model", retryable: false },
  TOOL_FAILED: { type: "execution", move: "model", retryable: false },
  COMMAND_FAILED: { type: "execution", move: "model", retryable: false },
  LIMIT_REACHED: { type: "execution", move: "user", retryable: false },
  UNAVAILABLE: { type: "execution", move: "host", retryable: true },
  MODEL_FAILED: { type: "execution", move: "host", retryable: true },
  CONTEXT_OVERFLOW: { type: "execution", move: "host", retryable: false },
  INTERNAL: { type: "unknown", move: "host", retryable: false },
} as const satisfies Record<string, ErrorTraits>;

/** Code of an error, for programs. `docs/reference/errors.md` describes each. */
export type ErrorCode = keyof typeof errorCodes;

/** Parts of an error besides its code and message. */
export interface ToolErrorOptions<C extends ErrorCode = ErrorCode> {
  /** The next step, in one sentence. */
  readonly hint?: string | undefined;
  /** Facts for programs, JSON-compatible; those that the code lists have their type. */
  readonly data?: ErrorData<C> | undefined;
  /** Error that led to this one; not part of the result. */
  readonly cause?: unknown;
  /** Overrides the code's own answer to whether the same call may succeed later. */
  readonly retryable?: boolean | undefined;
}

/** An error with one code, as it travels in an outcome, an event or a protocol message. */
export interface ErrorInfoOf<C extends ErrorCode> {
  /** Code, which is never renamed. */
  readonly code: C;
  /** Category of the code. */
  readonly type: ErrorType;
  /** The fact, in one or more sentences. */
  readonly message: string;
  /** The next step, in one sentence. */
  readonly hint?: string;
  /** Whether the very same call may succeed when sent again later. */
  readonly retryable: boolean;
  /** Facts for programs, typed by the code. */
  readonly data?: ErrorData<C>;
}

/**
 * An error as it travels in an outcome, an event or a protocol message. A comparison of `code` narrows `data`.
 *
 * @example
 * if (outcome.error?.code === "INVALID_INPUT") console.log(outcome.error.data?.issues);
 */
export type ErrorInfo<C extends ErrorCode = ErrorCode> = { readonly [K in C]: ErrorInfoOf<K> }[C];

const brand = Symbol.for("haft.ToolError");

/** The only error that leaves the pipeline: a code for programs, a sentence and a next step for the model. */
export class ToolError<C extends ErrorCode = ErrorCode> extends Error {
  /** Code for programs, which is never renamed. */
  readonly code: C;
  /** The next step, in one sentence. */
  readonly hint: string | undefined;
  /** Facts for programs, typed by the code. */
  readonly data: ErrorData<C> | undefined;
  /** Whether the very same call may succeed when sent again later. */
  readonly retryable: boolean;

  /** Creates an error with a code, a fact and, in the options, the next step. */
  constructor(code: C, message: string, options: ToolErrorOptions<C> = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.code = code;
    this.hint = options.hint;
    this.data = options.data;
    this.retryable = options.retryable ?? errorCodes[code].retryable;
    Object.defineProperty(this, brand, { value: true });
  }

  /** Category of the code. */
  get type(): ErrorType {
    return errorCodes[this.code].type;
  }

  /** The party that can act on the error. */
  get move(): ErrorMove {
    return errorCodes[this.code].move;
  }

  /** The error as it travels in an outcome; without its cause. */
  toJSON(): ErrorInfo<C> {
    const info: ErrorInfoOf<C> = {
      code: this.code,
      type: this.type,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      retryable: this.retryable,
      ...(this.data === undefined ? {} : { data: this.data }),
    };
    return info;
  }

  /** Whether `error` is a ToolError with this code, or any code; also one made by another copy of this package. */
  static is<C extends ErrorCode = ErrorCode>(error: unknown, code?: C): error is ToolError<C> {
    if (typeof error !== "object" || error === null || !(brand in error)) return false;
    return code === undefined || ("code" in error && error.code === code);
  }
}
