import type { ArtifactRef } from "../ports/artifacts.ts";
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
  readonly name: string;
  /** A value, or JSON text exactly as the model sent it. */
  readonly input?: unknown;
  /** The model's stream ended before the call was complete. Such a call runs only if it can only read. */
  readonly incomplete?: boolean;
  /** Id of the message that has the call, for interfaces; the event `call-start` carries it. */
  readonly messageId?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined;
  readonly onOutput?: ((text: string, stream: "stdout" | "stderr") => void) | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  /** Run that makes the call; its events carry it, and the two fields below. */
  readonly runId?: string | undefined;
  readonly parentAgentId?: string | undefined;
  readonly depth?: number | undefined;
  readonly turn?: number | undefined;
  /** Wait for unfinished earlier `inOrder` calls that conflict with this one. Default: start at once. */
  readonly inOrder?: boolean | undefined;
  /** Asks the user about this call instead of the kit's own `onAsk`. */
  readonly onAsk?: OnAsk | undefined;
  /** Services for this call; they take precedence over the kit's. */
  readonly services?: Services | undefined;
}

export interface CallAllOptions extends CallOptions {
  /** Called with each outcome as soon as its call has ended, and the call's index. Must not throw. */
  readonly onOutcome?: ((index: number, outcome: Outcome) => void) | undefined;
}

/** A change made to an input so that it fits its schema, described for the model. */
export interface Repair {
  /** JSON pointer such as `/limit`; "" for the whole input. */
  readonly path: string;
  readonly kind: string;
  readonly message: string;
}

/** The decision about a call, as recorded in its outcome. */
export interface DecisionRecord {
  readonly kind: "allow" | "ask" | "deny";
  readonly rule?: RuleRef;
  readonly reason?: string;
  /** Source of the answer to an approval question; set only where `kind` is "ask". */
  readonly answeredBy?: "person" | "hook" | "nobody";
  readonly trail: readonly Finding[];
}

export interface UndoRef {
  readonly callId: string;
  readonly level: "full" | "partial" | "none";
}

/** Result of a call. Failures inside a call are not thrown; they are reported here. */
export interface Outcome {
  readonly id: string;
  readonly tool: string;
  readonly status: "ok" | "failed" | "denied" | "aborted";
  readonly isError: boolean;
  readonly content: readonly ContentPart[];
  /** `content` as text. */
  readonly text: string;
  readonly structuredContent?: unknown;
  readonly title: string;
  readonly summary: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly trust: Trust;
  readonly error?: ErrorInfo;
  readonly decision?: DecisionRecord;
  readonly effects: readonly Effect[];
  readonly repairs: readonly Repair[];
  readonly artifact?: ArtifactRef;
  readonly undo?: UndoRef;
  readonly durationMs: number;
}
