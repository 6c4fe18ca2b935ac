import type { ContentPart } from "../tool/content.ts";
import type { Ask, Mode } from "./decisions.ts";
import type { Effect } from "./effects.ts";
import type { ErrorCode } from "./errors.ts";
import type { Call, DecisionRecord, Outcome, TraceParent } from "./outcome.ts";
import type { AgentInfo } from "../agents/agent-info.ts";
import type { ActiveWork } from "../ports/tasks/jobs.ts";
import type { Task } from "../ports/tasks/task-kinds.ts";
import type { ProgressUpdate } from "../tool/tool.ts";
import type { TokenUsage } from "./token-usage.ts";

/** Members of every event. */
export interface EventBase {
  /** Counts from 1 within a kit, without gaps. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Session it belongs to; undefined outside one. */
  readonly sessionId?: string | undefined;
  /** Agent it belongs to; undefined outside a run. */
  readonly agentId?: string | undefined;
  /** Run that the event belongs to. */
  readonly runId?: string | undefined;
  /** Agent that started the agent of this event; missing for the agent that talks to the user. */
  readonly parentAgentId?: string | undefined;
  /** Number of agents between this one and the agent that talks to the user, which has 0 or none. */
  readonly depth?: number | undefined;
}

/** Everything that happens, in order; terminal, console, MCP progress and telemetry are readers of this list. */
export type HaftEvent = EventBase &
  (
    | {
        readonly type: "call-start";
        readonly callId: string;
        readonly call: Call;
        readonly turn?: number | undefined;
        /** Trace of the client, for a call that a server received. */
        readonly trace?: TraceParent | undefined;
      }
    | {
        readonly type: "call-decided";
        readonly callId: string;
        readonly tool: string;
        readonly input: unknown;
        readonly effects: readonly Effect[];
        readonly decision: DecisionRecord;
      }
    | { readonly type: "permission-ask"; readonly callId: string; readonly ask: Ask }
    | {
        readonly type: "permission-answer";
        readonly callId: string;
        readonly answer: string;
        readonly rule?: string;
      }
    | { readonly type: "call-progress"; readonly callId: string; readonly update: ProgressUpdate }
    | {
        readonly type: "call-output";
        readonly callId: string;
        readonly text: string;
        readonly stream: "stdout" | "stderr";
      }
    | { readonly type: "call-end"; readonly callId: string; readonly outcome: Outcome }
    | { readonly type: "task-start"; readonly task: Task }
    | { readonly type: "task-end"; readonly task: Task }
    /** A todo was created or changed. */
    | { readonly type: "task-change"; readonly task: Task }
    /** An agent was started or continued; the event's own ids are those of the agent. */
    | {
        readonly type: "agent-start";
        readonly agent: AgentInfo;
        /** Run of the call that started it; undefined for a call outside of a run. */
        readonly parentRunId?: string | undefined;
      }
    /** An agent has ended a call or a turn. */
    | { readonly type: "agent-event"; readonly agent: AgentInfo }
    | { readonly type: "agent-end"; readonly agent: AgentInfo }
    | { readonly type: "mode-change"; readonly mode: Mode }
    | {
        readonly type: "tools-change";
        readonly added: readonly string[];
        readonly removed: readonly string[];
        /** Deferred tools that the model of this session sees from now on. */
        readonly activated?: readonly string[];
      }
    | {
        readonly type: "run-start";
        readonly runId: string;
        readonly task: string;
        readonly model: string;
      }
    | { readonly type: "turn-start"; readonly runId: string; readonly turn: number }
    | {
        readonly type: "model-text";
        readonly runId: string;
        readonly turn: number;
        readonly text: string;
      }
    | {
        readonly type: "model-reasoning";
        readonly runId: string;
        readonly turn: number;
        readonly text: string;
      }
    | {
        readonly type: "turn-end";
        readonly runId: string;
        readonly turn: number;
        readonly finish: string;
        readonly usage: TokenUsage;
        /** Cost in US dollars, including failed requests; missing without prices. */
        readonly costUsd?: number;
      }
    /** A request to an MCP server begins. */
    | {
        readonly type: "request-start";
        readonly requestId: string;
        /** Call that makes the request; missing for a request of the kit itself, such as a list of tools. */
        readonly callId?: string | undefined;
        readonly server: string;
        /** Method of the protocol, such as `tools/call`. */
        readonly method: string;
        /** Name of the tool on its server, for a call of one. */
        readonly target?: string | undefined;
        readonly transport: "stdio" | "http";
        /** Host and port of a server over HTTP. */
        readonly address?: { readonly host: string; readonly port: number } | undefined;
        /** Version of the protocol that was agreed on. */
        readonly protocol?: string | undefined;
        /** A listener may set `traceparent` and `tracestate` here, at once; they are sent with the request. */
        readonly trace: { traceparent?: string; tracestate?: string };
      }
    /** A request to an MCP server has ended. `code`: it failed; `tool_error`: its result is that of a failed tool. */
    | {
        readonly type: "request-end";
        readonly requestId: string;
        readonly code?: string | undefined;
      }
    /** Withdraws what was shown of the turn's answer, because its stream broke. A `model-retry` or the end of the run follows. */
    | {
        readonly type: "turn-discard";
        readonly runId: string;
        readonly turn: number;
        readonly code: ErrorCode;
        readonly reason: string;
      }
    /** Another request follows after `waitMs`, because the one before failed; `attempt` counts per model. */
    | {
        readonly type: "model-retry";
        readonly runId: string;
        readonly turn: number;
        /** Model that is asked next. */
        readonly model: string;
        readonly attempt: number;
        readonly waitMs: number;
        readonly code: ErrorCode;
        readonly reason: string;
      }
    /** The conversation was shortened. `overflow`: the model had refused it as too long. */
    | {
        readonly type: "compaction";
        readonly runId: string;
        readonly turn: number;
        readonly cause: "size" | "overflow" | "requested";
        /** `results`: old results were shortened; `summary`: old turns were replaced by a summary. */
        readonly kind: "results" | "summary";
        /** Estimated tokens of the next request. */
        readonly tokensBefore: number;
        readonly tokensAfter: number;
      }
    /** A message that was sent to the run while it was active, by the user or by the end of background work. */
    | {
        readonly type: "user-message";
        readonly runId: string;
        /** Task or agent whose end the message reports; missing for a message of the user. */
        readonly workId?: string;
        readonly message: { readonly role: "user"; readonly content: readonly ContentPart[] };
      }
    /** A hook of the settings blocked something, changed an input, failed, or has a message for the user. */
    | {
        readonly type: "hook";
        /** Event of the hook, such as `PreToolUse`. */
        readonly event: string;
        /** Hook in a few words, with its file and line. */
        readonly hook: string;
        readonly result: "block" | "failure" | "rewrite" | "message";
        readonly text: string;
        readonly callId?: string | undefined;
      }
    /** Settings files changed while the kit was open, and the user, if there is one, was asked. */
    | {
        readonly type: "settings-change";
        /** `applied`: what can change in an open kit counts now; `kept`: the settings from before count. */
        readonly result: "applied" | "kept";
        /** One line for each changed setting: old and new value, file and line. */
        readonly changes: readonly string[];
        /** Why the settings from before count. */
        readonly because?: string;
      }
    /** The model has ended; the run waits for what is still active in the background. */
    | { readonly type: "run-wait"; readonly runId: string; readonly work: readonly ActiveWork[] }
    /** Only for one slow or late reader of a run: this many events before the next one were left out. */
    | { readonly type: "events-dropped"; readonly runId: string; readonly count: number }
    | {
        readonly type: "run-end";
        readonly runId: string;
        readonly status: string;
        readonly text: string;
        readonly usage?: TokenUsage;
        /** Estimate of the tokens that all requests were shorter by, because they lacked deferred tools. */
        readonly tokensSaved?: number;
        readonly costUsd?: number;
      }
  );

/** An event before the kit numbers and dates it. */
export type NewEvent = HaftEvent extends infer E
  ? E extends HaftEvent
    ? Omit<E, "seq" | "at">
    : never
  : never;

/** Keeps events. Appending never throws and never blocks a call. */
export interface EventLog {
  /** Stores an event. Must not throw or block. */
  append(event: HaftEvent): void;
}
