import type { ErrorInfo } from "../call/errors.ts";
import { serviceToken } from "../ports/service-token.ts";
import type { AgentCaller } from "./agents.ts";

/** A task for an agent that works on it alone, with every tool. */
export interface DelegateRequest {
  /** Work to be done; the agent knows nothing else. */
  readonly task: string;
  /** Facts that the task needs, such as what was found so far. */
  readonly context?: string | undefined;
  /** Result by which the task counts as done. */
  readonly expectedOutcome?: string | undefined;
}

/** A call of a delegated task. */
export interface DelegateStep {
  /** Name of the tool. */
  readonly toolName: string;
  /** Input of the call. */
  readonly arguments: unknown;
  /** Answer that the agent saw; absent while the call runs. */
  readonly result?: string;
  /** State of the call. */
  readonly status: "running" | "completed" | "failed";
  /** Start of the call, in milliseconds since the epoch. */
  readonly timestamp: number;
  /** Why the call failed. */
  readonly error?: string;
  /** Reasoning of the model before the call. */
  readonly thinking?: string;
  /** The result in a few words. */
  readonly summary?: string;
}

/** Result of a delegated task. */
export interface DelegateResult {
  /** Whether the agent ended by itself and not all of its calls failed. */
  readonly success: boolean;
  /** First paragraph of its answer, or why it did not finish. */
  readonly summary: string;
  /** Its whole answer; if it did not finish, its latest text. */
  readonly details: string;
  /** Files that its calls wrote or deleted, shell commands included, relative to the workspace where they are in it. */
  readonly filesModified: readonly string[];
  /** Why it did not finish, and errors of its calls. */
  readonly errors: readonly string[];
  /** Number of calls. */
  readonly toolCallCount: number;
  /** Duration in milliseconds. */
  readonly executionTimeMs: number;
  /** Its calls, in order. */
  readonly steps: readonly DelegateStep[];
  /** Id of the agent, which Agent can resume. */
  readonly agentId: string;
}

/** Functions called while a delegated task runs. What they throw is ignored. */
export interface DelegateCallbacks {
  /** Called when a call starts. */
  readonly onStepStart?: ((step: DelegateStep) => void) | undefined;
  /** Called when a call has ended. */
  readonly onStepComplete?: ((step: DelegateStep) => void) | undefined;
  /** Called with the result of a call in a few words. */
  readonly onStepSummary?: ((summary: string, step: DelegateStep) => void) | undefined;
  /** Called with text of the model as it arrives. */
  readonly onTextChunk?: ((text: string) => void) | undefined;
  /** Called with what the agent does, in a few words. */
  readonly onProgress?: ((message: string) => void) | undefined;
  /** Called with the failure of a call, or of the task. */
  readonly onError?: ((error: Pick<ErrorInfo, "code" | "message">) => void) | undefined;
}

/** Limits of a delegated task. Default: those of the settings. */
export interface DelegateLimits {
  /** Model as `provider:model` or an alias. */
  readonly model?: string | undefined;
  /** Maximum number of calls. */
  readonly maxToolCalls?: number | undefined;
  /** Maximum duration in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Answers questions that no rule asks with yes. Default false. */
  readonly autoConfirmDangerous?: boolean | undefined;
}

/** Runs delegated tasks. */
export interface Delegation {
  /** Resolves when the task has ended. Rejects if it cannot start; a failure of the task is in the result. */
  delegate(
    request: DelegateRequest,
    caller: AgentCaller,
    options?: DelegateLimits & DelegateCallbacks,
  ): Promise<DelegateResult>;
}

/** Token of the service that runs delegated tasks. */
export const delegation = serviceToken<Delegation>(
  "delegation",
  "The user can name a model in the setting models.default.",
);
