import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ContentPart } from "./content.ts";
import type { Effect, EffectKind } from "../call/effects.ts";
import type { Host } from "../ports/host.ts";
import type { JsonSchema } from "./json.ts";
import type { PreviewResult } from "../call/preview.ts";
import type { ServiceToken } from "../ports/service-token.ts";

/** How far an outcome's content may be trusted: web pages, MCP results and outside files are not. */
export type Trust = "trusted" | "untrusted";

/** A schema for input: Standard Schema, plain JSON Schema, or a validator with the JSON Schema to publish. */
export type InputSchema =
  | StandardSchemaV1
  | JsonSchema
  | { readonly schema: StandardSchemaV1; readonly jsonSchema: JsonSchema };

/** The type a tool's functions see; unknown for plain JSON Schema. */
export type InferInput<S> = S extends { readonly schema: infer Inner extends StandardSchemaV1 }
  ? StandardSchemaV1.InferOutput<Inner>
  : S extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<S>
    : Readonly<Record<string, unknown>>;

/** A description in layers, so that a short catalog and a full prompt come from one text. */
export interface LayeredDescription {
  readonly short: string;
  readonly long?: string;
  readonly usageNotes?: readonly string[];
  readonly examples?: readonly { readonly input: unknown; readonly note?: string }[];
  /** What must not be missed; printed last. */
  readonly important?: readonly string[];
}

export interface ToolSource {
  /** Server id, or "built-in", "option", "workspace". */
  readonly id: string;
  readonly name: string;
  readonly kind: "built-in" | "custom" | "mcp";
}

/** How well a tool's calls can be taken back: 0 not surely, 1 undo, 2 preview and undo. */
export type CapabilityLevel = 0 | 1 | 2;

