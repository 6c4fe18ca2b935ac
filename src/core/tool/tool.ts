import type { InputIssue } from "../call/error-data.ts";
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ContentPart } from "./content.ts";
import type { Effect, EffectKind } from "../call/effects.ts";
import type { Host } from "../ports/host/host.ts";
import type { JsonSchema } from "./json.ts";
import type { PreviewResult } from "../call/preview.ts";
import type { UserQuestion, UserReply } from "../ports/user-questions.ts";
import type { ServiceToken } from "../ports/service-token.ts";
import type { Mode } from "../call/decisions.ts";

/** Whether an outcome's content can be trusted: web pages, MCP results and files outside the workspace cannot. */
export type Trust = "trusted" | "untrusted";

/** A schema for input: Standard Schema, plain JSON Schema, or a validator with the JSON Schema to publish. */
export type InputSchema =
  | StandardSchemaV1
  | JsonSchema
  | { readonly schema: StandardSchemaV1; readonly jsonSchema: JsonSchema };

/** The input type of a tool's functions; values are `unknown` for plain JSON Schema. */
export type InferInput<S> = S extends { readonly schema: infer Inner extends StandardSchemaV1 }
  ? StandardSchemaV1.InferOutput<Inner>
  : S extends StandardSchemaV1
    ? StandardSchemaV1.InferOutput<S>
    : Readonly<Record<string, unknown>>;

/** A description in layers, so that the short catalog and the full prompt come from one text. */
export interface LayeredDescription {
  /** One or two sentences that the model always sees. */
  readonly short: string;
  /** Further sentences. */
  readonly long?: string;
  /** Notes, one a line. */
  readonly usageNotes?: readonly string[];
  /** Inputs with an explanation. */
  readonly examples?: readonly { readonly input: unknown; readonly note?: string }[];
  /** Points that the model must not miss; printed last. */
  readonly important?: readonly string[];
}

/** Where a tool comes from. */
export interface ToolSource {
  /** Server id, or "built-in", "option", "workspace". */
  readonly id: string;
  /** Name for users, such as that of an MCP server. */
  readonly name: string;
  /** Kind of source. */
  readonly kind: "built-in" | "custom" | "mcp";
}

/** How far a tool's calls can be undone: 0 no guarantee, 1 undo, 2 preview and undo. */
export type CapabilityLevel = 0 | 1 | 2;

/** Facts about a tool, available without running it. */
export interface ToolListing {
  /** Name of the tool. */
  readonly name: string;
  /** Name for users. */
  readonly displayName: string;
  /** One sentence. */
  readonly summary: string;
  /** The full text that a model sees. */
  readonly description: string;
  /** Version of the tool. */
  readonly version: string;
  /** Category, such as `files`. */
  readonly category: string;
  /** Words for filters and search. */
  readonly tags: readonly string[];
  /** Other names under which it can be called. */
  readonly aliases: readonly string[];
  /** Words that a search for the tool may use. */
  readonly searchHint: string;
  /** Icon for interfaces. */
  readonly icon?: string;
  /** Where the tool comes from. */
  readonly source: ToolSource;
  /** Whether providers hold the model to the schema strictly. */
  readonly strict: boolean;
  /** Kinds of effects that it may have. */
  readonly touches: readonly EffectKind[];
  /** Behavior, derived from the effects it may have. */
  readonly flags: ToolFlags;
  /** How far its calls can be undone; derived. May be higher where commands run on an overlay. */
  readonly level: CapabilityLevel;
  /** How its changes are staged for preview and undo; absent if they are not. */
  readonly staged?: ToolTraits["staged"];
  /** Whether the tool is offered unless settings say otherwise. */
  readonly enabled: boolean;
  /** Whether its calls are allowed unless a rule, a setting or the floor says otherwise. */
  readonly autoExecute: boolean;
  /** Strongest thing its calls can do; derived. */
  readonly kind: "readonly" | "write" | "execute";
  /** Parameters at the top of `inputSchema`, for interfaces. */
  readonly parameters: readonly ToolParameter[];
  /** JSON Schema of its input. */
  readonly inputSchema: JsonSchema;
  /** JSON Schema of its structured result. */
  readonly outputSchema?: JsonSchema;
}

/** One parameter of a tool, for interfaces. */
export interface ToolParameter {
  /** Name of the parameter. */
  readonly name: string;
  /** JSON type, several joined by " | "; "any" if the schema names none. */
  readonly type: string;
  /** Description for the model. */
  readonly description: string;
  /** Whether the input must have it. */
  readonly required: boolean;
  /** Values that it may have; absent if any value of the type may be given. */
  readonly enum?: readonly unknown[];
}

