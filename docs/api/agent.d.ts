import { StandardSchemaV1 } from "@standard-schema/spec";
interface ActiveWork {
  readonly id: string;
  readonly kind: "command" | "agent";
  readonly title: string;
}
interface AgentInfo {
  readonly agentId: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly parentAgentId?: string;
  readonly depth: number;
  readonly agent: string;
  readonly description: string;
  readonly isBackground: boolean;
  readonly status: AgentStatus;
  readonly text: string;
  readonly activity: string;
  readonly model?: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
  readonly savedUsd?: number;
  readonly startedAt: number;
  readonly lastActivityAt: number;
  readonly endedAt?: number;
  readonly denials?: readonly Denial[];
  readonly error?: ErrorInfo;
  readonly worktree?: AgentWorktree;
}
interface AgentRun {
  readonly id: string;
  readonly sessionId: string;
  readonly events: AsyncIterable<HaftEvent>;
  readonly result: Promise<RunResult>;
  send(message: string | UserMessage): boolean;
  compact(): Promise<boolean>;
  abort(reason?: string): void;
}
type AgentStatus = string;
interface AgentTask {
  readonly id: string;
  readonly kind: "agent" | "delegation";
  readonly status: "running" | "done" | "failed" | "stopped" | "lost";
  readonly title: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly activeAt?: number;
  readonly activity?: string;
  readonly calls?: number;
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly reason?: string;
  readonly printedBytes: number;
  readonly seenBytes: number;
  readonly trust: Trust;
  readonly callId?: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}
