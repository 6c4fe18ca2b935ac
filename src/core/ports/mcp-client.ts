import type { ContentPart } from "../tool/content.ts";
import { ToolError } from "../call/errors.ts";
import type { JsonSchema } from "../tool/json.ts";
import { serviceToken } from "./service-token.ts";

/** A form for the user to fill in. */
export interface ElicitForm {
  /** Name of the form within the call: a repeated form gets the earlier answer. Default: derived from its order. */
  readonly name?: string;
  readonly message: string;
  /** An object schema whose properties are strings, numbers, booleans and enums, without nesting. */
  readonly schema: JsonSchema;
}

/** `content` fits the form's schema. `decline`: the user refused; `cancel`: the user gave no answer. */
export type ElicitAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

export interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentPart;
}

/** Request to the client's own model. */
export interface SampleRequest {
  readonly name?: string;
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/** Response of the client's model; not trusted. */
export interface SampleAnswer {
  readonly content: readonly ContentPart[];
  /** `content` as text. */
  readonly text: string;
  readonly model: string;
  readonly stopReason?: string;
}

/** A directory in which the client works. */
export interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}

/**
 * The client that sent a call, for requests in the other direction. A request that it does not support fails with
 * UNAVAILABLE. A client may repeat the call from its start once it has the answers, so a tool must send its requests
 * before it changes anything, send related requests together, and let the call fail where a request fails. The call's
 * deadline keeps running meanwhile.
 */
export interface ClientPort {
  readonly canElicit: boolean;
  readonly canSample: boolean;
  readonly canListRoots: boolean;
  elicit(form: ElicitForm): Promise<ElicitAnswer>;
  sample(request: SampleRequest): Promise<SampleAnswer>;
  listRoots(options?: { readonly name?: string }): Promise<readonly ClientRoot[]>;
}

export const client = serviceToken<ClientPort>("client");

/** Used for a call that did not come from a client that accepts requests. */
export const absentClient: ClientPort = {
  canElicit: false,
  canSample: false,
  canListRoots: false,
  elicit: () => refuse("asked for input"),
  sample: () => refuse("asked for an answer of its model"),
  listRoots: () => refuse("asked for its roots"),
};

async function refuse(what: string): Promise<never> {
  throw new ToolError("UNAVAILABLE", `No client is there that could be ${what}.`, {
    hint: "Go on without it, or call the tool through an MCP client that supports this.",
  });
}
