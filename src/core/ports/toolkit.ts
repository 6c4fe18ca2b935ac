import type { Decision, Mode } from "../call/decisions.ts";
import type { Effect } from "../call/effects.ts";
import type { HaftEvent, NewEvent } from "../call/events.ts";
import type { Call, CallOptions, Outcome, Repair } from "../call/outcome.ts";
import type { ErrorInfo } from "../call/errors.ts";
import type { ToolListing } from "../tool/tool.ts";

export type DefinitionFormat = "openai" | "anthropic" | "gemini" | "mcp";

export interface DefinitionOptions {
  /** Offer what this mode may call. Default: the kit's mode. */
  readonly mode?: Mode;
  readonly names?: readonly string[];
  /** In definitions, also tools that do the work of another one in another form. Default: only those in `names`. */
  readonly variants?: boolean;
}

/** Tools in a provider's own shape, sorted by name and byte-stable, with what its schema dialect could not carry. */
export interface Definitions {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly dropped: readonly {
    readonly tool: string;
    readonly path: string;
    readonly keyword: string;
  }[];
}

/** What a call would mean; nothing runs. */
export interface Explanation {
  readonly tool?: string;
  readonly input?: unknown;
  readonly repairs: readonly Repair[];
  readonly effects: readonly Effect[];
  readonly decision?: Decision;
  readonly error?: ErrorInfo;
}

/** What the agent loop, the MCP server and adapters hold of a kit. */
export interface Toolkit {
  /** Takes one call through every step. Never rejects for what the call does. */
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  /** Runs the calls of one turn: conflicting ones in order, the rest together. Outcomes come in call order. */
  callAll(calls: readonly Call[], options?: CallOptions): Promise<readonly Outcome[]>;
  /** What a call would touch and what the rules make of it. Nothing runs, nobody is asked. */
  explain(call: Call): Promise<Explanation>;
  /** The tools in a provider's shape; `dropped` says what its dialect could not carry. */
  definitions(format: DefinitionFormat, options?: DefinitionOptions): Promise<Definitions>;
  /** What is offered now, sorted by name; loads no tool. */
  listings(options?: DefinitionOptions): readonly ToolListing[];
  /** Hears every event from now on; the returned function stops it. */
  subscribe(listener: (event: HaftEvent) => void): () => void;
  emit(event: NewEvent): void;
  /** Milliseconds since the epoch, by the host's clock. */
  now(): number;
  /** A fresh id with this prefix, unique within the kit. */
  newId(prefix: string): string;
}
