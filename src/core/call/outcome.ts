import type { ArtefactRef } from "../ports/artifacts.ts";
import type { ContentPart } from "../tool/content.ts";
import type { Finding, OnAsk, RuleRef } from "./decisions.ts";
import type { Effect } from "./effects.ts";
import type { ErrorInfo } from "./errors.ts";
import type { Services } from "../ports/service-token.ts";
import type { ProgressUpdate, Trust } from "../tool/tool.ts";

/** A model's request to run a tool. */
export interface Call {
  /** The model's id for it; the kit makes one where it is missing. */
  readonly id?: string;
  readonly name: string;
  /** A value, or JSON text exactly as the model sent it. */
  readonly input?: unknown;
  /** The model's stream ended before the call did. Such a call runs only if it can do no more than read. */
  readonly incomplete?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined;
  readonly onOutput?: ((text: string, stream: "stdout" | "stderr") => void) | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly turn?: number | undefined;
  /** Wait for calls made before it, also with `inOrder`, that conflict with it and are not over. Default: start at once. */
  readonly inOrder?: boolean | undefined;
  /** Asks a person about this call, in place of the kit's own `onAsk`. */
  readonly onAsk?: OnAsk | undefined;
  /** What the tool may ask for in this call, before what the kit provides. */
  readonly services?: Services | undefined;
}

/** A change made to an input so that it fits its schema, in words for the model. */
export interface Repair {
  /** `/limit`, "" for the whole. */
  readonly path: string;
  readonly kind: string;
  readonly message: string;
}

/** What was decided, as kept in an outcome. */
export interface DecisionRecord {
  readonly kind: "allow" | "ask" | "deny";
  readonly rule?: RuleRef;
  readonly reason?: string;
  /** Who answered an ask: a saved rule needs none. */
  readonly answeredBy?: "person" | "hook" | "nobody";
  readonly trail: readonly Finding[];
}

export interface UndoRef {
  readonly callId: string;
  readonly level: "full" | "partial" | "none";
}

/** What became of a call. Nothing that goes wrong inside a call is thrown; it is here. */
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
  readonly artefact?: ArtefactRef;
  readonly undo?: UndoRef;
  readonly durationMs: number;
}
