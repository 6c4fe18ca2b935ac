import type { TokenUsage } from "../call/token-usage.ts";
import type { JsonSchema } from "./json.ts";
import { serviceToken } from "../ports/service-token.ts";

/** Name of the tool that finds the others. */
export const toolSearchName = "ToolSearch";

/** A tool that a search found. */
export interface FoundTool {
  /** Name that calls use. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  /** Schema of its input, where the model does not see the definition; absent if it is not known now. */
  readonly inputSchema?: JsonSchema;
}

/** How the best matches of a search were put in order after their words had been compared. */
export interface ToolRankingReport {
  /** Model that was asked: the background model, or one that compares the meaning of texts. */
  readonly by: "background" | "embeddings";
  /** Tokens that it took, also where it failed after an answer. */
  readonly usage?: TokenUsage;
  /** US dollars; missing for a model without prices. */
  readonly costUsd?: number;
  /** Reason why the order of the words was used, in a sentence; absent if the ranking succeeded. */
  readonly failure?: string;
}

/** Circumstances of a search. */
export interface ToolSearchMeans {
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
  /** Run whose budget pays for the ranking. */
  readonly runId?: string | undefined;
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
  /** Estimate of the tokens that each request to the model is shorter by, because it lacks the tools still deferred. */
  readonly tokensSaved: number;
  /** How the matches were ranked; absent if only their words were compared. */
  readonly ranking?: ToolRankingReport;
  /** Sources of tools that may match and cannot be searched now, one sentence each; absent if there are none. */
  readonly notes?: readonly string[];
  /** Name of the tool that those found are called through; absent if they joined the list of the model. */
  readonly callThrough?: string;
}

/** Search among the tools that a model does not see until it needs them. */
export interface ToolSearch {
  /** Finds tools by keywords, `+required` words, names or `select:a,b`; the session sees those found from now on. */
  find(query: string, sessionId: string | undefined, means?: ToolSearchMeans): Promise<FoundTools>;
}

export const toolSearch = serviceToken<ToolSearch>("toolSearch");
