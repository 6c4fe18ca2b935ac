import type { ContentPart } from "../tool/content.ts";
import { ToolError } from "../call/errors.ts";
import type { JsonSchema } from "../tool/json.ts";
import { serviceToken } from "./service-token.ts";

/** What a person is asked to fill in. */
export interface ElicitForm {
  /** The question's own name within the call: asked again, it gets the answer given before. Default: by its order. */
  readonly name?: string;
  readonly message: string;
  /** An object whose properties are texts, numbers, booleans and choices, none of them nested. */
  readonly schema: JsonSchema;
}

/** `content` fits the form's schema. A person who declines said no; one who cancels said nothing. */
export type ElicitAnswer =
  | { readonly action: "accept"; readonly content: Readonly<Record<string, unknown>> }
  | { readonly action: "decline" | "cancel" };

export interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentPart;
}

/** What the client's own model is asked. */
export interface SampleRequest {
  readonly name?: string;
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}

/** What a model wrote: nobody's word to rely on. */
export interface SampleAnswer {
  readonly content: readonly ContentPart[];
  /** `content` as text. */
  readonly text: string;
  readonly model: string;
  readonly stopReason?: string;
}

/** A folder the client works in. */
export interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}

/**
 * The program a call came from, where it can be asked something in turn. Asking what it cannot answer is
 * UNAVAILABLE. A client may have the call made again from its start once it has the answers: ask before anything is
 * changed, ask what belongs together at once, and let the call fail where asking does. A call's deadline runs on.
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

/** Stands where a call came from no client that could be asked. */
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