interface AgentWorktree {
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly commits: number;
  readonly changedFiles: number;
  readonly isKept: boolean;
}
interface AiSdkOptions {
  readonly id?: string;
  readonly dialect?: DefinitionFormat;
  readonly info?: ModelInfo;
  readonly parallelCalls?: boolean;
}
type Answer = {
  readonly kind: "once";
} | {
  readonly kind: "answer";
  readonly choices: readonly string[];
  readonly text?: string;
} | {
  readonly kind: "save";
  readonly rule: string;
  readonly scope: SaveScope;
} | {
  readonly kind: "deny" | "deny-all";
  readonly reason?: string;
} | {
  readonly kind: "edit";
  readonly input: unknown;
} | {
  readonly kind: "abort";
};
type AnthropicTool = {
  name: string;
  description: string;
  input_schema: ObjectSchema;
  strict?: boolean;
  defer_loading?: boolean;
};
interface ArtifactRef {
  readonly path: string;
  readonly chars: number;
  readonly lines: number;
  readonly missingChars?: number;
}
interface Ask {
  readonly kind: "permission" | "question" | "plan";
  readonly callId: string;
  readonly tool: string;
  readonly displayName: string;
  readonly input: unknown;
  readonly effects: readonly Effect[];
  readonly question: string;
  readonly reason: string;
  readonly options?: readonly QuestionOption[];
  readonly isMultiSelect?: boolean;
  readonly suggestion?: string;
  readonly preview?: string;
  readonly notUndoable?: string;
  readonly trail: readonly Finding[];
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly refusals: number;
}
interface Assign {
  readonly name: string;
  readonly value: Word;
}
interface AssistantMessage {
  readonly role: "assistant";
  readonly content: readonly AssistantPart[];
}
type AssistantPart = {
  readonly type: "text";
  readonly text: string;
  readonly providerData?: ProviderData;
} | {
  readonly type: "reasoning";
  readonly text: string;
  readonly providerData?: ProviderData;
} | ToolCallPart | ProviderPart;
interface BudgetLimits {
  readonly maxTurns?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxAgents?: number;
}
interface BudgetRequest {
  readonly model: Model;
  readonly inputTokens: number;
  readonly maxOutputTokens: number | undefined;
}
interface BudgetReservation {
  readonly maxOutputTokens: number | undefined;
  settle(usage: TokenUsage): void;
}
interface BudgetUse {
  readonly turns: number;
  readonly calls: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly agents: number;
}
interface ByProgram {
  readonly by?: Span;
  readonly through?: string;
}
interface Call {
  readonly id?: string;
  readonly name: string;
  readonly input?: unknown;
  readonly incomplete?: boolean;
  readonly messageId?: string;
}
interface CallAllOptions extends CallOptions {
  readonly onOutcome?: ((index: number, outcome: Outcome) => void) | undefined;
}
interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined;
  readonly onOutput?: ((text: string, stream: "stdout" | "stderr") => void) | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly runId?: string | undefined;
  readonly parentAgentId?: string | undefined;
  readonly depth?: number | undefined;
  readonly turn?: number | undefined;
  readonly trace?: TraceParent | undefined;
  readonly inOrder?: boolean | undefined;
  readonly onAsk?: OnAsk | undefined;
  readonly services?: Services | undefined;
}
type CapabilityLevel = 0 | 1 | 2;
interface CommandTask {
  readonly id: string;
  readonly kind: "command";
  readonly status: TaskStatus;
  readonly title: string;
  readonly cwd: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly endedBy?: "stop" | "session-end" | "output-limit" | "timeout";
  readonly outputFile?: string;
  readonly printedBytes: number;
  readonly seenBytes: number;
  readonly takesInput: boolean;
  readonly trust: Trust;
  readonly callId: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly runId?: string;
}
interface CompactionOptions {
  readonly atTokens?: number;
  readonly atShare?: number;
  readonly keepTurns?: number;
  readonly keep?: () => readonly PromptPart[] | Promise<readonly PromptPart[]>;
}
interface Completion {
  readonly message: string;
  isKnown?(): boolean;
  readonly mail?: number | undefined;
}
interface ConnectEffect extends ByProgram {
  readonly kind: "connect";
  readonly host: string;
  readonly port?: number;
  readonly reach?: "public";
  readonly span?: Span;
}
type ContentPart = TextPart | {
  readonly type: "image";
  readonly data: string;
  readonly mimeType: string;
} | {
  readonly type: "audio";
  readonly data: string;
  readonly mimeType: string;
} | {
  readonly type: "resource_link";
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
} | {
  readonly type: "resource";
  readonly resource: {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    readonly blob?: string;
  };
};
type Decision = {
  readonly kind: "allow";
  readonly rule: RuleRef;
  readonly grant: Grant;
  readonly trail: readonly Finding[];
} | {
  readonly kind: "ask";
  readonly question: string;
  readonly reason: string;
  readonly rule?: RuleRef;
  readonly suggestion?: string;
  readonly grant: Grant;
  readonly trail: readonly Finding[];
} | {
  readonly kind: "deny";
  readonly rule: RuleRef;
  readonly reason: string;
  readonly trail: readonly Finding[];
};
interface DecisionRecord {
  readonly kind: "allow" | "ask" | "deny";
  readonly rule?: RuleRef;
  readonly reason?: string;
  readonly answeredBy?: "user" | "hook" | "none";
  readonly trail: readonly Finding[];
}
interface DeferredDefinition {
  readonly tool: string;
  readonly name: string;
}
interface DefinitionByFormat {
  readonly anthropic: AnthropicTool;
  readonly "openai-chat": OpenAIChatTool;
  readonly "openai-responses": OpenAIResponsesTool;
  readonly gemini: GeminiTool;
  readonly mcp: McpTool;
  readonly openai: OpenAIChatTool;
}
type DefinitionFormat = keyof DefinitionByFormat;
interface DefinitionOptions {
  readonly mode?: Mode;
  readonly names?: readonly string[];
  readonly variants?: boolean;
}
interface Definitions<T = Readonly<Record<string, unknown>>> {
  readonly tools: T[];
  readonly dropped: readonly DroppedDefinitionPart[];
  readonly renamed: readonly RenamedDefinitionPart[];
  readonly deferred?: readonly DeferredDefinition[];
}
interface DelegateEffect {
  readonly kind: "delegate";
  readonly agent: string;
  readonly target?: "agent" | "session";
}
interface DelegatePrompts {
  system(): string;
  task(request: DelegateRequest): string;
}
interface DelegateRequest {
  readonly task: string;
  readonly context?: string | undefined;
  readonly expectedOutcome?: string | undefined;
}
interface Denial {
  readonly callId: string;
  readonly turn: number;
  readonly agentId?: string;
  readonly tool: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly rule?: RuleRef;
}
interface DroppedDefinitionPart {
  readonly tool: string;
  readonly path: string;
  readonly keyword: string;
}
type Effect = ReadEffect | WriteEffect | ExecuteEffect | ConnectEffect | DelegateEffect | InteractEffect | UnknownEffect;
type EffectKind = Effect["kind"];
interface EmbeddingSettings {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKeyEnv?: string;
}
type ErrorCode = keyof typeof errorCodes;
type ErrorData<C extends string = string> = C extends keyof ErrorDataByCode ? ErrorDataByCode[C] : ErrorFacts;
interface ErrorDataByCode {
  readonly UNKNOWN_TOOL: ErrorFacts & {
    readonly name?: string;
    readonly nearest?: readonly string[];
    readonly available?: readonly string[];
  };
  readonly INVALID_INPUT: ErrorFacts & {
    readonly issues?: readonly InputIssue[];
    readonly line?: number;
    readonly path?: string;
  };
  readonly PERMISSION_DENIED: ErrorFacts & {
    readonly rule?: RuleRef | string;
    readonly trail?: readonly Finding[];
    readonly path?: string;
    readonly paths?: readonly string[];
  };
  readonly APPROVAL_REQUIRED: ErrorFacts & {
    readonly suggestion?: string;
    readonly asked?: boolean;
  };
  readonly OUTSIDE_WORKSPACE: ErrorFacts & {
    readonly path?: string;
  };
  readonly UNDECLARED_EFFECT: ErrorFacts & {
    readonly need?: ErrorFacts | object;
    readonly declared?: readonly Effect[];
  };
  readonly TIMEOUT: ErrorFacts & {
    readonly timeoutMs?: number;
  };
  readonly NOT_FOUND: ErrorFacts & {
    readonly suggestions?: readonly string[];
    readonly path?: string;
    readonly callId?: string;
    readonly taskId?: string;
    readonly program?: string;
  };
  readonly NOT_A_DIRECTORY: ErrorFacts & {
    readonly kind?: string;
  };
  readonly NOT_A_FILE: ErrorFacts & {
    readonly kind?: string;
  };
  readonly BINARY_FILE: ErrorFacts & {
    readonly because?: string;
    readonly size?: number;
    readonly format?: string;
  };
  readonly TOO_LARGE: ErrorFacts & {
    readonly path?: string;
    readonly size?: number;
    readonly maxBytes?: number;
  };
  readonly ACCESS_DENIED: ErrorFacts & {
    readonly path?: string;
    readonly program?: string;
  };
  readonly NO_SPACE: ErrorFacts & {
    readonly path?: string;
  };
  readonly PATH_CHANGED: ErrorFacts & {
    readonly path?: string;
  };
  readonly LINK_LOOP: ErrorFacts & {
    readonly path?: string;
  };
  readonly STALE_READ: ErrorFacts & {
    readonly path?: string;
    readonly paths?: readonly string[];
    readonly expected?: string | null;
    readonly found?: string | null;
    readonly conflicts?: readonly object[];
  };
  readonly NOT_READ: ErrorFacts & Partial<LineRange>;
  readonly NO_MATCH: ErrorFacts & {
    readonly nearest?: LineRange;
  };
  readonly AMBIGUOUS_MATCH: ErrorFacts & {
    readonly lines?: readonly number[];
  };
  readonly COMMAND_FAILED: ErrorFacts & {
    readonly exitCode?: number | null;
    readonly signal?: string | null;
  };
  readonly LIMIT_REACHED: ErrorFacts & {
    readonly limit?: string;
  };
  readonly UNAVAILABLE: ErrorFacts & {
    readonly tool?: string;
    readonly service?: string;
    readonly path?: string;
    readonly callId?: string;
  };
  readonly MODEL_FAILED: ErrorFacts & {
    readonly status?: number;
    readonly retryAfterMs?: number;
  };
}
interface ErrorFacts {
  readonly [name: string]: unknown;
}
type ErrorInfo<C extends ErrorCode = ErrorCode> = { readonly [K in C]: ErrorInfoOf<K>; }[C];
interface ErrorInfoOf<C extends ErrorCode> {
  readonly code: C;
  readonly type: ErrorType;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly data?: ErrorData<C>;
}
type ErrorType = "validation" | "execution" | "permission" | "timeout" | "unknown";
interface EventBase {
  readonly seq: number;
  readonly at: number;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly runId?: string | undefined;
  readonly parentAgentId?: string | undefined;
  readonly depth?: number | undefined;
}
interface Exclusion {
  readonly root: string;
  readonly pattern: string;
  readonly rule: string;
}
interface ExecuteEffect {
  readonly kind: "execute";
  readonly argv: readonly Word[];
  readonly assigns: readonly Assign[];
  readonly via: readonly string[];
  readonly consequences: "listed" | "open";
  readonly worksIn?: readonly string[] | "unknown";
  readonly hosts?: "named" | "unknown";
  readonly access?: "declared";
  readonly span: Span;
}
interface Explanation {
  readonly tool?: string;
  readonly input?: unknown;
  readonly repairs: readonly Repair[];
  readonly effects: readonly Effect[];
  readonly decision?: Decision;
  readonly error?: ErrorInfo;
}
interface Finding {
  readonly verdict: "allow" | "ask" | "deny" | "note";
  readonly text: string;
  readonly effect?: Effect;
  readonly rule?: RuleRef;
  readonly hint?: string;
}
type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "error" | "interrupted" | "other";
type GeminiTool = {
  name: string;
  description: string;
  parametersJsonSchema: ObjectSchema;
};
interface Grant {
  readonly effects: readonly Effect[];
  readonly exclusions: readonly Exclusion[];
  excludes(path: string, access: "read" | "write"): string | undefined;
}
type HaftEvent = EventBase & ({
  readonly type: "call-start";
  readonly callId: string;
  readonly call: Call;
  readonly turn?: number | undefined;
  readonly trace?: TraceParent | undefined;
} | {
  readonly type: "call-decided";
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly effects: readonly Effect[];
  readonly decision: DecisionRecord;
} | {
  readonly type: "permission-ask";
  readonly callId: string;
  readonly ask: Ask;
} | {
  readonly type: "permission-answer";
  readonly callId: string;
  readonly answer: string;
  readonly rule?: string;
} | {
  readonly type: "call-progress";
  readonly callId: string;
  readonly update: ProgressUpdate;
} | {
  readonly type: "call-output";
  readonly callId: string;
  readonly text: string;
  readonly stream: "stdout" | "stderr";
} | {
  readonly type: "call-end";
  readonly callId: string;
  readonly outcome: Outcome;
} | {
  readonly type: "task-start";
  readonly task: Task;
} | {
  readonly type: "task-end";
  readonly task: Task;
} |
{
  readonly type: "task-change";
  readonly task: Task;
} |
{
  readonly type: "agent-start";
  readonly agent: AgentInfo;
  readonly parentRunId?: string | undefined;
} |
{
  readonly type: "agent-event";
  readonly agent: AgentInfo;
} | {
  readonly type: "agent-end";
  readonly agent: AgentInfo;
} | {
  readonly type: "mode-change";
  readonly mode: Mode;
} | {
  readonly type: "tools-change";
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly activated?: readonly string[];
} | {
  readonly type: "run-start";
  readonly runId: string;
  readonly task: string;
  readonly model: string;
} | {
  readonly type: "turn-start";
  readonly runId: string;
  readonly turn: number;
} | {
  readonly type: "model-text";
  readonly runId: string;
  readonly turn: number;
  readonly text: string;
} | {
  readonly type: "model-reasoning";
  readonly runId: string;
  readonly turn: number;
  readonly text: string;
} | {
  readonly type: "turn-end";
  readonly runId: string;
  readonly turn: number;
  readonly finish: string;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
} |
{
  readonly type: "request-start";
  readonly requestId: string;
  readonly callId?: string | undefined;
  readonly server: string;
  readonly method: string;
  readonly target?: string | undefined;
  readonly transport: "stdio" | "http";
  readonly address?: {
    readonly host: string;
    readonly port: number;
  } | undefined;
  readonly protocol?: string | undefined;
  readonly trace: {
    traceparent?: string;
    tracestate?: string;
  };
} |
{
  readonly type: "request-end";
  readonly requestId: string;
  readonly code?: string | undefined;
} |
{
  readonly type: "turn-discard";
  readonly runId: string;
  readonly turn: number;
  readonly code: ErrorCode;
  readonly reason: string;
} |
{
  readonly type: "model-retry";
  readonly runId: string;
  readonly turn: number;
  readonly model: string;
  readonly attempt: number;
  readonly waitMs: number;
  readonly code: ErrorCode;
  readonly reason: string;
} |
{
  readonly type: "compaction";
  readonly runId: string;
  readonly turn: number;
  readonly cause: "size" | "overflow" | "requested";
  readonly kind: "results" | "summary";
  readonly tokensBefore: number;
  readonly tokensAfter: number;
} |
{
  readonly type: "user-message";
  readonly runId: string;
  readonly workId?: string;
  readonly message: {
    readonly role: "user";
    readonly content: readonly ContentPart[];
  };
} |
{
  readonly type: "hook";
  readonly event: string;
  readonly hook: string;
  readonly result: "block" | "failure" | "rewrite" | "message";
  readonly text: string;
  readonly callId?: string | undefined;
} |
{
  readonly type: "settings-change";
  readonly result: "applied" | "kept";
  readonly changes: readonly string[];
  readonly because?: string;
} |
{
  readonly type: "run-wait";
  readonly runId: string;
  readonly work: readonly ActiveWork[];
} |
{
  readonly type: "events-dropped";
  readonly runId: string;
  readonly count: number;
} | {
  readonly type: "run-end";
  readonly runId: string;
  readonly status: string;
  readonly text: string;
  readonly usage?: TokenUsage;
  readonly tokensSaved?: number;
  readonly costUsd?: number;
});
interface HostClock {
  now(): number;
  sleep(ms: number, options?: HostOptions): Promise<void>;
  timer(ms: number, callback: () => void, options?: {
    readonly keepsAlive?: boolean;
  }): () => void;
}
interface HostOptions {
  readonly signal?: AbortSignal | undefined;
}
interface InputIssue {
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}
type InputSchema = StandardSchemaV1 | JsonSchema | {
  readonly schema: StandardSchemaV1;
  readonly jsonSchema: JsonSchema;
};
interface InteractEffect {
  readonly kind: "interact";
}
type JsonSchema = {
  readonly [key: string]: unknown;
};
interface LanguageModelCall {
  readonly prompt: unknown;
  readonly tools?: unknown;
  readonly toolChoice?: unknown;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly providerOptions?: unknown;
  readonly abortSignal?: AbortSignal;
}
interface LanguageModelLike {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doStream(options: LanguageModelCall): PromiseLike<{
    readonly stream: AsyncIterable<unknown>;
  }>;
}
interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}
interface LoadModelOptions extends ProviderOptions {
  readonly readText?: (file: string) => Promise<string>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly catalog?: Readonly<Record<string, ModelInfo>>;
  readonly parallelCalls?: boolean;
}
type McpTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema?: ObjectSchema;
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  icons?: {
    src: string;
  }[];
};
type Message = UserMessage | AssistantMessage | ToolMessage;
type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
interface Model {
  readonly id: string;
  readonly dialect?: DefinitionFormat;
  readonly info?: ModelInfo;
  readonly defersTools?: boolean;
  readonly cachesPrompts?: boolean;
  readonly search?: NativeSearch;
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}
interface ModelDefinitionOptions extends DefinitionOptions {
  readonly all?: boolean;
  readonly sessionId?: string | undefined;
  readonly native?: "hosted" | "client" | undefined;
}
type ModelEvent = {
  readonly type: "text" | "reasoning";
  readonly text: string;
  readonly block?: string;
  readonly end?: boolean;
  readonly providerData?: ProviderData;
} |
{
  readonly type: "tool-input";
  readonly block: string;
  readonly name: string;
  readonly text: string;
} |
{
  readonly type: "provider";
  readonly part: ProviderPart;
} | {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly incomplete?: boolean;
  readonly providerData?: ProviderData;
} | {
  readonly type: "usage";
  readonly usage: TokenUsage;
} | {
  readonly type: "finish";
  readonly reason: FinishReason;
};
interface ModelInfo {
  readonly contextTokens?: number;
  readonly maxOutputTokens?: number;
  readonly usdPerMTok?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
}
interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  readonly signal: AbortSignal;
  readonly maxOutputTokens?: number;
  readonly toolChoice?: ToolChoice;
  readonly temperature?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