/** Derived from `touches`; a tool may only make them stricter. */
export interface ToolFlags {
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May remove or overwrite something. */
  readonly destructive: boolean;
  /** A second call with the same input changes nothing more. */
  readonly idempotent: boolean;
  /** May reach beyond this machine. */
  readonly openWorld: boolean;
  /** May run at the same time as other calls. */
  readonly concurrencySafe: boolean;
}

/** Result of a tool's run. */
export interface ToolResult {
  /** Result for the model; the pipeline bounds and redacts it. */
  readonly content: string | readonly ContentPart[];
  /** Must carry the same information as `content`: clients show the model one of the two. */
  readonly structuredContent?: unknown;
  /** The action in a few words, for users. */
  readonly title?: string;
  /** The result in a few words, for users. */
  readonly summary?: string;
  /** JSON-compatible facts for user interfaces. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The tool ran, and its content describes a failure that the model should read. */
  readonly isError?: boolean;
  /** Default: "untrusted" where an effect reaches outside the workspace, else "trusted". */
  readonly trust?: Trust;
}

/** Progress of a call. */
export interface ProgressUpdate {
  /** A title that became known while the tool runs. */
  readonly title?: string;
  /** Changed facts for user interfaces, as the tool reported them. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Current activity, in a few words. */
  readonly message?: string;
  /** Units completed. */
  readonly done?: number;
  /** Units in all. */
  readonly total?: number;
}

/** Context of `effects`: read-only services and the call's directories and ids. */
export interface EffectContext {
  /** Reads only; anything else fails with UNDECLARED_EFFECT. */
  readonly host: Host;
  /** Canonical path of the workspace root. */
  readonly workspace: string;
  /** Base directory of relative paths. */
  readonly cwd: string;
  /** Ends the determination of effects. */
  readonly signal: AbortSignal;
  /** Session of the call; undefined outside one. */
  readonly sessionId: string | undefined;
  /** Agent of the call; undefined outside a run. */
  readonly agentId: string | undefined;
  /** Returns a service of the kit; fails with UNAVAILABLE where the kit has none. */
  readonly service: <T>(token: ServiceToken<T>) => T;
}

/** Context of `run`. */
export interface ToolContext extends EffectContext {
  /** Narrowed to the call's grant: everything else fails with UNDECLARED_EFFECT. */
  readonly host: Host;
  /** Id of the call. */
  readonly callId: string;
  /** Run that made the call; absent for a call outside a run. */
  readonly runId?: string | undefined;
  /** Name under which the tool was called. */
  readonly toolName: string;
  /** Returns the rule that excludes a path inside a granted tree, for tools that list or search. */
  readonly excludes: (path: string) => string | undefined;
  /** Reports progress to the caller. */
  readonly progress: (update: ProgressUpdate) => void;
  /** Streams the output of a long call; the pipeline bounds it and stores it in full. */
  readonly output: { readonly write: (text: string, stream?: "stdout" | "stderr") => void };
  /**
   * Reports facts for user interfaces: listeners get them at once as progress, and they are merged into the outcome's
   * metadata. A string in `title` becomes the title of a call whose result has none.
   */
  readonly metadata: (patch: Readonly<Record<string, unknown>>) => void;
  /**
   * Asks the user, after the questions that are open; the deadline of the call waits. For tools that touch `interact`.
   * Rejects with APPROVAL_REQUIRED where nobody can be asked or nobody answered, and with ABORTED when the call or its
   * turn is ended: neither is ever an approval.
   */
  readonly ask: (question: UserQuestion) => Promise<UserReply>;
}