/** What a tool is, without running it. */
export interface ToolListing {
  readonly name: string;
  readonly displayName: string;
  /** One sentence. */
  readonly summary: string;
  /** The whole text a model sees. */
  readonly description: string;
  readonly version: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly searchHint: string;
  readonly icon?: string;
  readonly source: ToolSource;
  readonly strict: boolean;
  readonly touches: readonly EffectKind[];
  readonly flags: ToolFlags;
  /** How well its calls can be taken back; derived. Where commands run on an overlay it may be higher. */
  readonly level: CapabilityLevel;
  readonly staged?: ToolTraits["staged"];
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

/** Derived from `touches`; a tool may only make them stricter. */
export interface ToolFlags {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly concurrencySafe: boolean;
}

/** What a tool hands back. */
export interface ToolResult {
  readonly content: string | readonly ContentPart[];
  /** Must say the same as `content`: clients show the model one of the two. */
  readonly structuredContent?: unknown;
  /** For people: what was done, in a few words. */
  readonly title?: string;
  /** For people: what came of it, in a few words. */
  readonly summary?: string;
  /** For interfaces, JSON-compatible. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The tool ran and its answer is a failure the model should read. */
  readonly isError?: boolean;
  /** Default: "untrusted" where an effect reaches outside the workspace, else "trusted". */
  readonly trust?: Trust;
}

export interface ProgressUpdate {
  /** A title that became known while the tool runs. */
  readonly title?: string;
  /** Facts for interfaces that changed, as the tool gave them. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}

/** What `effects` may use: read-only doors, and where the call stands. */
export interface EffectContext {
  /** Reads only; anything else fails with UNDECLARED_EFFECT. */
  readonly host: Host;
  /** The workspace root, canonical. */
  readonly workspace: string;
  /** Where relative paths start. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  /** A service the kit provides; UNAVAILABLE where it has none. */
  readonly service: <T>(token: ServiceToken<T>) => T;
}

/** What `run` may use. */
export interface ToolContext extends EffectContext {
  /** Narrowed to the call's grant: everything else fails with UNDECLARED_EFFECT. */
  readonly host: Host;
  readonly callId: string;
  readonly toolName: string;
  /** The rule that withholds a path inside a granted tree, for tools that list or search. */
  readonly excludes: (path: string) => string | undefined;
  readonly progress: (update: ProgressUpdate) => void;
  /** Streams what a long call prints; bounded and kept whole by the pipeline. */
  readonly output: { readonly write: (text: string, stream?: "stdout" | "stderr") => void };
  /** Facts for interfaces: listeners get them at once as progress, and the outcome's metadata has them merged. A text in `title` is the title of a call that names none in its result. */
  readonly metadata: (patch: Readonly<Record<string, unknown>>) => void;
}

/** What is wrong with an input, in terms a model can act on. */
export interface InputIssue {
  /** `/edits/0/old_string`, "" for the whole. */
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}

/** The parts of a tool that do not depend on its input type's inference. */
export interface ToolTraits {
  /** 1 to 64 characters of letters, digits, `_`, `-` and `.`, starting with a letter. */
  readonly name: string;
  readonly displayName?: string;
  readonly version?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  /** Other names a call or a rule may use for it. */
  readonly aliases?: readonly string[];
  /** Words a search should find it by, beyond its description. */
  readonly searchHint?: string;
  readonly icon?: string;
  readonly source?: ToolSource;
  /** Ask providers to hold the model to the schema. Default false. */
  readonly strict?: boolean;
  /** Every effect kind a call of it may have. The effects of a call are asserted to be within it. */
  readonly touches: readonly EffectKind[];
  /** Only the stricter direction counts: a flag that `touches` denies stays denied. */
  readonly flags?: Partial<ToolFlags>;
  /** Milliseconds for one run. Default 60,000. */
  readonly timeoutMs?: number;
  /** Characters of the answer that the model sees. Default 50,000. */
  readonly maxChars?: number;
  /**
   * The tool whose work it does in a form that some models prefer. Where that one is offered, definitions leave
   * it out unless it is asked for; a call and a rule always find it.
   */
  readonly variantOf?: string;
  /**
   * How a call can be tried without effect. `files`: everything it does it does through `context.host` and the services
   * every kit has, and programs it starts only look, so that it can be run with its changes kept apart. `commands`: what
   * it changes it changes through a program it starts, which can run on an overlay.
   */
  readonly staged?: "files" | "commands";
  /** Services it cannot work without; where the kit lacks one the tool is not offered. */
  readonly needs?: readonly ServiceToken<unknown>[];
}

/** The parts that know the input. `init` may bring these later. */
export interface ToolBehaviour<Input> {
  readonly description: string | LayeredDescription;
  /** Other names a model uses for a key: `{ file_path: ["path", "filePath"] }`. Tried only after validation failed. */
  readonly inputAliases?: Readonly<Record<string, readonly string[]>>;
  /** Keys whose text is passed on untouched, whatever it looks like. */
  readonly freeText?: readonly string[];
  /** What `structuredContent` looks like; published as it stands, the content itself is not checked. */
  readonly output?: InputSchema;
  /** What this input will touch. Left out: unknown for a tool that touches more than read. May be async; throwing means unknown. */
  effects?(input: Input, context: EffectContext): readonly Effect[] | Promise<readonly Effect[]>;
  /** The call in one line, for people and loop detection. */
  signature?(input: Input): string;
  /** The narrowest rule that would allow this input and its like. */
  suggestRule?(input: Input): string | undefined;
  run(input: Input, context: ToolContext): Promise<ToolResult> | ToolResult;
  preview?(input: Input, context: ToolContext): Promise<PreviewResult>;
  /**
   * Takes back a call that no journal can: deletes what it created elsewhere. `outcome` is what the run answered, as
   * JSON: `{ content, structuredContent, metadata }`. It is judged and granted as the call itself would be now.
   */
  undo?(input: Input, outcome: unknown, context: ToolContext): Promise<ToolResult>;
  /** After a crash: whether an interrupted call took effect. */
  reconcile?(input: Input, context: ToolContext): Promise<"done" | "not-done" | "unknown">;
  /** Words an input error its own way. */
  formatIssues?(issues: readonly InputIssue[]): string;
}

/** A tool ready to run. Made by `defineTool`; the input type is checked there and erased here. */
export interface Tool extends ToolTraits, ToolBehaviour<unknown> {
  readonly kind: "tool";
  readonly input: InputSchema;
}

/** A tool whose description, schema and behaviour are made on first use, once per kit. */
export interface LazyTool extends ToolTraits {
  readonly kind: "lazy-tool";
  /** What `init` will bring, where it is known beforehand: listing the tool then loads nothing. */
  readonly known?: Pick<ToolListing, "summary" | "description" | "inputSchema"> &
    Partial<Pick<ToolListing, "level">>;
  init(context: InitContext): Promise<Tool> | Tool;
}

export interface InitContext {
  readonly host: Host;
  readonly workspace: string;
  service<T>(token: ServiceToken<T>): T;
}
