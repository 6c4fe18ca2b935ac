import type { ContentPart } from "../tool/content.ts";
import { ToolError } from "../call/errors.ts";
import type { JsonSchema } from "../tool/json.ts";
import { serviceToken } from "./service-token.ts";

/** A form for the user to fill in. */
export interface ElicitForm {
  /** Name of the form within the call: a repeated form gets the earlier answer. Default: derived from its order. */
  readonly name?: string;
  /** Question, in one sentence. */
  readonly message: string;
  /** An object schema whose properties are strings, numbers, booleans and enums, without nesting. */
  readonly schema: JsonSchema;
}

/** `content` fits the form's schema. `decline`: the user refused; `cancel`: the user gave no answer. */
export type ElicitAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

/** Message for the model of the client. */
export interface SampleMessage {
  /** Author of the message. */
  readonly role: "user" | "assistant";
  /** Content of the message. */
  readonly content: ContentPart;
}

/** Request to the client's own model. */
export interface SampleRequest {
  /** Name of the request, unique within a call, so that it can be resumed. Default: its number. */
  readonly name?: string;
  /** Conversation. */
  readonly messages: readonly SampleMessage[];
  /** Maximum tokens of the answer. */
  readonly maxTokens: number;
  /** System prompt. */
  readonly systemPrompt?: string;
  /** Sampling temperature. Default: the client's. */
  readonly temperature?: number;
  /** Texts at which the answer ends. */
  readonly stopSequences?: readonly string[];
}

/** Response of the client's model; not trusted. */
export interface SampleAnswer {
  /** Answer of the model. */
  readonly content: readonly ContentPart[];
  /** `content` as text. */
  readonly text: string;
  /** Model that answered. */
  readonly model: string;
  /** Reason why the answer ends. */
  readonly stopReason?: string;
}

/** A directory in which the client works. */
export interface ClientRoot {
  /** Location, a `file:` URI. */
  readonly uri: string;
  /** Name for users. */
  readonly name?: string;
}

/**
 * The client that sent a call, for requests in the other direction. A request that it does not support fails with
 * UNAVAILABLE. A client may repeat the call from its start once it has the answers, so a tool must send its requests
 * before it changes anything, send related requests together, and let the call fail where a request fails. The call's
 * deadline keeps running meanwhile.
 */
export interface ElicitationPort {
  /** Whether the client can show a form to its user. */
  readonly canElicit: boolean;
  /** Whether the client can ask its model. */
  readonly canSample: boolean;
  /** Whether the client can list its roots. */
  readonly canListRoots: boolean;
  /** Shows a form to the user of the client. Rejects with UNAVAILABLE if the client cannot. */
  elicit(form: ElicitForm): Promise<ElicitAnswer>;
  /** Asks the model of the client. Rejects with UNAVAILABLE if the client cannot. */
  sample(request: SampleRequest): Promise<SampleAnswer>;
  /** Lists the directories that the client works on. Rejects with UNAVAILABLE if it cannot. */
  listRoots(options?: { readonly name?: string }): Promise<readonly ClientRoot[]>;
}

/** Token of the service that reaches the MCP client. */
export const client = serviceToken<ElicitationPort>("client");

/** Used for a call that did not come from a client that accepts requests. */
export const absentClient: ElicitationPort = {
  canElicit: false,
  canSample: false,
  canListRoots: false,
  elicit: () => refuse("asked for input"),
  sample: () => refuse("asked for an answer of its model"),
  listRoots: () => refuse("asked for its roots"),
};

async function refuse(what: string): Promise<never> {
  throw new ToolError("UNAVAILABLE", `No client can be ${what}.`, {
    hint: "Continue without it, or call the tool through an MCP client that supports this.",
  });
}
