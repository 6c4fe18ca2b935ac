import type {
  CallOptions,
  Denial,
  NewEvent,
  OnAsk,
  TokenUsage,
  Toolkit,
} from "../../core/index.ts";
import type { Message, Steps } from "../../session/index.ts";
import type { Model, ModelTool } from "../models/model.ts";
import type { RunBudget } from "./budget/budget.ts";
import type { TokenEstimator } from "./budget/estimate-tokens.ts";
import type { CallIds } from "./call-ids.ts";
import type { RunClock } from "./clock.ts";
import type { CompactionOptions } from "./compaction/compact-messages.ts";
import type { RunConversation } from "./conversation.ts";
import type { FinalOutput } from "./final-output.ts";
import type { Inbox } from "./inbox.ts";
import type { Limits } from "./limits.ts";
import type { RunStop } from "./stop-reason.ts";
import type { PrepareTurn, RequestOptions } from "./turn/prepare-turn.ts";
import type { Retry } from "./turn/retry.ts";

export type RunIdentity = Pick<CallOptions, "sessionId" | "agentId" | "parentAgentId" | "depth"> & {
  readonly runId: string;
};

/** Functions that may hold up a run at certain points; a text that they return is the reason. */
export interface RunGates {
  /** Called when the model has ended, with its last text. A reason is given to the model, which continues. */
  readonly beforeEnd: (text: string) => Promise<string | undefined>;
  /** Called before the conversation is shortened. With a reason it stays as it is. */
  readonly beforeCompaction: (cause: "size" | "requested") => Promise<string | undefined>;
}

/** Dependencies of a run. */
export interface LoopContext {
  /** Session, agent and run that calls and events of the loop carry. */
  readonly identity: RunIdentity;
  readonly toolkit: Toolkit;
  readonly model: Model;
  /** Models that are asked, in this order, when one has failed. */
  readonly fallbackModels: readonly Model[];
  /** Model that summarizes. Default: that of the run. */
  readonly backgroundModel: Model | undefined;
  readonly system: string;
  /** Conversation to continue; made legal first. */
  readonly recorded: readonly Message[];
  /** Messages that the run adds before its first turn. */
  readonly given: readonly Message[];
  readonly conversation: RunConversation;
  readonly limits: Limits;
  readonly budget: RunBudget;
  readonly retry: Retry;
  readonly options: RequestOptions;
  readonly compaction: CompactionOptions | false;
  readonly requests: CompactionRequests;
  readonly prepareTurn: PrepareTurn | undefined;
  readonly inbox: Inbox;
  /** Message with which a call has ended the run. */
  yielded(): string | undefined;
  readonly onAsk: OnAsk | undefined;
  /** Refused calls of the run and of agents that it started. */
  readonly denials: Denial[];
  /** Whether the run ends only when no background work of it is active. */
  readonly waitsForWork: boolean;
  readonly gates: RunGates | undefined;
  readonly output: FinalOutput | undefined;
  readonly steps: Steps;
  readonly clock: RunClock;
  readonly signal: AbortSignal;
  /** Reason for which the signal was aborted. */
  stopped(): RunStop;
  readonly definitions: (model: Model) => Promise<readonly ModelTool[]>;
  /** Adds the run's identity to the event. */
  readonly emit: (event: NewEvent) => void;
}

/** Requests of the user to compact the conversation, answered before the next turn. */
export type CompactionRequests = ((isDone: boolean) => void)[];

export interface LoopState {
  readonly ids: CallIds;
  readonly estimator: TokenEstimator;
  /** Names of files that calls have read. */
  files: Set<string>;
  /** Whether `files` has those of the recorded conversation, which are found out before the first summary. */
  knowsRecordedFiles: boolean;
  /** Model of the next turn: a fallback once the first one has failed. */
  model: Model;
  /** Latest text of the model. */
  text: string;
  turns: number;
  calls: number;
  usage: TokenUsage;
  tokensSaved: number;
  /** Undefined once a model without prices was asked. */
  costUsd: number | undefined;
  compactions: number;
  /** A summary failed; it is tried again only if the model refuses the conversation. */
  isCompactionBroken: boolean;
  /** Estimated tokens up to which a conversation that got no shorter is not compacted for its size. */
  compactAbove: number;
  /** The latest answer had neither text nor calls. */
  wasEmpty: boolean;
  output?: unknown;
}
