import type { JsonSchema } from "./json.ts";
import { serviceToken } from "../ports/service-token.ts";

/** A tool that a search found. */
export interface FoundTool {
  /** Name that calls use. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Schema of its input, where the model does not see the definition; absent if it is not known now. */
  readonly inputSchema?: JsonSchema;
}

/** Result of a search among the tools of a kit. */
export interface FoundTools {
  /** Best matches that the model did not see, best first. */
  readonly found: readonly FoundTool[];
  /** Number of matches that the model does not see either and that did not fit. */
  readonly more: number;
  /** Best matches that the model sees already. */
  readonly active: readonly FoundTool[];
  /** Names that were selected and belong to no tool. */
  readonly unknown: readonly string[];
  /** Number of tools that the model did not see before the search. */
  readonly deferred: number;
  /** Sources of tools that may match and cannot be searched now, one sentence each; absent if there are none. */
  readonly notes?: readonly string[];
  /** Name of the tool that those found are called through; absent if they joined the list of the model. */
  readonly callThrough?: string;
}

/** Search among the tools that a model does not see until it needs them. */
export interface ToolSearch {
  /** Finds tools by keywords, `+required` words, names or `select:a,b`; the session sees those found from now on. */
  find(query: string, sessionId: string | undefined): Promise<FoundTools>;
}

export const toolSearch = serviceToken<ToolSearch>("toolSearch");