interface ModelSettings {
  readonly default?: string;
  readonly background?: string;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly catalog?: Readonly<Record<string, ModelInfo>>;
  readonly embeddings?: EmbeddingSettings;
  readonly toolRanking?: "none" | "background" | "embeddings";
}
interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly strict?: boolean;
  readonly deferred?: string;
  readonly findsDeferred?: boolean;
}
interface NativeQuery extends WebQuery {
  readonly count: number;
}
interface NativeResults {
  readonly results: readonly WebResult[];
  readonly usage: TokenUsage;
}
interface NativeSearch {
  readonly host: string;
  readonly port: number;
  find(query: NativeQuery, options: {
    readonly signal: AbortSignal;
  }): Promise<NativeResults>;
}
type NewEvent = HaftEvent extends (infer E) ? E extends HaftEvent ? Omit<E, "seq" | "at"> : never : never;
type ObjectSchema = JsonSchema & {
  readonly type: "object";
};
interface OnAsk {
  (ask: Ask, options: {
    readonly signal: AbortSignal | undefined;
  }): Promise<Answer>;
  readonly looksAtPreview?: boolean;
  readonly isAutomatic?: boolean;
}
type OpenAIChatTool = {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: ObjectSchema;
    strict?: boolean;
  };
};
type OpenAIResponsesTool = {
  type: "function";
  name: string;
  description: string;
  parameters: ObjectSchema;
  strict: boolean;
  defer_loading?: boolean;
};
interface Outcome {
  readonly id: string;
  readonly tool: string;
  readonly status: "ok" | "failed" | "denied" | "aborted";
  readonly isError: boolean;
  readonly content: readonly ContentPart[];
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
type PrepareTurn = (info: TurnInfo) => TurnChanges | undefined | Promise<TurnChanges | undefined>;
interface ProgressUpdate {
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}
interface PromptPart {
  readonly name: string;
  readonly text: string;
}
type ProviderData = Readonly<Record<string, unknown>>;
interface ProviderOptions {
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}
interface ProviderPart {
  readonly type: "provider";
  readonly provider: string;
  readonly kind: "tool-call" | "tool-result" | "source" | "other";
  readonly data: unknown;
}
interface QuestionOption {
  readonly label: string;
  readonly description?: string;
}
interface ReadEffect extends ByProgram {
  readonly kind: "read";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly span?: Span;
}
type Reconciliation = "done" | "not-done" | "unknown" | "repeatable";
interface RenamedDefinitionPart {
  readonly tool: string;
  readonly path: string;
  readonly name: string;
}
interface Repair {
  readonly path: string;
  readonly kind: string;
  readonly message: string;
}
type RequestOptions = Pick<ModelRequest, "toolChoice" | "temperature" | "headers" | "providerOptions">;
interface RetryOptions {
  readonly attempts?: number;
  readonly baseMs?: number;
  readonly maxMs?: number;
}
interface RuleRef {
  readonly rule: string;
  readonly list: "deny" | "ask" | "allow";
  readonly scope: RuleScope;
  readonly file?: string;
  readonly line?: number;
}
type RuleScope = "floor" | "managed" | "option" | "session" | "local" | "project" | "user" | "mode" | "built-in" | "boundary" | "taint" | "ceiling" | "hook";
interface RunBudget {
  readonly limits: BudgetLimits;
  readonly used: BudgetUse;
  readonly leftMs?: number | undefined;
  takeTurn(): void;
  takeCalls(wanted: number): number;
  takeAgent(): void;
  reserve(request: BudgetRequest): BudgetReservation;
  spend(model: Model, usage: TokenUsage): void;
}
type RunClock = Pick<HostClock, "sleep" | "timer">;
interface RunLimits extends BudgetLimits {
  readonly maxTurns?: number;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxAgents?: number;
  readonly deadlineMs?: number;
  readonly maxOutputTokens?: number;
  readonly idleMs?: number;
}
interface RunLog {
  readonly steps: Steps;
  append(messages: readonly Message[], mail?: readonly number[]): Promise<void>;
  mail?(): readonly StoredMail[];
  replace(messages: readonly Message[], reason: "compaction"): Promise<void>;
}
interface RunOptions extends RequestOptions {
  readonly toolkit: Toolkit;
  readonly model: Model;
  readonly fallbackModels?: readonly Model[];
  readonly backgroundModel?: Model;
  readonly task?: string;
  readonly limits?: RunLimits;
  readonly budget?: RunBudget;
  readonly system?: string | readonly PromptPart[];
  readonly output?: InputSchema;
  readonly prepareTurn?: PrepareTurn;
  readonly retry?: RetryOptions;
  readonly compaction?: CompactionOptions | false;
  readonly waitForBackground?: boolean;
  readonly messages?: readonly Message[];
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly parentAgentId?: string;
  readonly depth?: number;
  readonly runId?: string;
  readonly tools?: readonly ModelTool[];
  readonly onAsk?: OnAsk;
  readonly signal?: AbortSignal;
  readonly log?: RunLog;
  readonly steps?: Steps;
  readonly clock?: RunClock;
}
interface RunResult {
  readonly status: RunStatus;
  readonly text: string;
  readonly output?: unknown;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly tokensSaved: number;
  readonly costUsd?: number;
  readonly denials: readonly Denial[];
  readonly messages: readonly Message[];
  readonly error?: ErrorInfo;
}
type RunStatus = "done" | "max-turns" | "max-calls" | "max-tokens" | "max-cost" | "max-agents" | "deadline" | "aborted" | "looping" | "failed";
interface RunWork {
  start(runId: string, work: ActiveWork): (completion?: Completion) => void;
  active(runId: string): readonly ActiveWork[];
  watch(runId: string, listener: WorkListener, conversation?: WorkConversation): () => void;
}
type RunningTask = CommandTask | AgentTask;
type SaveScope = "session" | "local" | "project" | "user";
interface Script {
  readonly format: 1;
  readonly name: string;
  readonly rules?: readonly ScriptRule[];
  readonly turns: readonly ScriptTurn[];
}
interface ScriptCall {
  readonly name: string;
  readonly input?: unknown;
  readonly inputText?: string;
  readonly id?: string;
  readonly incomplete?: boolean;
}
interface ScriptCondition {
  readonly lastResultMatches?: string;
  readonly lastResultOf?: string;
  readonly lastResultIsError?: boolean;
  readonly anyResultMatches?: string;
  readonly taskMatches?: string;
  readonly turn?: number;
}
interface ScriptReply {
  readonly reasoning?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptCall[];
  readonly finish?: FinishReason;
  readonly usage?: TokenUsage;
  readonly error?: {
    readonly message: string;
    readonly retryable?: boolean;
  };
}
interface ScriptRule {
  readonly when: ScriptCondition;
  readonly then: ScriptReply;
  readonly times?: number;
}
interface ScriptTurn extends ScriptReply {
  readonly when?: ScriptCondition;
}
interface ServiceToken<T> {
  readonly id: string;
  readonly setup?: string;
  readonly type?: T;
}
interface Services {
  get<T>(token: ServiceToken<T>): T | undefined;
}
interface Span {
  readonly start: number;
  readonly end: number;
}
interface Step {
  readonly id: string;
  readonly type: StepType;
  readonly title: string;
  readonly description: string;
  readonly status: StepStatus;
  readonly timestamp: number;
  readonly turnIndex: number;
  readonly toolCallId: string;
  readonly toolCall: {
    readonly name: string;
    readonly arguments: unknown;
  };
  readonly messageId?: string;
  readonly thinking?: string;
  readonly result?: string;
  readonly summary?: string;
  readonly error?: string;
  readonly toolAgentResult?: unknown;
  readonly agentId?: string;
  readonly runId?: string;
}
type StepBatch<T> = (missing: readonly string[], record: (key: string, result: T) => void) => Promise<void>;
type StepStatus = "pending" | "running" | "completed" | "failed" | "awaiting-confirmation";
type StepType = "bash" | "bash-confirm" | "read" | "write" | "edit" | "glob" | "grep" | "skill" | "delegate" | "tool_call";
interface Steps {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  runAll<T>(keys: readonly string[], work: StepBatch<T>): Promise<readonly T[]>;
}
interface StoredMail {
  readonly number: number;
  readonly text: string;
  readonly workId?: string;
}
type Task = RunningTask | Todo;
type TaskStatus = "running" | "ended" | "lost";
interface TextPart {
  readonly type: "text";
  readonly text: string;
}
interface Todo {
  readonly id: string;
  readonly kind: "todo";
  readonly status: TodoStatus;
  readonly title: string;
  readonly description?: string;
  readonly dependsOn: readonly string[];
  readonly owner?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly sessionId?: string;
}
type TodoStatus = "pending" | "in_progress" | "done" | "failed" | "cancelled";
interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}
interface ToolCallPart {
  readonly type: "tool-call";
  readonly id: string;
  readonly providerCallId?: string;
  readonly name: string;
  readonly input: string;
  readonly incomplete?: boolean;
  readonly providerData?: ProviderData;
}
type ToolChoice = "auto" | "none" | "required" | {
  readonly tool: string;
};
interface ToolFlags {
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly concurrencySafe: boolean;
}
interface ToolListing {
  readonly name: string;
  readonly displayName: string;
  readonly summary: string;
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
  readonly level: CapabilityLevel;
  readonly staged?: ToolTraits["staged"];
  readonly enabled: boolean;
  readonly autoExecute: boolean;
  readonly kind: "readonly" | "write" | "execute";
  readonly parameters: readonly ToolParameter[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}
interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
}
interface ToolParameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  readonly enum?: readonly unknown[];
}
interface ToolRankingReport {
  readonly by: "background" | "embeddings";
  readonly usage?: TokenUsage;
  readonly costUsd?: number;
  readonly failure?: string;
}
interface ToolResultPart {
  readonly type: "tool-result";
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  readonly loadedTools?: readonly string[];
}
interface ToolSource {
  readonly id: string;
  readonly name: string;
  readonly kind: "built-in" | "custom" | "mcp";
}
interface ToolTraits {
  readonly name: string;
  readonly displayName?: string;
  readonly version?: string;
  readonly category?: string;
  readonly tags?: readonly string[];
  readonly aliases?: readonly string[];
  readonly searchHint?: string;
  readonly alwaysLoad?: boolean;
  readonly icon?: string;
  readonly source?: ToolSource;
  readonly strict?: boolean;
  readonly enabled?: boolean;
  readonly autoExecute?: boolean;
  readonly touches: readonly EffectKind[];
  readonly flags?: Partial<ToolFlags>;
  readonly timeoutMs?: number;
  readonly maxChars?: number;
  readonly variantOf?: string;
  readonly staged?: "files" | "commands";
  readonly modes?: readonly Mode[];
  readonly needs?: readonly ServiceToken<unknown>[];
}
interface Toolkit {
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  callAll(calls: readonly Call[], options?: CallAllOptions): Promise<readonly Outcome[]>;
  explain(call: Call): Promise<Explanation>;
  reconcile?(call: Call, options?: CallOptions): Promise<Reconciliation>;
  definitions(format: DefinitionFormat, options?: ModelDefinitionOptions): Promise<Definitions>;
  listings(options?: DefinitionOptions): readonly ToolListing[];
  readonly deferral?: ToolkitDeferral;
  readonly events: ToolkitEvents;
  readonly work?: RunWork;
  now(): number;
  newId(prefix: string): string;
}
interface ToolkitDeferral {
  chooseCalls(model: {
    readonly defersTools?: boolean;
    readonly cachesPrompts?: boolean;
  }, sessionId?: string): Promise<"growing" | "envelope" | "native">;
  tokensSaved(sessionId?: string): number;
}
interface ToolkitEvents {
  subscribe(listener: (event: HaftEvent) => void): () => void;
  emit(event: NewEvent): void;
}
interface TraceParent {
  readonly traceparent?: string;
  readonly tracestate?: string;
}
type Trust = "trusted" | "untrusted";
interface TurnChanges extends RequestOptions {
  readonly messages?: readonly Message[];
  readonly system?: string | readonly PromptPart[];
  readonly tools?: readonly string[];
  readonly model?: Model;
}
interface TurnInfo {
  readonly messages: readonly Message[];
  readonly usage: TokenUsage;
  readonly turn: number;
}
interface UndoRef {
  readonly callId: string;
  readonly level: "full" | "partial" | "none";
}
interface UnknownEffect extends ByProgram {
  readonly kind: "unknown";
  readonly because: string;
  readonly origin: string;
  readonly span?: Span;
  readonly floor?: boolean;
  readonly alwaysAsks?: boolean;
}
interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
}
interface WebQuery {
  readonly query: string;
  readonly count?: number | undefined;
  readonly allowedDomains?: readonly string[] | undefined;
  readonly blockedDomains?: readonly string[] | undefined;
}
interface WebResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
  readonly date?: string | undefined;
}
type Word = string | {
  readonly dynamic: string;
};
interface WorkConversation {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
}
type WorkListener = (work: ActiveWork, completion: Completion | undefined) => boolean | undefined;
interface WriteEffect extends ByProgram {
  readonly kind: "write";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly change: "create" | "modify" | "delete" | "any";
  readonly part?: WrittenPart;
  readonly span?: Span;
}
interface WrittenPart {
  readonly pattern: string;
  readonly change: WriteEffect["change"];
}
export declare function aiSdkModel(model: LanguageModelLike, options?: AiSdkOptions): Model;
export declare function createBudget(limits: BudgetLimits, parent?: RunBudget): RunBudget;
export declare const defaultPromptParts: readonly PromptPart[];
export declare const defaultSystemPrompt: string;
export declare const delegatePrompts: DelegatePrompts;
declare const errorCodes: {
  readonly UNKNOWN_TOOL: {
    readonly type: "validation";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly INVALID_JSON: {
    readonly type: "validation";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly INCOMPLETE_CALL: {
    readonly type: "validation";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly INVALID_INPUT: {
    readonly type: "validation";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly BLOCKED_BY_HOOK: {
    readonly type: "permission";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly PERMISSION_DENIED: {
    readonly type: "permission";
    readonly move: "user";
    readonly retryable: false;
  };
  readonly APPROVAL_REQUIRED: {
    readonly type: "permission";
    readonly move: "user";
    readonly retryable: false;
  };
  readonly DENIED_BY_USER: {
    readonly type: "permission";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly OUTSIDE_WORKSPACE: {
    readonly type: "permission";
    readonly move: "user";
    readonly retryable: false;
  };
  readonly UNDECLARED_EFFECT: {
    readonly type: "permission";
    readonly move: "host";
    readonly retryable: false;
  };
  readonly ABORTED: {
    readonly type: "execution";
    readonly move: "user";
    readonly retryable: true;
  };
  readonly TIMEOUT: {
    readonly type: "timeout";
    readonly move: "model";
    readonly retryable: true;
  };
  readonly NOT_FOUND: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly ALREADY_EXISTS: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly IS_DIRECTORY: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly NOT_A_DIRECTORY: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly NOT_A_FILE: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly BINARY_FILE: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly TOO_LARGE: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly ACCESS_DENIED: {
    readonly type: "execution";
    readonly move: "user";
    readonly retryable: false;
  };
  readonly NO_SPACE: {
    readonly type: "execution";
    readonly move: "user";
    readonly retryable: true;
  };
  readonly PATH_CHANGED: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: true;
  };
  readonly LINK_LOOP: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly STALE_READ: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly NOT_READ: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly NO_MATCH: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly AMBIGUOUS_MATCH: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly NO_CHANGE: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly TOOL_FAILED: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly COMMAND_FAILED: {
    readonly type: "execution";
    readonly move: "model";
    readonly retryable: false;
  };
  readonly LIMIT_REACHED: {
    readonly type: "execution";
    readonly move: "user";
    readonly retryable: false;
  };
  readonly UNAVAILABLE: {
    readonly type: "execution";
    readonly move: "host";
    readonly retryable: true;
  };
  readonly MODEL_FAILED: {
    readonly type: "execution";
    readonly move: "host";
    readonly retryable: true;
  };
  readonly CONTEXT_OVERFLOW: {
    readonly type: "execution";
    readonly move: "host";
    readonly retryable: false;
  };
  readonly INTERNAL: {
    readonly type: "unknown";
    readonly move: "host";
    readonly retryable: false;
  };
};
export declare function loadModel(spec: string, options?: LoadModelOptions): Promise<Model>;
export declare function parseScript(source: string, file: string): Promise<Script>;
export declare function promptText(parts: string | readonly PromptPart[]): string;
export declare const providerNames: readonly string[];
export declare function recordedScript(messages: readonly Message[], name?: string): Script;
export declare function repairMessages(messages: readonly Message[]): readonly Message[];
export declare function scriptedModel(given: Script): Model;
export declare function startRun(given: RunOptions): AgentRun;
export declare function stepsFrom(events: AsyncIterable<HaftEvent>): AsyncIterable<Step>;
export declare function stepsFrom(events: Iterable<HaftEvent>): readonly Step[];
export declare function tokensOf(text: string): number;
export type { AgentRun, AiSdkOptions, AssistantMessage, AssistantPart, BudgetLimits, BudgetRequest, BudgetReservation, BudgetUse, CompactionOptions, DelegatePrompts, Denial, EmbeddingSettings, FinishReason, LanguageModelCall, LanguageModelLike, LoadModelOptions, Message, Model, ModelEvent, ModelInfo, ModelRequest, ModelSettings, ModelTool, PrepareTurn, PromptPart, ProviderData, ProviderOptions, ProviderPart, RequestOptions, RetryOptions, RunBudget, RunClock, RunLimits, RunLog, RunOptions, RunResult, RunStatus, Script, ScriptCall, ScriptCondition, ScriptReply, ScriptRule, ScriptTurn, Step, StepBatch, StepStatus, StepType, Steps, StoredMail, ToolCallPart, ToolChoice, ToolMessage, ToolRankingReport, ToolResultPart, TurnChanges, TurnInfo, UserMessage };