/** The members of a tool that do not depend on its input type. */
export interface ToolTraits {
  /** 1 to 64 characters of letters, digits, `_`, `-` and `.`, starting with a letter. */
  readonly name: string;
  /** Name for users. Default: the name. */
  readonly displayName?: string;
  /** Version of the tool. */
  readonly version?: string;
  /** Category, such as `files`. */
  readonly category?: string;
  /** Words for filters and search. */
  readonly tags?: readonly string[];
  /** Other names that a call or a rule may use for the tool. */
  readonly aliases?: readonly string[];
  /** Search terms for the tool, in addition to its description. */
  readonly searchHint?: string;
  /** Whether a model sees the tool from the start, also where most tools are deferred. Default false. */
  readonly alwaysLoad?: boolean;
  /** Icon for interfaces. */
  readonly icon?: string;
  /** Where the tool comes from. Default: an option of the toolkit. */
  readonly source?: ToolSource;
  /** Ask providers to enforce the schema on the model's output. Default false. */
  readonly strict?: boolean;
  /**
   * Whether the tool is offered. The setting `tools` takes precedence.
   *
   * @default true
   */
  readonly enabled?: boolean;
  /**
   * Whether its calls are allowed without a question: an allow rule below every deny and ask rule and the floor. The
   * setting `tools` takes precedence.
   *
   * @default false
   */
  readonly autoExecute?: boolean;
  /** Every effect kind that a call may have. The pipeline asserts that a call's effects are among them. */
  readonly touches: readonly EffectKind[];
  /** Overrides that can only make a flag stricter: a flag that `touches` rules out stays ruled out. */
  readonly flags?: Partial<ToolFlags>;
  /** Milliseconds for one run. Default 60,000. */
  readonly timeoutMs?: number;
  /** Maximum characters of the answer that the model sees. Default 50,000. */
  readonly maxChars?: number;
  /**
   * Name of the tool that this one is an alternative form of, for models that prefer it. Where that tool is offered,
   * definitions omit this one unless it is requested; calls and rules always find it.
   */
  readonly variantOf?: string;
  /**
   * How a call can be tried without effect. `files`: the tool acts only through `context.host` and the services that
   * every kit has, and the programs it starts only read, so it can run with its changes kept apart. `commands`: all its
   * changes are made by a program it starts, which can run on an overlay.
   */
  readonly staged?: "files" | "commands";
  /** Modes in which the tool is offered; a call finds it in every mode. Default: all. */
  readonly modes?: readonly Mode[];
  /** Services that the tool requires; where the kit lacks one, the tool is not offered. */
  readonly needs?: readonly ServiceToken<unknown>[];
}

/** The members of a tool that depend on its input type. `init` may provide them later. */
export interface ToolBehaviour<Input> {
  /** Description for the model. */
  readonly description: string | LayeredDescription;
  /**
   * Other names that a model uses for a key: `{ file_path: ["path", "filePath"] }`. Tried only after validation fails.
   */
  readonly inputAliases?: Readonly<Record<string, readonly string[]>>;
  /** Keys whose text is passed on unchanged, whatever it looks like. */
  readonly freeText?: readonly string[];
  /** Schema of `structuredContent`; published unchanged. The content itself is not checked against it. */
  readonly output?: InputSchema;
  /**
   * Lists the effects of a call with this input. May be async; a throw counts as unknown. Default: unknown for a tool
   * that touches more than `read`.
   */
  effects?(input: Input, context: EffectContext): readonly Effect[] | Promise<readonly Effect[]>;
  /** Describes the call in one line, for users and loop detection. */
  signature?(input: Input): string;
  /** Returns the narrowest rule that would allow this input and similar ones. */
  suggestRule?(input: Input): string | undefined;
  /** Runs the tool with a validated input. A thrown ToolError becomes the outcome's error. */
  run(input: Input, context: ToolContext): Promise<ToolResult> | ToolResult;
  /** Predicts what the call would change; changes nothing itself. */
  preview?(input: Input, context: ToolContext): Promise<PreviewResult>;
  /**
   * Undoes a call that no journal can undo, for example by deleting what it created elsewhere. `outcome` is the result
   * of the run as JSON: `{ content, structuredContent, metadata }`. The undo is judged and granted as the call itself
   * would be now.
   */
  undo?(input: Input, outcome: unknown, context: ToolContext): Promise<ToolResult>;
  /**
   * Reports, after a crash, whether an interrupted call took effect. `unknown` is final: the call may be half done.
   * Undefined leaves the answer to the journal, which knows the changes of calls that ended.
   */
  reconcile?(
    input: Input,
    context: ToolContext,
  ): Promise<"done" | "not-done" | "unknown" | undefined>;
  /** Formats input errors in the tool's own words. */
  formatIssues?(issues: readonly InputIssue[]): string;
}

/** A tool ready to run. Made by `defineTool`; the input type is checked there and erased here. */
export interface Tool extends ToolTraits, ToolBehaviour<unknown> {
  readonly kind: "tool";
  /** Schema of the input. */
  readonly input: InputSchema;
}

/** A tool whose description, schema and behaviour are made on first use, once per kit. */
export interface LazyTool extends ToolTraits {
  readonly kind: "lazy-tool";
  /** Facts that `init` will provide, where they are known beforehand: listing the tool then loads nothing. */
  readonly known?: Pick<ToolListing, "summary" | "description" | "inputSchema"> &
    Partial<Pick<ToolListing, "level">>;
  /** Loads the tool; called once, on first use. */
  init(context: InitContext): Promise<Tool> | Tool;
}

/** Context in which a lazy tool is loaded. */
export interface InitContext {
  /** Host on which it will act. */
  readonly host: Host;
  /** Directory the tools work in, canonical. */
  readonly workspace: string;
  /** Returns a service. Throws UNAVAILABLE if nothing provides it. */
  service<T>(token: ServiceToken<T>): T;
}
