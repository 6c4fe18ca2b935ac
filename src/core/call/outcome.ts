import type { ArtifactRef } from "../ports/store/artifacts.ts";
import type { ContentPart } from "../tool/content.ts";
import type { Finding, OnAsk, RuleRef } from "./decisions.ts";
import type { Effect } from "./effects.ts";
import type { ErrorInfo } from "./errors.ts";
import type { Services } from "../ports/service-token.ts";
import type { ProgressUpdate, Trust } from "../tool/tool.ts";

/** A model's request to run a tool. */
export interface Call {
  /** Id from the model; the kit generates one where it is absent. */
  readonly id?: string;
  /** Name of the tool, or one of its aliases. */
  readonly name: string;
  /** A value, or JSON text exactly as the model sent it. */
  readonly input?: unknown;
  /** The model's stream ended before the call was complete. Such a call runs only if it can only read. */
  readonly incomplete?: boolean;
  /** Id of the message that has the call, for interfaces; the event `call-start` carries it. */
  readonly messageId?: string;
}

/** Place of a call in a trace of another process; empty if its client sends none. */
export interface TraceParent {
  /** Trace and span of the client. */
  readonly traceparent?: string;
  /** Further facts of tracing systems. */
  readonly tracestate?: string;
}

/** Options of a call. */
export interface CallOptions {
  /** Ends the call; its outcome is `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each progress report of the tool. */
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined;
  /** Called with output of programs as it arrives. */
  readonly onOutput?: ((text: string, stream: "stdout" | "stderr") => void) | undefined;
  /** Session that the call belongs to. Default: none. */
  readonly sessionId?: string | undefined;
  /** Agent that makes the call. Default: none. */
  readonly agentId?: string | undefined;
  /** Run that makes the call; its events carry it, and the two fields below. */
  readonly runId?: string | undefined;
  /** Agent that started this agent. */
  readonly parentAgentId?: string | undefined;
  /** Number of agents above this one. */
  readonly depth?: number | undefined;
  /** Turn of the run, counted from 1. */
  readonly turn?: number | undefined;
  /**
   * Trace of a client's process that the call belongs to, as in the W3C headers of these names. Set by servers; the
   * event `call-start` carries it.
   */
  readonly trace?: TraceParent | undefined;
  /** Wait for unfinished earlier `inOrder` calls that conflict with this one. Default: start at once. */
  readonly inOrder?: boolean | undefined;
  /** Asks the user about this call instead of the kit's own `onAsk`. */
  readonly onAsk?: OnAsk | undefined;
  /** Services for this call; they take precedence over the kit's. */
  readonly services?: Services | undefined;
}

/** Options for the calls of one turn. */
export interface CallAllOptions extends CallOptions {
  /** Called with each outcome as soon as its call has ended, and the call's index. Must not throw. */
  readonly onOutcome?: ((index: number, outcome: Outcome) => void) | undefined;
}

/** A change made to an input so that it fits its schema, described for the model. */
export interface Repair {
  /** JSON pointer such as `/limit`; "" for the whole input. */
  readonly path: string;
  /** Kind of repair, such as `null-for-absent`. */
  readonly kind: string;
  /** Repair, in one sentence for the model. */
  readonly message: string;
}

/** The decision about a call, as recorded in its outcome. */
export interface DecisionRecord {
  /** Decision of the rules, before the user was asked. */
  readonly kind: "allow" | "ask" | "deny";
  /** Rule that decided; absent if the mode did. */
  readonly rule?: RuleRef;
  /** Reason, in one sentence. */
  readonly reason?: string;
  /** Source of the answer to an approval question; set only where `kind` is "ask". */
  readonly answeredBy?: "user" | "hook" | "none";
  /** Steps of the decision, in order. */
  readonly trail: readonly Finding[];
}

/** How far a call can be undone. */
export interface UndoRef {
  /** Call to undo. */
  readonly callId: string;
  /** `partial` if some of its changes are not stored. */
  readonly level: "full" | "partial" | "none";
}

/** Result of a call. Failures inside a call are not thrown; they are reported here. */
export interface Outcome {
  /** Id of the call. */
  readonly id: string;
  /** Name of the tool; as it was called if there is none. */
  readonly tool: string;
  /** `denied` if a rule, a hook or the user refused it; `failed` also for a result with `isError`. */
  readonly status: "ok" | "failed" | "denied" | "aborted";
  /** True for every status except `ok`. */
  readonly isError: boolean;
  /** Result as the model sees it: bounded, redacted, with repairs and hints. */
  readonly content: readonly ContentPart[];
  /** `content` as text. */
  readonly text: string;
  /** Result for programs, as the output schema of the tool describes it; absent for other tools. */
  readonly structuredContent?: unknown;
  /** Title for users, such as `Read src/a.ts`. */
  readonly title: string;
  /** Result for users, in a few words. */
  readonly summary: string;
  /** Facts for interfaces, by tool; JSON-compatible. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** `untrusted` if the content comes from outside the workspace, such as a web page. */
  readonly trust: Trust;
  /** Reason why the call has no result; absent for `ok`. */
  readonly error?: ErrorInfo;
  /** Decision on the call; absent if it failed before. */
  readonly decision?: DecisionRecord;
  /** Everything the call was expected to touch; empty if it failed before. */
  readonly effects: readonly Effect[];
  /** Repairs of the input; empty if there were none. */
  readonly repairs: readonly Repair[];
  /** Full text of a long result. */
  readonly artifact?: ArtifactRef;
  /** How far the call can be undone; absent if it changed nothing. */
  readonly undo?: UndoRef;
  /** Duration in milliseconds, including questions to the user. */
  readonly durationMs: number;
}
