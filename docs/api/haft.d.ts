import { StandardSchemaV1 } from "@standard-schema/spec";
interface ActiveWork {
  readonly id: string;
  readonly kind: "command" | "agent";
  readonly title: string;
}
interface AdoptedProcess {
  readonly taskId?: string;
  readonly processId: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly title: string;
  readonly cwd: string;
  readonly takesInput: boolean;
  readonly trust: Trust;
  readonly callId: string;
  readonly agentId: string | undefined;
  readonly maxMs?: number | undefined;
  readonly runId?: string | undefined;
  readonly taken?: {
    readonly afterSeq: number;
    readonly text: string;
    readonly stream?: ArtifactStream | undefined;
    readonly bytes: number;
    readonly reading?: OutputReading | undefined;
  };
}
interface AfterHookAnswer {
  readonly content?: Outcome["content"] | string;
  readonly context?: string;
}
interface AfterHookInput {
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: Outcome;
  readonly callId: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly runId?: string;
  readonly signal?: AbortSignal;
}
interface AgentCaller {
  readonly runId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly callId: string;
  readonly signal: AbortSignal;
}
interface AgentDefinition {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly agents?: readonly string[];
  readonly model?: string;
  readonly permissionMode?: Mode;
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  readonly background?: boolean;
  readonly worktree?: boolean;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly mcpServers?: readonly AgentMcpServer[];
  readonly mcpServerIds?: readonly string[];
  readonly file?: string;
}
interface AgentDefinitions {
  readonly agents: readonly AgentDefinition[];
  readonly unused: readonly UnusedAgent[];
}
interface AgentEnd extends AgentProgress {
  readonly status: "done" | "failed" | "stopped";
  readonly reason?: string;
}
interface AgentExecution {
  readonly result: Promise<AgentResult>;
  send(message: string): boolean;
}
interface AgentExecutor {
  start(job: AgentJob): AgentExecution;
}
interface AgentFork {
  readonly original: unknown;
  keep(original: unknown): Promise<void>;
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
interface AgentJob {
  readonly agentId: string;
  readonly runId: string;
  readonly sessionId: string;
  readonly parentAgentId?: string;
  readonly parentRunId?: string;
  readonly depth: number;
  readonly prompt: string;
  readonly definition: AgentDefinition;
  readonly model?: string;
  readonly toolkit: Toolkit;
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  readonly maxCalls?: number;
  readonly deadlineMs?: number;
  readonly fork?: AgentFork;
  readonly onAsk?: OnAsk;
  readonly state?: unknown;
  readonly signal: AbortSignal;
}
type AgentMcpServer = string | Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type AgentProgress = Pick<AgentTask, "activeAt" | "activity" | "calls" | "tokens" | "costUsd">;
interface AgentRequest {
  readonly prompt: string;
  readonly description?: string | undefined;
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
  readonly isBackground?: boolean | undefined;
  readonly isWorktree?: boolean | undefined;
  readonly branchName?: string | undefined;
  readonly maxTurns?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly permissionMode?: Mode | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly resume?: string | undefined;
  readonly isFork?: boolean | undefined;
  readonly definition?: AgentDefinition | undefined;
  readonly skill?: string | undefined;
  readonly maxCalls?: number | undefined;
  readonly deadlineMs?: number | undefined;
  readonly onAsk?: OnAsk | undefined;
  readonly onEvent?: ((event: HaftEvent) => void) | undefined;
}
interface AgentResult {
  readonly status: Exclude<AgentStatus, "running">;
  readonly text: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
  readonly savedUsd?: number;
  readonly denials?: readonly Denial[];
  readonly error?: ErrorInfo;
  readonly state?: unknown;
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
interface AgentSettings {
  readonly enabled?: boolean;
  readonly description?: string;
  readonly prompt?: string;
  readonly model?: string;
  readonly tools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  readonly allowedTools?: readonly string[];
  readonly permissionMode?: string;
  readonly maxTurns?: number;
  readonly skills?: readonly string[];
  readonly mcpServerIds?: readonly string[];
  readonly directMcpServers?: unknown;
  readonly background?: boolean;
  readonly isolation?: "worktree";
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
interface AgentTasks {
  add(agent: StartedAgent): void;
}
interface AgentWorktree {
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  readonly commits: number;
  readonly changedFiles: number;
  readonly isKept: boolean;
}
interface Agents {
  definitions(): Promise<AgentDefinitions>;
  start(request: AgentRequest, caller: AgentCaller): Promise<AgentInfo>;
  list(caller: AgentCaller): Promise<readonly AgentInfo[]>;
  get(id: string, caller: AgentCaller): Promise<AgentInfo>;
  wait(id: string, caller: AgentCaller, ms?: number): Promise<AgentInfo>;
  send(id: string, message: string, caller: AgentCaller): Promise<AgentInfo>;
  stop(id: string, caller: AgentCaller): Promise<AgentInfo>;
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
type AnthropicResult = {
  type: "tool_result";
  tool_use_id: string;
  content: ({
    type: "text";
    text: string;
  } | {
    type: "image";
    source: {
      type: "base64";
      media_type: "image/gif" | "image/jpeg" | "image/png" | "image/webp";
      data: string;
    };
  } | {
    type: "document";
    source: {
      type: "base64";
      media_type: "application/pdf";
      data: string;
    };
  })[];
  is_error: boolean;
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
interface ArtifactStore {
  open(callId: string): ArtifactStream;
}
interface ArtifactStream {
  readonly path: string;
  write(text: string): Promise<void>;
  writeAscii?(ascii: Uint8Array): Promise<void>;
  leaveOut?(chars: number): boolean;
  end(): Promise<ArtifactRef | undefined>;
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
interface BackgroundAnswer {
  readonly text: string;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
}
interface BackgroundModel {
  ask(request: BackgroundRequest): Promise<BackgroundAnswer>;
}
type BackgroundOption = "promote" | "on-request" | "none";
interface BackgroundRequest {
  readonly prompt: string;
  readonly system?: string;
  readonly maxOutputTokens?: number;
  readonly signal?: AbortSignal;
  readonly runId?: string | undefined;
}
interface BashSettings {
  readonly enableSandbox?: boolean;
  readonly defaultWorkingDirectory?: string;
  readonly allowedDirectories?: readonly string[];
  readonly confirmDangerousCommands?: boolean;
  readonly dangerousCommandWhitelist?: readonly string[];
  readonly execTimeout?: number;
}
interface BeforeHook {
  (input: BeforeHookInput): Promise<BeforeHookAnswer> | BeforeHookAnswer;
  readonly timeoutMs?: number;
}
type BeforeHookAnswer = {
  readonly input: unknown;
} | {
  readonly block: string;
} | HookVerdict | undefined;
interface BeforeHookInput {
  readonly tool: string;
  readonly input: unknown;
  readonly callId: string;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly runId?: string;
  readonly signal?: AbortSignal;
}
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
interface CallPreview extends Explanation {
  readonly preview?: PreviewResult;
}
interface CapabilityFacts extends Pick<ToolTraits, "touches" | "flags" | "staged"> {
  readonly hasPreview: boolean;
  readonly hasUndo: boolean;
}
type CapabilityLevel = 0 | 1 | 2;
interface CheckedFile {
  readonly path: string;
  readonly kind: "settings" | "MCP servers" | "instructions" | "command" | "agent" | "skill" | "plugin";
  readonly entries: number;
  readonly problems: readonly FileProblem[];
}
interface Checkpoint extends UndoAssessment {
  readonly callId: string;
}
interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}
interface CollectionReport {
  readonly artifacts: {
    readonly files: number;
    readonly bytes: number;
  };
  readonly journal: {
    readonly calls: number;
    readonly blobs: number;
    readonly bytes: number;
  };
  readonly undo: {
    readonly calls: number;
    readonly bytes: number;
  };
  readonly events: {
    readonly events: number;
    readonly bytes: number;
  };
}
interface CommandFile {
  readonly file: string;
  readonly problems: readonly CommandProblem[];
}
interface CommandList {
  readonly commands: readonly ListedCommand[];
  readonly files: readonly CommandFile[];
}
type CommandPreview = (request: CommandPreviewRequest) => Promise<CommandPreviewed>;
interface CommandPreviewRequest {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly keepEnv?: readonly string[] | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}
interface CommandPreviewed {
  readonly staged: StagedChanges;
  readonly output: {
    readonly stdout: string;
    readonly stderr: string;
    readonly exitCode: number | null;
  };
  readonly drop: () => Promise<void>;
}
interface CommandProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly line?: number;
}
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
interface Confined {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly descriptors: readonly Descriptor[];
  readonly depth?: number;
}
interface ConfinedHelper {
  readonly key: string;
  readonly places?: readonly string[];
  launch(argv: readonly string[]): Confined;
  readonly itself?: {
    readonly module: string;
    readonly data: string;
  };
  readonly shared?: string;
  plain(argv: readonly string[], options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  }): Confined;
}
interface ConfinedRun {
  readonly code: number | null;
  readonly signal: string | null;
  readonly report: SandboxReport;
  readonly notes: readonly string[];
}
interface Confinement {
  wrap(argv: readonly string[], options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  }): Confined | Promise<Confined>;
  ended?(): Promise<string | undefined>;
  readonly helper?: ConfinedHelper;
}
interface ConfinementReport extends Omit<SandboxReport, "gaps"> {
  readonly gaps: readonly string[];
  readonly drivers: readonly DriverReport[];
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
interface CreatedToolCheck {
  readonly input: unknown;
  readonly text: string;
  readonly passed: boolean;
}
interface CreatedToolInfo {
  readonly name: string;
  readonly directory: string;
  readonly description?: string;
  readonly effects?: string;
  readonly problem?: string;
}
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
type DefaultExcludes = "untracked" | "always" | "never";
interface DeferralSettings {
  readonly threshold?: number | false | `auto:${number}%`;
  readonly calls?: "auto" | "growing" | "envelope" | "native";
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
interface DelegateCallbacks {
  readonly onStepStart?: ((step: DelegateStep) => void) | undefined;
  readonly onStepComplete?: ((step: DelegateStep) => void) | undefined;
  readonly onStepSummary?: ((summary: string, step: DelegateStep) => void) | undefined;
  readonly onTextChunk?: ((text: string) => void) | undefined;
  readonly onProgress?: ((message: string) => void) | undefined;
  readonly onError?: ((error: Pick<ErrorInfo, "code" | "message">) => void) | undefined;
}
interface DelegateEffect {
  readonly kind: "delegate";
  readonly agent: string;
  readonly target?: "agent" | "session";
}
interface DelegateLimits {
  readonly model?: string | undefined;
  readonly maxToolCalls?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly autoConfirmDangerous?: boolean | undefined;
}
interface DelegateOptions extends DelegateLimits, DelegateCallbacks {
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}
interface DelegateRequest {
  readonly task: string;
  readonly context?: string | undefined;
  readonly expectedOutcome?: string | undefined;
}
interface DelegateResult {
  readonly success: boolean;
  readonly summary: string;
  readonly details: string;
  readonly filesModified: readonly string[];
  readonly errors: readonly string[];
  readonly toolCallCount: number;
  readonly executionTimeMs: number;
  readonly steps: readonly DelegateStep[];
  readonly agentId: string;
}
interface DelegateStep {
  readonly toolName: string;
  readonly arguments: unknown;
  readonly result?: string;
  readonly status: "running" | "completed" | "failed";
  readonly timestamp: number;
  readonly error?: string;
  readonly thinking?: string;
  readonly summary?: string;
}
type DelegateTask = (task: DelegateRequest, options?: DelegateOptions) => Promise<DelegateResult>;
interface Delegation {
  delegate(request: DelegateRequest, caller: AgentCaller, options?: DelegateLimits & DelegateCallbacks): Promise<DelegateResult>;
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
interface DeriveOptions {
  readonly host?: Host;
  readonly workspace?: string;
  readonly mode?: Mode;
  readonly tools?: readonly string[];
  readonly ceiling?: readonly string[];
  readonly ceilingName?: string;
}
type Descriptor = {
  readonly number: number;
  readonly kind: "file";
  readonly path: string;
} |
{
  readonly number: number;
  readonly kind: "socket";
  readonly path: string;
};
interface DiagnosticSettings {
  readonly checkers?: readonly {
    readonly name: string;
    readonly command: readonly string[];
    readonly files: readonly string[];
    readonly timeoutMs?: number;
  }[];
  readonly servers?: Readonly<Record<string, {
    readonly command?: readonly string[];
    readonly files?: readonly string[];
  }>>;
}
interface DoctorCheck {
  readonly name: string;
  readonly state: "ok" | "warning" | "broken";
  readonly text: string;
  readonly hint?: string;
}
interface DoctorReport {
  readonly checks: readonly DoctorCheck[];
  readonly confinement: ConfinementReport;
}
interface DriverReport {
  readonly name: string;
  readonly works: boolean;
  readonly isExperimental: boolean;
  readonly needsNoNamespace: boolean;
  readonly reason?: string;
  readonly install?: string;
}
interface DroppedDefinitionPart {
  readonly tool: string;
  readonly path: string;
  readonly keyword: string;
}
type Effect = ReadEffect | WriteEffect | ExecuteEffect | ConnectEffect | DelegateEffect | InteractEffect | UnknownEffect;
interface EffectContext {
  readonly host: Host;
  readonly workspace: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly service: <T>(token: ServiceToken<T>) => T;
}
type EffectKind = Effect["kind"];
type ElicitAnswer = {
  readonly action: "accept";
  readonly content: Readonly<Record<string, unknown>>;
} | {
  readonly action: "decline" | "cancel";
};
interface ElicitForm {
  readonly name?: string;
  readonly message: string;
  readonly schema: JsonSchema;
}
interface ElicitationPort {
  readonly canElicit: boolean;
  readonly canSample: boolean;
  readonly canListRoots: boolean;
  elicit(form: ElicitForm): Promise<ElicitAnswer>;
  sample(request: SampleRequest): Promise<SampleAnswer>;
  listRoots(options?: {
    readonly name?: string;
  }): Promise<readonly ClientRoot[]>;
}
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
type ErrorMove = "model" | "user" | "host";
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
interface EventLog {
  append(event: HaftEvent): void;
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
interface ExistingPath {
  readonly path: string;
  readonly kind: "file" | "directory";
}
interface ExpandCommandOptions extends Pick<CallOptions, "signal" | "sessionId" | "agentId" | "onAsk"> {
  readonly arguments?: string;
  readonly limitsSession?: boolean;
  readonly isPreview?: boolean;
}
interface ExpandedCommand {
  readonly name: string;
  readonly prompt: string;
  readonly allowedTools?: readonly string[];
  readonly model?: string;
}
interface ExplainedProgram {
  readonly name: string;
  readonly command: string;
  readonly isNew: boolean;
  readonly effects: readonly Effect[];
  readonly decision?: Decision["kind"];
}
interface Explanation {
  readonly tool?: string;
  readonly input?: unknown;
  readonly repairs: readonly Repair[];
  readonly effects: readonly Effect[];
  readonly decision?: Decision;
  readonly error?: ErrorInfo;
}
interface ExportSessionOptions {
  readonly format?: "jsonl" | "html";
  readonly secrets?: boolean;
}
interface ExportedSkill {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly {
    readonly path: string;
    readonly text?: string;
    readonly bytes: Uint8Array;
  }[];
}
type FileChange = "created" | "modified" | "deleted" | "mode" | "time" | "replaced" | "none";
interface FileProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
}
type FileState = {
  readonly kind: "absent";
} |
{
  readonly kind: "file";
  readonly hash: string;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs?: number;
  readonly node?: string;
} | {
  readonly kind: "symlink";
  readonly target: string;
} | {
  readonly kind: "directory";
  readonly mode: number;
} |
{
  readonly kind: "special";
  readonly type: "fifo" | "socket" | "device";
};
interface FileView {
  readonly hash: string;
  readonly ranges?: readonly (readonly [first: number, last: number])[];
  readonly encoding?: SeenEncoding;
}
interface Finding {
  readonly verdict: "allow" | "ask" | "deny" | "note";
  readonly text: string;
  readonly effect?: Effect;
  readonly rule?: RuleRef;
  readonly hint?: string;
}
type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "error" | "interrupted" | "other";
interface ForkSessionOptions {
  readonly message?: number;
}
interface FoundHubSkills {
  readonly skills: readonly HubSkill[];
  readonly problems: readonly string[];
}
interface FoundTool {
  readonly name: string;
  readonly summary: string;
  readonly inputSchema?: JsonSchema;
}
interface FoundTools {
  readonly found: readonly FoundTool[];
  readonly more: number;
  readonly active: readonly FoundTool[];
  readonly unknown: readonly string[];
  readonly deferred: number;
  readonly tokensSaved: number;
  readonly ranking?: ToolRankingReport;
  readonly notes?: readonly string[];
  readonly callThrough?: string;
}
type GeminiResult = {
  functionResponse: {
    id: string;
    name: string;
    response: {
      output: string;
    } | {
      error: string;
    };
    parts?: {
      inlineData: {
        mimeType: string;
        data: string;
      };
    }[];
  };
};
type GeminiTool = {
  name: string;
  description: string;
  parametersJsonSchema: ObjectSchema;
};
type GlobEvent = {
  readonly kind: "files";
  readonly files: readonly GlobFile[];
} |
{
  readonly kind: "end";
  readonly excluded: number;
  readonly ignored: number;
  readonly ignoredDirectories: IgnoredDirectories;
  readonly links: readonly string[];
  readonly partial: boolean;
};
interface GlobFile {
  readonly path: string;
  readonly size?: number;
  readonly mtimeMs?: number;
}
interface GlobQuery {
  readonly root: string;
  readonly pattern: string;
  readonly includeIgnored?: boolean;
  readonly defaultExcludes?: DefaultExcludes | undefined;
  readonly dated?: boolean;
  readonly isExcluded?: (path: string) => boolean;
}
interface Grant {
  readonly effects: readonly Effect[];
  readonly exclusions: readonly Exclusion[];
  excludes(path: string, access: "read" | "write"): string | undefined;
}
type GrepEvent = {
  readonly kind: "match" | "context";
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly ranges: readonly Span[];
} | {
  readonly kind: "count";
  readonly path: string;
  readonly matches: number;
} | {
  readonly kind: "binary";
  readonly path: string;
} |
{
  readonly kind: "end";
  readonly excluded: number;
  readonly partial: boolean;
  readonly notes: readonly string[];
  readonly skipped?: GrepSkipped;
};
interface GrepOptions {
  readonly markMatches?: SearchSettings["markMatches"];
}
interface GrepQuery {
  readonly root: string;
  readonly pattern: string;
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  readonly multiline?: boolean;
  readonly globs?: readonly string[];
  readonly types?: readonly string[];
  readonly before?: number;
  readonly after?: number;
  readonly countOnly?: boolean;
  readonly presenceOnly?: boolean;
  readonly includeIgnored?: boolean;
  readonly defaultExcludes?: DefaultExcludes | undefined;
  readonly isExcluded?: (path: string) => boolean;
  readonly confinement?: Pick<Confinement, "helper">;
}
interface GrepSkipped {
  readonly binary: number;
  readonly tooLarge: number;
  readonly unreadable: number;
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
type HiddenPredicate = (tool: RegisteredTool, mode: Mode | undefined) => boolean;
interface HiddenText {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}
interface HistoryEntry extends JournalEntry {
  readonly byItsTool?: true;
}
interface HookListing {
  readonly event: string;
  readonly matcher: string;
  readonly condition?: string;
  readonly type: "command" | "http" | "prompt" | "agent" | "mcp_tool" | "broken";
  readonly text: string;
  readonly timeoutMs: number;
  readonly onFailure: "block" | "allow";
  readonly scope: string;
  readonly file?: string;
  readonly line?: number;
  readonly needsTrust: boolean;
}
interface HookPart {
  readonly path: string;
  readonly hooks: readonly string[];
  readonly note: string;
}
interface HookSample {
  readonly tool?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}
interface HookTestResult {
  readonly hook: HookListing;
  readonly result: "ok" | "failure";
  readonly decision?: "allow" | "ask" | "deny";
  readonly text: string;
}
interface HookVerdict {
  readonly verdict: "allow" | "ask" | "deny" | "none";
  readonly reason?: string;
  readonly input?: unknown;
  readonly context?: string;
  readonly trail?: readonly Finding[];
}
interface Hooks {
  readonly before?: readonly BeforeHook[];
  readonly permission?: readonly ((ask: Ask) => Promise<Answer | undefined> | Answer | undefined)[];
  readonly after?: readonly ((input: AfterHookInput) => Promise<AfterHookAnswer | undefined> | AfterHookAnswer | undefined)[];
}
interface Host extends AsyncDisposable {
  readonly id: string;
  readonly info: HostInfo;
  readonly fs: HostFs;
  readonly proc: HostProc;
  readonly net: HostNet;
  readonly search: HostSearch;
  readonly clock: HostClock;
}
interface HostAppender {
  append(data: Uint8Array, options?: {
    readonly durable?: boolean;
  }): Promise<void>;
  isInPlace?(): boolean;
  close(): Promise<void>;
}
interface HostCapabilities {
  readonly processes: boolean;
  readonly network: boolean;
  readonly links: boolean;
  readonly confinement?: boolean;
  readonly heldWrites?: boolean;
}
interface HostClock {
  now(): number;
  sleep(ms: number, options?: HostOptions): Promise<void>;
  timer(ms: number, callback: () => void, options?: {
    readonly keepsAlive?: boolean;
  }): () => void;
}
interface HostEntry {
  readonly name: string;
  readonly kind: HostStat["kind"];
}
interface HostFile {
  readonly bytes: Uint8Array;
  readonly stat: HostStat;
  readonly hash: string;
}
interface HostFs {
  canonical(path: string, options?: HostOptions & {
    readonly base?: string;
  }): Promise<string>;
  locate?(path: string, options?: HostOptions & {
    readonly base?: string;
  }): Promise<LocatedPath>;
  stat(path: string, options?: HostOptions): Promise<HostStat>;
  readFile(path: string, options?: ReadOptions): Promise<HostFile>;
  readRange(path: string, range: {
    readonly offset: number;
    readonly length: number;
  }, options?: HostOptions): Promise<Uint8Array>;
  open(path: string, options?: HostOptions & {
    readonly offset?: number;
    readonly reuse?: boolean;
  }): AsyncIterable<Uint8Array>;
  writeAtomic(path: string, data: Uint8Array, options?: WriteOptions): Promise<HostStat & {
    readonly hash: string;
  }>;
  append(path: string, data: Uint8Array, options?: HostOptions): Promise<void>;
  list(path: string, options?: HostOptions & {
    readonly onExcluded?: () => void;
  }): AsyncIterable<HostEntry>;
  mkdir(path: string, options?: HostOptions & {
    readonly mode?: number;
  }): Promise<void>;
  remove(path: string, options?: HostOptions & {
    readonly recursive?: boolean;
  }): Promise<void>;
  removeEmpty?(path: string, options?: HostOptions): Promise<boolean>;
  move(from: string, to: string, options?: HostOptions): Promise<void>;
  readLink(path: string, options?: HostOptions): Promise<string>;
  makeLink?(path: string, target: string, options?: HostOptions): Promise<void>;
  addName?(path: string, file: {
    readonly path: string;
    readonly node: string;
  }): Promise<boolean>;
  setMode?(path: string, mode: number, options?: HostOptions): Promise<void>;
  setModified?(path: string, mtimeMs: number, options?: HostOptions): Promise<void>;
  flush?(paths: readonly string[], options?: HostOptions): Promise<void>;
  appender?(path: string, options?: HostOptions): Promise<HostAppender>;
}
interface HostInfo {
  readonly os: "linux" | "darwin" | "windows";
  readonly arch: string;
  readonly home: string;
  readonly temporary: string;
  readonly holdsStore?: "this-machine" | "itself";
  readonly cwd: string;
  readonly users?: HostUsers;
  readonly path: readonly string[];
  readonly foldersWith?: (program: string) => readonly string[];
  readonly systemProgram?: (program: string) => string | undefined;
  readonly isWritableByOthers?: (directory: string) => Promise<boolean>;
  readonly shell: readonly string[];
  readonly capabilities: HostCapabilities;
}
interface HostNet {
  fetch(request: HostRequest, options?: HostNetOptions): Promise<HostResponse>;
}
interface HostNetOptions extends HostOptions {
  readonly allowsPrivate?: boolean | "by-name";
}
interface HostOptions {
  readonly signal?: AbortSignal | undefined;
}
interface HostProc {
  start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef>;
  output(id: string, afterSeq: number, options?: HostOptions & {
    readonly reuse?: boolean;
  }): AsyncIterable<ProcessChunk>;
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  signal(id: string, name: "INT" | "TERM" | "KILL", options?: {
    readonly tree?: boolean;
  }): Promise<void>;
  list(): Promise<readonly ProcessRef[]>;
  endTree?(tree: string, patience: {
    readonly terminateMs: number;
    readonly killMs: number;
  }): Promise<boolean>;
}
interface HostRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
interface HostResponse {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}
interface HostSearch {
  grep(query: GrepQuery, options?: HostOptions): AsyncIterable<GrepEvent>;
  glob(query: GlobQuery, options?: HostOptions): AsyncIterable<GlobEvent>;
  list(query: ListQuery, options?: HostOptions): AsyncIterable<ListEvent>;
}
interface HostStat {
  readonly path: string;
  readonly kind: "file" | "directory" | "symlink" | "fifo" | "socket" | "device";
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs?: number;
  readonly mode: number;
  readonly names?: number;
  readonly node?: string;
  readonly version: string;
}
interface HostUsers {
  readonly homes: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}
interface HubSkill {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly source?: string;
  readonly installs?: number;
  readonly kind: "skill" | "mcp-server";
}
interface IgnoredDirectories {
  readonly count: number;
  readonly examples: readonly string[];
}
type InferInput<S> = S extends {
  readonly schema: infer Inner extends StandardSchemaV1;
} ? StandardSchemaV1.InferOutput<Inner> : S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : Readonly<Record<string, unknown>>;
interface InitContext {
  readonly host: Host;
  readonly workspace: string;
  service<T>(token: ServiceToken<T>): T;
}
type InitContextSource = InitContext | (() => InitContext) | undefined;
type InitializedTool<S extends InputSchema> = ToolBehaviour<InferInput<S>> & {
  readonly input: S;
};
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
interface InstalledSkill {
  readonly name: string;
  readonly id: string;
  readonly hash: string;
  readonly version?: string;
  readonly at: number;
}
interface InstructionFile {
  readonly path: string;
  readonly origin: "user" | "project" | "directory";
  readonly importedBy?: string;
  readonly text: string;
  readonly isTrusted: boolean;
  readonly repository?: string;
}
interface InstructionProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly file: string;
  readonly line?: number;
}
interface Instructions {
  readonly files: readonly InstructionFile[];
  readonly problems: readonly InstructionProblem[];
}
interface InteractEffect {
  readonly kind: "interact";
}
interface Jobs {
  readonly mayPromote: boolean;
  prepare(argv: readonly string[]): PreparedTask;
  adopt(left: AdoptedProcess): Promise<CommandTask>;
  list(): Promise<readonly RunningTask[]>;
  get(id: string): Promise<RunningTask>;
  wait(id: string, options: {
    readonly ms: number;
    readonly signal: AbortSignal;
  }): Promise<RunningTask>;
  read(id: string, options: TaskRead): Promise<TaskReading>;
  isWaiting(id: string): Promise<boolean>;
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  stop(id: string, reader?: TaskReader): Promise<RunningTask>;
}
interface JournalEntry extends Checkpoint, JournaledCall {
  readonly at: number;
  readonly state: "open" | "done" | "undone";
  readonly isRunning?: true;
  readonly changes: readonly {
    readonly path: string;
    readonly change: FileChange | "unknown";
    readonly hooks?: readonly string[];
  }[];
  readonly left?: readonly NotCaptured[];
  readonly damaged?: string;
}
interface JournaledCall {
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}
type JsonSchema = {
  readonly [key: string]: unknown;
};
interface Kit extends Toolkit {
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  callAll(calls: readonly Call[], options?: CallAllOptions): Promise<readonly Outcome[]>;
  explain(call: Call): Promise<Explanation>;
  preview(call: Call, options?: PreviewCallOptions): Promise<CallPreview>;
  reconcile(call: Call, options?: CallOptions): Promise<Reconciliation>;
  history(): Promise<readonly HistoryEntry[]>;
  diff(callId: string): Promise<readonly PathDifference[]>;
  undo(target?: UndoTarget, options?: UndoOptions): Promise<UndoReport>;
  redo(options?: Pick<UndoOptions, "force">): Promise<UndoReport>;
  readonly permissions: Permissions;
  readonly mode: Mode;
  setMode(mode: Mode): void;
  readonly registry: Registry;
  definitions<F extends DefinitionFormat>(format: F, options?: ModelDefinitionOptions): Promise<Definitions<DefinitionByFormat[F]>>;
  listings(options?: DefinitionOptions): readonly ToolListing[];
  readonly deferral: KitDeferral;
  readonly mcp: KitMcp;
  registerMcpProvider(provider: McpProvider): Promise<void>;
  registerMcpTransport(kind: string, open: OpenMcpTransport): Promise<void>;
  readonly createdTools: KitCreatedTools;
  run(options: KitRunOptions): AgentRun;
  readonly agents: KitAgents;
  readonly delegate: DelegateTask;
  readonly tasks: KitTasks;
  readonly sessions: KitSessions;
  readonly work: RunWork;
  readonly workspace: KitWorkspace;
  readonly settings: KitSettings;
  readonly models: ModelSettings;
  readonly instructions: KitInstructions | undefined;
  readonly skills: KitSkillList & KitSkillHubs;
  readonly commands: KitCommands;
  readonly hooks: KitHookList;
  readonly plugins: KitPlugins;
  readonly events: KitEvents;
  now(): number;
  newId(prefix: string): string;
  doctor(): Promise<DoctorReport>;
  readonly storage: KitStorage;
  stagesCommands(): Promise<boolean>;
  runConfined(program: readonly string[], options?: RunConfinedOptions): Promise<ConfinedRun>;
  derive(options?: DeriveOptions): Kit;
  forSession(sessionId: string): Kit;
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
interface KitAgents {
  definitions(): Promise<AgentDefinitions>;
  list(): Promise<readonly AgentInfo[]>;
  stored(): Promise<readonly AgentInfo[]>;
  get(id: string): Promise<AgentInfo>;
  wait(id: string, ms?: number): Promise<AgentInfo>;
  start(request: AgentRequest, options?: StartAgentOptions): Promise<AgentInfo>;
  send(id: string, message: string): Promise<AgentInfo>;
  stop(id: string): Promise<AgentInfo>;
}
interface KitCommands {
  list(): Promise<CommandList>;
  expand(name: string, options?: ExpandCommandOptions): Promise<ExpandedCommand>;
}
interface KitCreatedTools {
  list(): Promise<readonly CreatedToolInfo[]>;
  test(name: string): Promise<readonly CreatedToolCheck[]>;
  scaffold(name: string, language?: "javascript" | "shell"): Promise<readonly string[]>;
}
interface KitDeferral extends ToolkitDeferral {
  active(sessionId?: string): readonly string[];
  search(query: string, sessionId?: string): Promise<FoundTools>;
  activate(name: string, sessionId?: string): boolean;
  isDeferred(name: string, sessionId?: string): boolean;
  reset(sessionId?: string): void;
}
interface KitEvents extends ToolkitEvents {
  readonly file: string | undefined;
}
interface KitHookList {
  list(): Promise<readonly HookListing[]>;
  test(event: string, sample?: HookSample): Promise<readonly HookTestResult[]>;
}
interface KitInstructions {
  read(): Promise<PromptInstructions>;
  readFor(path: string, known: readonly Pick<InstructionFile, "path" | "isTrusted">[]): Promise<PromptInstructions>;
}
interface KitMcp {
  list(): readonly McpServerInfo[];
  tools(name: string): Promise<readonly McpToolInfo[]>;
  check(name: string): Promise<McpServerCheck>;
  login(name: string, options: McpLoginOptions): Promise<McpLogin>;
  logout(name: string): Promise<boolean>;
}
interface KitPlugins {
  list(): Promise<readonly PluginListing[]>;
  review(options: PluginReviewOptions): Promise<PluginReview>;
  servers(): readonly PluginServer[];
  check(directory: string): Promise<Omit<PluginReview, "accept">>;
  remove(name: string, options?: Pick<PluginReviewOptions, "scope">): Promise<void>;
}
interface KitRunOptions extends Omit<RunOptions, "toolkit" | "model" | "fallbackModels" | "backgroundModel"> {
  readonly model?: ModelChoice;
  readonly fallbackModels?: readonly ModelChoice[];
  readonly backgroundModel?: ModelChoice;
}
interface KitSessions {
  list(options?: {
    readonly limit?: number;
  }): Promise<readonly SessionInfo[]>;
  get(sessionId: string): Promise<SessionInfo | undefined>;
  messages(sessionId: string, agentId?: string): Promise<readonly Message[]>;
  log(sessionId: string, agentId?: string): Promise<StoredConversation>;
  rename(sessionId: string, title: string): Promise<SessionInfo>;
  fork(sessionId: string, options?: ForkSessionOptions): Promise<SessionInfo>;
  delete(sessionId: string): Promise<void>;
  export(sessionId: string, options?: ExportSessionOptions): Promise<string>;
  import(lines: string): Promise<SessionInfo>;
}
interface KitSettings {
  list(options?: ListSettingsOptions): Promise<readonly SettingEntry[]>;
  set(change: SettingChange): Promise<SavedSetting>;
  check(): Promise<readonly CheckedFile[]>;
}
interface KitSkillHubs {
  search(query: string): Promise<FoundHubSkills>;
  review(options: SkillReviewOptions): Promise<SkillReview>;
  installed(options?: Pick<SkillReviewOptions, "scope">): Promise<readonly InstalledSkill[]>;
  remove(name: string, options?: Pick<SkillReviewOptions, "scope">): Promise<void>;
}
interface KitSkillList {
  list(): Promise<readonly SkillListing[]>;
  show(file: string): Promise<string>;
  export(file: string): Promise<ExportedSkill>;
  validate(directory: string): Promise<SkillListing>;
}
interface KitStorage {
  readonly directory: string;
  readonly artifactDirectory: string;
  readonly fs: StoreFs;
  collect(options?: {
    readonly dryRun?: boolean;
  }): Promise<CollectionReport>;
}
interface KitTasks {
  list(): Promise<readonly Task[]>;
  read(id: string, options?: ReadTaskOptions): Promise<TaskText>;
  stop(id: string): Promise<Task>;
}
interface KitWorkspace {
  readonly path: string;
  readonly problems: readonly (SettingsProblem | RuleProblem)[];
  trust(): Promise<WorkspaceTrust>;
}
interface LaunchReport {
  readonly by: "direct" | "helper";
  readonly helperPid?: number;
  readonly failure?: string;
  readonly confinedPids?: readonly number[];
}
interface LayeredDescription {
  readonly short: string;
  readonly long?: string;
  readonly usageNotes?: readonly string[];
  readonly examples?: readonly {
    readonly input: unknown;
    readonly note?: string;
  }[];
  readonly important?: readonly string[];
}
interface LazyTool extends ToolTraits {
  readonly kind: "lazy-tool";
  readonly known?: Pick<ToolListing, "summary" | "description" | "inputSchema"> & Partial<Pick<ToolListing, "level">>;
  init(context: InitContext): Promise<Tool> | Tool;
}
type LazyToolDefinition<S extends InputSchema> = ToolTraits & {
  init(context: InitContext): Promise<InitializedTool<S>> | InitializedTool<S>;
};
interface Lease {
  renew(): Promise<boolean>;
  release(): Promise<void>;
}
interface LimitOptions {
  readonly read?: Partial<Limits["read"]>;
  readonly glob?: Partial<Limits["glob"]>;
  readonly grep?: Partial<Limits["grep"]>;
  readonly listDir?: Partial<Limits["listDir"]>;
  readonly bash?: Partial<Limits["bash"]>;
  readonly agents?: Partial<Limits["agents"]>;
  readonly answer?: Partial<Limits["answer"]>;
  readonly artifacts?: Partial<Limits["artifacts"]>;
  readonly undo?: Partial<Limits["undo"]>;
  readonly events?: Partial<Limits["events"]>;
  readonly shownChars?: Limits["shownChars"];
}
interface Limits {
  readonly read: {
    readonly lines: number;
    readonly pageBytes: number;
    readonly wholeBytes: number;
    readonly lineChars: number;
    readonly imageBytes: number;
    readonly imagePixels: number;
    readonly imageSide: number;
    readonly imageBase64: number;
    readonly documentBytes: number;
    readonly unpackedBytes: number;
    readonly pages: number;
    readonly wholePages: number;
    readonly outputChars: number;
    readonly outputsChars: number;
  };
  readonly glob: {
    readonly found: number;
    readonly shown: number;
  };
  readonly grep: {
    readonly lines: number;
    readonly lineChars: number;
  };
  readonly listDir: {
    readonly entries: number;
  };
  readonly bash: {
    readonly timeoutMs: number;
    readonly maxTimeoutMs: number;
    readonly promotedMs: number;
    readonly terminateMs: number;
    readonly killMs: number;
    readonly stdoutChars: number;
    readonly stderrChars: number;
    readonly minReportedMs: number;
    readonly progressMs: number;
  };
  readonly agents: {
    readonly depth: number;
    readonly active: number;
    readonly total: number;
    readonly idleMs: number;
  };
  readonly answer: {
    readonly media: number;
    readonly mediaChars: number;
    readonly structuredChars: number;
  };
  readonly artifacts: {
    readonly bytes: number;
    readonly totalBytes: number;
    readonly days: number;
  };
  readonly undo: {
    readonly calls: number;
    readonly days: number;
    readonly totalBytes: number;
  };
  readonly events: {
    readonly bytes: number;
    readonly days: number;
  };
  readonly shownChars: Readonly<Record<string, number>>;
}
interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}
interface ListEntry {
  readonly kind: HostStat["kind"];
  readonly path: string;
  readonly name: string;
  readonly size?: number;
  readonly target?: string;
  readonly isBroken?: boolean;
  readonly isIgnored: boolean;
}
type ListEvent = {
  readonly kind: "entry";
  readonly entry: ListEntry;
} | {
  readonly kind: "end";
  readonly excluded: number;
  readonly ignored: number;
  readonly notTold: number;
  readonly partial: boolean;
};
interface ListQuery {
  readonly root: string;
  readonly depth?: number;
  readonly maxEntries?: number;
  readonly directoriesOnly?: boolean;
  readonly leaveOut?: readonly string[];
  readonly includeIgnored?: boolean;
  readonly defaultExcludes?: DefaultExcludes | undefined;
  readonly isExcluded?: (path: string) => boolean;
}
interface ListSettingsOptions {
  readonly key?: string;
  readonly defaults?: boolean;
}
interface ListedCommand extends SlashCommand {
  readonly needsTrust: boolean;
  readonly server?: string;
}
interface ListedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: string;
  readonly file?: string;
  readonly line?: number;
  readonly counts: boolean;
}
interface LocalHost extends Host {
  readonly withheldEnvironment: readonly string[];
  readonly launching: LaunchReport;
}
interface LocalHostOptions {
  readonly id?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly passEnvironment?: readonly string[];
  readonly patience?: Partial<ProcessPatience>;
  readonly ripgrep?: string;
  readonly launching?: LocalLauncherOptions;
}
interface LocalLauncherOptions {
  readonly helper?: SpawnHelper;
  readonly bigBytes?: number;
}
interface LocatedPath {
  readonly path: string;
  readonly exists: boolean | undefined;
  readonly isFolder?: boolean;
}
interface LockOptions extends HostOptions {
  readonly leaseMs: number;
}
type MarkMatches = "people" | "model" | "never";
interface McpLogin {
  readonly issuer: string;
  readonly scope?: string;
}
interface McpLoginOptions {
  readonly onAddress: (address: string) => void;
  readonly opensBrowser?: boolean;
  readonly issuer?: string;
  readonly onListening?: (accept: (address: string) => boolean) => void;
  readonly signal?: AbortSignal;
}
interface McpProvider {
  readonly id: string;
  isEligible(context: McpProviderContext): boolean;
  readonly server: McpProviderServer | (() => McpProviderServer | Promise<McpProviderServer>);
}
interface McpProviderContext {
  readonly workspace: string;
  readonly mode: Mode;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly agentName?: string;
}
type McpProviderServer = {
  readonly tools: readonly Tool[];
} | {
  connect(transport: McpTransport): Promise<void>;
};
type McpResult = {
  content: (Exclude<ContentPart, {
    readonly type: "resource";
  }> | {
    type: "resource";
    resource: {
      uri: string;
      mimeType?: string;
    } & ({
      text: string;
    } | {
      blob: string;
    });
  })[];
  structuredContent?: Record<string, unknown>;
  isError: boolean;
};
interface McpServerCheck {
  readonly server: McpServerInfo;
  readonly durationMs: number;
  readonly protocol?: string;
  readonly implementation?: string;
  readonly problems: readonly string[];
  readonly log: readonly string[];
}
interface McpServerInfo {
  readonly name: string;
  readonly rule: string;
  readonly status: "off" | "excluded" | "needs-trust" | "invalid" | "stopped" | "starting" | "running" | "needs_auth" | "failed";
  readonly scope: SettingsScope;
  readonly file?: string;
  readonly address: string;
  readonly tools?: number;
  readonly reason?: string;
  readonly hint?: string;
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
interface McpToolInfo {
  readonly name: string;
  readonly offeredAs: string;
  readonly description: string;
  readonly change?: string;
}
interface McpTransport {
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: never) => void) | undefined;
  onclose?: (() => void) | undefined;
}
interface MemoryControl {
  readonly root: string;
  plant(path: string, entry: MemoryEntry): void;
  fail(fault: MemoryFault): () => void;
  advance(ms: number): void;
  texts(): Readonly<Record<string, string>>;
}
type MemoryEntry = {
  readonly kind: "file";
  readonly content: string | Uint8Array;
  readonly mode?: number;
  readonly mtimeMs?: number;
} | {
  readonly kind: "directory";
  readonly mode?: number;
  readonly mtimeMs?: number;
} | {
  readonly kind: "symlink";
  readonly target: string;
} | {
  readonly kind: "fifo" | "socket" | "device";
};
type MemoryExit = number | {
  readonly code: number | null;
  readonly signal?: string;
  readonly leftRunning?: readonly number[];
};
interface MemoryFault {
  readonly path?: string;
  readonly operation?: keyof HostFs;
  readonly fails: string;
  readonly times?: number;
}
interface MemoryHost extends Host {
  readonly control: MemoryControl;
}
interface MemoryHostOptions {
  readonly root?: string;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly home?: string;
  readonly id?: string;
  readonly os?: HostInfo["os"];
  readonly now?: number | "real";
  readonly programs?: Readonly<Record<string, MemoryProgram>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly responses?: MemoryResponses;
}
type MemoryProgram = (argv: readonly string[], io: MemoryProgramIo) => MemoryExit | Promise<MemoryExit>;
interface MemoryProgramIo {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly fs: HostFs;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
  stdout(data: string | Uint8Array): void;
  stderr(data: string | Uint8Array): void;
}
interface MemoryResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
type MemoryResponses = Readonly<Record<string, MemoryResponse | ((request: HostRequest, options?: HostOptions) => MemoryResponse | Promise<MemoryResponse>)>>;
type Message = UserMessage | AssistantMessage | ToolMessage;
interface MinimalTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  execute(parameters: Readonly<Record<string, unknown>>): Promise<string | readonly ContentPart[]> | string | readonly ContentPart[];
}
interface Missing {
  readonly reason: string;
  readonly install?: string;
}
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
type ModelChoice = Model | string;
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
interface NewTodo {
  readonly title: string;
  readonly description?: string | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly owner?: string | undefined;
}
interface NotCaptured {
  readonly path: string;
  readonly because: string;
}
interface NotifyOptions {
  readonly show?: (notification: UserNotification) => void | Promise<void>;
  readonly desktop?: boolean;
  readonly on?: readonly ("question" | "completion")[];
}
type ObjectSchema = JsonSchema & {
  readonly type: "object";
};
interface ObservableToolkit {
  readonly events: Pick<ToolkitEvents, "subscribe">;
}
interface OfferOptions extends DefinitionOptions {
  readonly isHidden?: HiddenPredicate;
  readonly deferred?: ReadonlySet<string> | undefined;
}
interface OnAsk {
  (ask: Ask, options: {
    readonly signal: AbortSignal | undefined;
  }): Promise<Answer>;
  readonly looksAtPreview?: boolean;
  readonly isAutomatic?: boolean;
}
type OpenAIChatResult = {
  role: "tool";
  tool_call_id: string;
  content: string;
};
type OpenAIChatTool = {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: ObjectSchema;
    strict?: boolean;
  };
};
type OpenAIResponsesResult = {
  type: "function_call_output";
  call_id: string;
  output: string | ({
    type: "input_text";
    text: string;
  } | {
    type: "input_image";
    image_url: string;
    detail: "auto";
  } | {
    type: "input_file";
    filename: string;
    file_data: string;
  })[];
};
type OpenAIResponsesTool = {
  type: "function";
  name: string;
  description: string;
  parameters: ObjectSchema;
  strict: boolean;
  defer_loading?: boolean;
};
type OpenMcpTransport = (entry: Readonly<Record<string, unknown>>) => McpTransport | Promise<McpTransport>;
interface OtherSessions {
  spawn(request: SpawnRequest, caller: AgentCaller): Promise<SessionFacts>;
  list(page: {
    readonly limit: number;
    readonly offset: number;
  }): Promise<readonly SessionFacts[]>;
  get(sessionId: string): Promise<SessionFacts>;
  send(sessionId: string, message: string, caller: AgentCaller): Promise<void>;
  history(sessionId: string, limit: number, caller: AgentCaller): Promise<readonly SessionMessage[]>;
  yield(message: string, caller: AgentCaller): Promise<void>;
}
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
interface OutputReading {
  readonly marks: {
    mark(stream: "stdout" | "stderr", text: string): string;
  };
  decode(stream: "stdout" | "stderr", bytes?: Uint8Array): string;
}
interface PackagePart {
  readonly kind: "skill" | "command" | "agent" | "tool" | "hook" | "MCP server" | "language server";
  readonly name: string;
  readonly tools?: readonly string[];
  readonly effects?: readonly string[];
}
interface PathDifference {
  readonly path: string;
  readonly change: FileChange | "unknown";
  readonly before: FileState;
  readonly after?: FileState;
  readonly diff?: string;
  readonly hooks?: readonly string[];
  readonly encoding?: string;
}
interface PermissionSettings {
  readonly deny?: readonly unknown[];
  readonly ask?: readonly unknown[];
  readonly allow?: readonly unknown[];
  readonly additionalDirectories?: readonly string[];
  readonly defaultMode?: Mode;
  readonly disableBypassPermissionsMode?: "disable";
}
declare class Permissions {
  #private;
  list(): readonly ListedRule[];
  check(addition: RuleAddition): Promise<readonly string[]>;
  add(given: RuleAddition): Promise<readonly SavedRule[]>;
  remove(change: RuleChange): Promise<boolean>;
}
interface PluginListing {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly scope: "workspace" | "user";
  readonly directory: string;
  readonly hash: string;
  readonly source: PluginSource;
  readonly parts: readonly PackagePart[];
  readonly needsTrust: boolean;
  readonly faults: readonly string[];
  readonly problems: readonly PluginProblem[];
}
interface PluginProblem extends FileProblem {
  readonly file: string;
}
interface PluginReview {
  readonly name: string;
  readonly version?: string;
  readonly description?: string;
  readonly hash: string;
  readonly installedHash?: string;
  readonly source: PluginSource;
  readonly files: readonly ReviewedFile[];
  readonly hidden: readonly HiddenText[];
  readonly parts: readonly PackagePart[];
  readonly programs: readonly ExplainedProgram[];
  readonly problems: readonly PluginProblem[];
  describe(): readonly string[];
  accept(): Promise<void>;
}
interface PluginReviewOptions {
  readonly from: string;
  readonly ref?: string;
  readonly entry?: string;
  readonly scope?: "user" | "project";
}
interface PluginServer {
  readonly kind: "mcp" | "language";
  readonly name: string;
  readonly plugin: string;
  readonly config: unknown;
  readonly scope: "workspace" | "user";
  readonly needsTrust: boolean;
  readonly file: string;
  readonly line?: number;
  readonly verify: () => Promise<void>;
}
interface PluginSource {
  readonly from: string;
  readonly ref?: string;
  readonly entry?: string;
}
type PrepareTurn = (info: TurnInfo) => TurnChanges | undefined | Promise<TurnChanges | undefined>;
interface PreparedTask {
  readonly taskId: string;
  readonly argv: readonly string[];
}
interface PreviewCallOptions extends Pick<CallOptions, "signal" | "sessionId" | "agentId" | "services"> {
  readonly approved?: boolean;
}
interface PreviewChange {
  readonly path: string;
  readonly change: "created" | "modified" | "deleted" | "mode" | "replaced" | "unknown";
  readonly kind?: "file" | "directory" | "symlink" | "special";
  readonly size?: number;
  readonly mode?: number;
  readonly encoding?: string;
  readonly hash?: string;
  readonly target?: string;
  readonly added?: number;
  readonly removed?: number;
  readonly diff?: string;
  readonly because?: string;
  readonly below?: {
    readonly entries: number;
    readonly bytes: number;
  };
  readonly isProtected?: true;
}
interface PreviewResult {
  readonly summary: string;
  readonly diff?: string;
  readonly changes?: readonly PreviewChange[];
  readonly moreChanges?: number;
  readonly content?: string;
  readonly refused?: StagedChanges["refused"];
  readonly passthrough?: readonly string[];
  readonly basis?: "run" | "reported" | "declared";
}
type ProcessChunk = {
  readonly seq: number;
  readonly stream: "stdout" | "stderr";
  readonly bytes: Uint8Array;
  readonly lostBefore?: number;
} | {
  readonly seq: number;
  readonly exit: ProcessExit;
  readonly lostBefore?: number;
};
interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly endedBy?: "timeout" | "abort" | "output-limit" | "dispose";
  readonly leftRunning: readonly number[];
}
interface ProcessPatience {
  readonly terminate: number;
  readonly kill: number;
  readonly drain: number;
}
interface ProcessRef {
  readonly id: string;
  readonly pid: number;
  readonly startedAtMs: number;
  readonly startToken?: string;
  readonly tree?: string;
}
interface ProcessSpec {
  readonly id: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly keepEnv?: readonly string[];
  readonly stdin?: "pipe" | "none";
  readonly limits?: {
    readonly timeoutMs?: number;
    readonly maxOutputBytes?: number;
    readonly terminateMs?: number;
    readonly killMs?: number;
  };
  readonly confinement?: Confinement;
  readonly live?: boolean;
  readonly outlives?: boolean;
}
interface ProgressUpdate {
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}
interface PromptInstruction extends InstructionFile {
  readonly part: {
    readonly name: string;
    readonly text: string;
  };
}
interface PromptInstructions extends Instructions {
  readonly files: readonly PromptInstruction[];
}
interface PromptPart {
  readonly name: string;
  readonly text: string;
}
type ProviderData = Readonly<Record<string, unknown>>;
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
interface ReadOptions extends HostOptions {
  readonly maxBytes?: number;
  readonly asCaptured?: boolean;
}
interface ReadTaskOptions {
  readonly from?: number;
  readonly maxBytes?: number;
}
type Reconciliation = "done" | "not-done" | "unknown" | "repeatable";
interface Redaction {
  load(): Promise<(text: string) => string>;
}
interface Refusal {
  readonly host: string;
  readonly port: number;
  readonly reason: string;
}
interface RegisterOptions {
  readonly override?: boolean;
  readonly enabled?: boolean;
  readonly scope?: string;
}
interface RegisteredTool {
  readonly name: string;
  readonly traits: ToolTraits;
  readonly source: ToolSource;
  readonly flags: ToolFlags;
  readonly loaded: Tool | undefined;
  load(): Tool | Promise<Tool>;
  readonly known: ToolListing | undefined;
  listing(): ToolListing | Promise<ToolListing>;
}
interface Registry extends ToolView {
  register(tool: Tool | LazyTool, options?: RegisterOptions): RegisteredTool;
  registerAll(tools: readonly (Tool | LazyTool)[], options?: RegisterOptions): readonly RegisteredTool[];
  unregister(name: string): boolean;
  setEnabled(name: string, enabled: boolean): void;
  scope(id: string): RegistryScope;
  createFiltered(names: readonly string[]): Registry;
  readOnly(): Registry;
  write(): Registry;
  snapshot(): RegistrySnapshot;
  subscribe(listener: (change: RegistryChange) => void): () => void;
}
interface RegistryChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
}
interface RegistryOptions extends ToolViewOptions {
  readonly context?: InitContextSource;
  readonly isEnabled?: ((tool: ToolTraits) => boolean | undefined) | undefined;
  readonly onChange?: ((change: RegistryChange) => void) | undefined;
}
interface RegistryScope {
  readonly id: string;
  register(tool: Tool | LazyTool, options?: Omit<RegisterOptions, "scope">): RegisteredTool;
  registerAll(tools: readonly (Tool | LazyTool)[], options?: Omit<RegisterOptions, "scope">): readonly RegisteredTool[];
  dispose(): void;
}
type RegistrySnapshot = ToolView;
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
interface ReplaceOptions {
  readonly ifMatch?: string | null;
  readonly durable?: boolean;
}
type RequestOptions = Pick<ModelRequest, "toolChoice" | "temperature" | "headers" | "providerOptions">;
interface ResultByFormat {
  readonly anthropic: AnthropicResult;
  readonly "openai-chat": OpenAIChatResult;
  readonly "openai-responses": OpenAIResponsesResult;
  readonly gemini: GeminiResult;
  readonly mcp: McpResult;
  readonly openai: OpenAIChatResult;
}
interface RetryOptions {
  readonly attempts?: number;
  readonly baseMs?: number;
  readonly maxMs?: number;
}
interface ReviewedFile {
  readonly path: string;
  readonly size: number;
  readonly isExecutable: boolean;
  readonly change: "added" | "changed" | "unchanged" | "removed";
}
interface ReviewedSkillProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
}
interface RuleAddition extends RuleChange {
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
}
interface RuleChange {
  readonly rule: string;
  readonly list?: RuleList;
  readonly scope: Exclude<SaveScope, "session">;
}
type RuleList = "deny" | "ask" | "allow";
interface RuleProblem {
  readonly severity: "error" | "warning";
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: RuleScope;
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
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
interface RunConfinedOptions {
  readonly onOutput?: (bytes: Uint8Array, stream: "stdout" | "stderr") => void;
  readonly signal?: AbortSignal;
}
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
interface SampleAnswer {
  readonly content: readonly ContentPart[];
  readonly text: string;
  readonly model: string;
  readonly stopReason?: string;
}
interface SampleMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentPart;
}
interface SampleRequest {
  readonly name?: string;
  readonly messages: readonly SampleMessage[];
  readonly maxTokens: number;
  readonly systemPrompt?: string;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
}
interface Sandbox {
  readonly policy: SandboxPolicy;
  readonly report: SandboxReport;
  readonly helper?: ConfinedHelper;
  readonly directory?: string;
  wrap(argv: readonly string[], options?: WrapOptions): Confined;
  isLate?(path: string): boolean;
  takeRefusals?(): readonly Refusal[];
  dispose(): Promise<void>;
}
interface SandboxDriver {
  readonly name: string;
  readonly isExperimental?: boolean;
  readonly filtersSystemCalls?: boolean;
  readonly confinesSearches?: boolean;
  readonly needsNoNamespace?: boolean;
  readonly programs?: readonly string[];
  version?(): Promise<string | undefined>;
  missing(): Promise<Missing | undefined>;
  report(policy: SandboxPolicy): SandboxReport;
  prepare(policy: SandboxPolicy): Promise<Sandbox>;
}
interface SandboxGap {
  readonly id: string;
  readonly text: string;
}
interface SandboxLimits {
  readonly processes?: number;
  readonly fileBytes?: number;
  readonly memoryBytes?: number;
}
type SandboxNetwork = {
  readonly kind: "none";
} | {
  readonly kind: "open";
} |
{
  readonly kind: "hosts";
  readonly hosts: readonly string[];
};
interface SandboxOption extends Omit<SandboxSettings, "driver"> {
  readonly driver?: string | SandboxDriver;
}
interface SandboxPolicy {
  readonly workspace: string;
  readonly readable: readonly string[];
  readonly writable: readonly ExistingPath[];
  readonly pinned: readonly string[];
  readonly protected: readonly ExistingPath[];
  readonly onOverlay?: {
    readonly pinned: readonly string[];
    readonly protected: readonly ExistingPath[];
  };
  readonly searched: readonly string[];
  readonly known: readonly string[];
  readonly isSearchedInPart: boolean;
  readonly hasOpenSecrets: boolean;
  readonly hidden: readonly ExistingPath[];
  readonly granted: readonly ExistingPath[];
  readonly revealed: readonly ExistingPath[];
  readonly watched: readonly WatchedPath[];
  readonly temporary: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly network: SandboxNetwork;
  readonly limits: SandboxLimits;
  readonly leftovers: "ended" | "kept";
}
interface SandboxReport {
  readonly provider: string;
  readonly version?: string;
  readonly filesystem: SandboxStrength;
  readonly network: SandboxStrength | "granted";
  readonly ipc: SandboxStrength;
  readonly process: SandboxStrength;
  readonly undo: "full" | "partial" | "none";
  readonly gaps: readonly SandboxGap[];
}
interface SandboxSettings {
  readonly require?: "enforced" | "best-effort" | "off";
  readonly driver?: string;
  readonly network?: "none" | "open" | {
    readonly hosts: readonly string[];
  };
  readonly overlay?: "undo" | "preview" | "off";
  readonly secrets?: {
    readonly add?: readonly string[];
    readonly open?: readonly string[];
  };
  readonly passthrough?: readonly string[];
}
type SandboxStrength = "enforced" | "partial" | "none";
type SaveScope = "session" | "local" | "project" | "user";
interface SavedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: Exclude<SaveScope, "session">;
  readonly file: string;
  readonly line: number;
  readonly wasThere: boolean;
}
interface SavedSetting {
  readonly key: string;
  readonly value: unknown;
  readonly file: string;
  readonly line: number | undefined;
  readonly changed: boolean;
}
interface SearchOptions {
  readonly defaultExcludes?: SearchSettings["defaultExcludes"];
}
interface SearchService {
  readonly id: string;
  readonly baseUrl?: string;
  readonly urlVariable?: string;
  readonly keyVariable?: string;
  readonly variables?: readonly string[];
  readonly filtersDomains?: boolean;
  request(query: WebQuery & {
    readonly count: number;
  }, access: {
    readonly baseUrl: string;
    readonly key: string;
    readonly variable: (name: string) => string;
  }): HostRequest;
  results(body: unknown): readonly WebResult[] | undefined;
}
interface SearchSettings {
  readonly defaultExcludes: DefaultExcludes;
  readonly markMatches: MarkMatches;
}
interface SeenEncoding {
  readonly name: string;
  readonly isConcluded?: boolean;
}
interface SeenFiles {
  saw(path: string, view: FileView): void;
  view(path: string): FileView | undefined;
  forget(path: string): void;
}
interface ServiceToken<T> {
  readonly id: string;
  readonly setup?: string;
  readonly type?: T;
}
interface Services {
  get<T>(token: ServiceToken<T>): T | undefined;
}
interface SessionFacts {
  readonly sessionId: string;
  readonly title: string;
  readonly status: string;
  readonly messages: number;
  readonly updatedAt: number;
}
interface SessionInfo {
  readonly sessionId: string;
  readonly title: string;
  readonly task?: string;
  readonly model?: string;
  readonly runs: number;
  readonly status: string;
  readonly workspace?: string;
  readonly messages: number;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly forkedFrom?: {
    readonly sessionId: string;
    readonly message: number;
  };
  readonly isDamaged?: boolean;
}
interface SessionLogEntry {
  readonly number: number;
  readonly at: number;
  readonly runId: string;
  readonly kind: "message" | "compaction";
  readonly messages: readonly Message[];
}
interface SessionMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
}
type SessionStorage = "file" | "memory" | "none";
interface SettingChange {
  readonly key: string;
  readonly value: unknown;
  readonly scope?: Exclude<SaveScope, "session">;
}
interface SettingEntry {
  readonly key: string;
  readonly value: unknown;
  readonly scope: SettingsScope | "default";
  readonly file?: string;
  readonly line?: number;
  readonly state: "in effect" | "overridden" | "needs trust" | "ignored";
}
interface Settings {
  readonly permissions?: PermissionSettings;
  readonly defaultWorkingDirectory?: string;
  readonly restrictToWorkspace?: boolean;
  readonly dangerousCommandWhitelist?: readonly string[];
  readonly confirmDangerousCommands?: boolean;
  readonly limits?: LimitOptions;
  readonly sandbox?: SandboxSettings;
  readonly search?: SearchOptions;
  readonly toolSearch?: DeferralSettings;
  readonly grep?: GrepOptions;
  readonly models?: ModelSettings;
  readonly enableToolCalls?: boolean;
  readonly tools?: Readonly<Record<string, {
    readonly enabled?: boolean;
    readonly autoExecute?: boolean;
  }>>;
  readonly allowedTools?: readonly string[];
  readonly builtInAllow?: readonly string[];
  readonly maxChars?: number;
  readonly bash?: BashSettings;
  readonly agents?: Readonly<Record<string, AgentSettings>>;
  readonly toolAgentSettings?: ToolAgentSettings;
  readonly webSearch?: WebSearchSettings;
  readonly mcpServers?: Readonly<Record<string, unknown>>;
  readonly mcpServerIds?: readonly string[];
  readonly enabledMcpjsonServers?: readonly string[];
  readonly disabledMcpjsonServers?: readonly string[];
  readonly enableAllProjectMcpServers?: boolean;
  readonly directMcpServers?: Readonly<Record<string, unknown>>;
  readonly hooks?: Readonly<Record<string, unknown>>;
  readonly disableAllHooks?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly skillHubs?: readonly SkillHubSettings[];
  readonly diagnostics?: DiagnosticSettings;
}
interface SettingsProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
}
type SettingsScope = "managed" | "option" | "local" | "project" | "user";
interface SkillFault {
  readonly message: string;
  readonly line?: number;
}
interface SkillHubSettings {
  readonly kind: "skills.sh" | "well-known" | "clawhub" | "mcp-registry";
  readonly url?: string;
}
interface SkillListing {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly scope: "workspace" | "user";
  readonly allowedTools?: readonly string[];
  readonly isModelInvocable: boolean;
  readonly isUserInvocable: boolean;
  readonly needsTrust: boolean;
  readonly faults: readonly SkillFault[];
  readonly notes: readonly SkillFault[];
}
interface SkillReview {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  readonly hash: string;
  readonly installedHash?: string;
  readonly files: readonly ReviewedFile[];
  readonly hidden: readonly HiddenText[];
  readonly parts: readonly PackagePart[];
  readonly programs: readonly ExplainedProgram[];
  readonly problems: readonly ReviewedSkillProblem[];
  describe(): readonly string[];
  accept(): Promise<string>;
}
interface SkillReviewOptions {
  readonly id: string;
  readonly scope?: "user" | "project";
}
interface SlashCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly arguments: readonly string[];
  readonly allowedTools?: readonly string[];
  readonly model?: string;
  readonly isForModel: boolean;
  readonly body: string;
  readonly syntax: "markdown" | "toml";
  readonly file: string;
  readonly verify?: () => Promise<void>;
}
interface Span {
  readonly start: number;
  readonly end: number;
}
type SpawnHelper = "auto" | "always" | "never";
interface SpawnRequest {
  readonly prompt: string;
  readonly agent?: string | undefined;
  readonly title?: string | undefined;
}
interface StagedChange {
  readonly path: string;
  readonly to: StagedEntry;
}
interface StagedChanges {
  readonly since: number;
  readonly changes: readonly StagedChange[];
  readonly refused: readonly {
    readonly path: string;
    readonly because: string;
  }[];
  readonly through: readonly string[];
  readonly aside?: string;
}
type StagedEntry = {
  readonly kind: "absent";
} |
{
  readonly kind: "file";
  readonly source: string;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
} | {
  readonly kind: "symlink";
  readonly target: string;
} | {
  readonly kind: "directory";
  readonly mode: number;
};
interface StartAgentOptions {
  readonly sessionId?: string;
  readonly signal?: AbortSignal;
}
interface StartedAgent extends Pick<AgentTask, "id" | "kind" | "title" | "startedAt" | "trust" | "callId" | "runId" | "sessionId" | "agentId"> {
  progress(): AgentProgress;
  text(): string;
  readonly ended: Promise<AgentEnd>;
  stop(): Promise<void>;
  readonly onEndShown?: ((reader: TaskReader) => void) | undefined;
}
type StepBatch<T> = (missing: readonly string[], record: (key: string, result: T) => void) => Promise<void>;
interface Steps {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  runAll<T>(keys: readonly string[], work: StepBatch<T>): Promise<readonly T[]>;
}
interface Store {
  area(name: StoreAreaName): StoreArea;
  readonly directory?: string;
  readonly files?: StoreFiles;
}
interface StoreArea {
  read(name: string): Promise<StoredFile | undefined>;
  replace(name: string, bytes: Uint8Array, options?: ReplaceOptions): Promise<StoredFile>;
  append(name: string): Promise<HostAppender>;
  list(prefix?: string): AsyncIterable<StoredEntry>;
  remove(name: string): Promise<void>;
  lock(name: string, options: LockOptions): Promise<Lease>;
  readonly directory?: string;
}
type StoreAreaName = "journal" | "trust" | "settings" | "tasks" | "artifacts" | "sessions";
interface StoreFiles {
  readonly fs: StoreFs;
  readonly directory: string;
  readonly home: string;
  readonly managed: string;
}
type StoreFs = Pick<HostFs, "stat" | "readFile" | "readRange" | "open" | "writeAtomic" | "append" | "list" | "mkdir" | "remove" | "move" | "flush" | "appender"> & Partial<Pick<HostFs, "canonical" | "readLink">>;
interface StoredConversation {
  readonly entries: readonly SessionLogEntry[];
  readonly damaged: number;
}
interface StoredEntry {
  readonly name: string;
  readonly size: number;
  readonly mtimeMs: number;
}
interface StoredFile {
  readonly bytes: Uint8Array;
  readonly hash: string;
  readonly mtimeMs: number;
}
interface StoredMail {
  readonly number: number;
  readonly text: string;
  readonly workId?: string;
}
type Task = RunningTask | Todo;
interface TaskList {
  list(): Promise<readonly Task[]>;
  get(id: string): Promise<Task>;
  create(todo: NewTodo): Promise<Todo>;
  update(id: string, change: TodoChange): Promise<Todo>;
}
interface TaskRead {
  readonly reader?: TaskReader | undefined;
  readonly from?: number | undefined;
  readonly maxBytes: number;
  readonly tailShare: number;
}
interface TaskReader {
  readonly runId?: string | undefined;
  readonly agentId?: string | undefined;
}
interface TaskReading {
  readonly task: RunningTask;
  readonly parts: readonly {
    readonly at: number;
    readonly text: string;
  }[];
  readonly next: number;
  readonly total: number;
}
type TaskStatus = "running" | "ended" | "lost";
interface TaskText {
  readonly task: RunningTask;
  readonly text: string;
  readonly next: number;
  readonly total: number;
}
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
interface TodoChange extends Omit<NewTodo, "title"> {
  readonly status?: TodoStatus | undefined;
  readonly title?: string | undefined;
}
type TodoStatus = "pending" | "in_progress" | "done" | "failed" | "cancelled";
interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
}
interface Tool extends ToolTraits, ToolBehaviour<unknown> {
  readonly kind: "tool";
  readonly input: InputSchema;
}
interface ToolAgentSettings {
  readonly maxToolCalls?: number;
  readonly timeoutMs?: number;
  readonly autoConfirmDangerous?: boolean;
  readonly providerId?: string;
  readonly model?: string;
}
interface ToolBehaviour<Input> {
  readonly description: string | LayeredDescription;
  readonly inputAliases?: Readonly<Record<string, readonly string[]>>;
  readonly freeText?: readonly string[];
  readonly output?: InputSchema;
  effects?(input: Input, context: EffectContext): readonly Effect[] | Promise<readonly Effect[]>;
  signature?(input: Input): string;
  suggestRule?(input: Input): string | undefined;
  run(input: Input, context: ToolContext): Promise<ToolResult> | ToolResult;
  preview?(input: Input, context: ToolContext): Promise<PreviewResult>;
  undo?(input: Input, outcome: unknown, context: ToolContext): Promise<ToolResult>;
  reconcile?(input: Input, context: ToolContext): Promise<"done" | "not-done" | "unknown" | undefined>;
  formatIssues?(issues: readonly InputIssue[]): string;
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
interface ToolContext extends EffectContext {
  readonly host: Host;
  readonly callId: string;
  readonly runId?: string | undefined;
  readonly toolName: string;
  readonly excludes: (path: string) => string | undefined;
  readonly progress: (update: ProgressUpdate) => void;
  readonly output: {
    readonly write: (text: string, stream?: "stdout" | "stderr") => void;
  };
  readonly metadata: (patch: Readonly<Record<string, unknown>>) => void;
  readonly ask: (question: UserQuestion) => Promise<UserReply>;
}
type ToolDefinition<S extends InputSchema> = ToolTraits & ToolBehaviour<InferInput<S>> & {
  readonly input: S;
};
export declare class ToolError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C;
  readonly hint: string | undefined;
  readonly data: ErrorData<C> | undefined;
  readonly retryable: boolean;
  constructor(code: C, message: string, options?: ToolErrorOptions<C>);
  get type(): ErrorType;
  get move(): ErrorMove;
  toJSON(): ErrorInfo<C>;
  static is<C extends ErrorCode = ErrorCode>(error: unknown, code?: C): error is ToolError<C>;
}
interface ToolErrorOptions<C extends ErrorCode = ErrorCode> {
  readonly hint?: string | undefined;
  readonly data?: ErrorData<C> | undefined;
  readonly cause?: unknown;
  readonly retryable?: boolean | undefined;
}
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
interface ToolResult {
  readonly content: string | readonly ContentPart[];
  readonly structuredContent?: unknown;
  readonly title?: string;
  readonly summary?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly trust?: Trust;
}
interface ToolResultPart {
  readonly type: "tool-result";
  readonly callId: string;
  readonly name: string;
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
  readonly loadedTools?: readonly string[];
}
interface ToolSearchOptions extends OfferOptions {
  readonly limit?: number;
}
interface ToolSearchResult {
  readonly name: string;
  readonly summary: string;
  readonly score: number;
}
interface ToolSelection {
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly extra?: readonly (Tool | LazyTool | MinimalTool)[];
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
interface ToolView {
  get(name: string): RegisteredTool | undefined;
  has(name: string): boolean;
  isEnabled(name: string): boolean;
  resolve(name: string): RegisteredTool | undefined;
  nearest(name: string): readonly string[];
  getAll(): readonly RegisteredTool[];
  getNames(): readonly string[];
  getCategories(): readonly string[];
  getByCategory(category: string): readonly RegisteredTool[];
  getTags(): readonly string[];
  getByTag(tag: string): readonly RegisteredTool[];
  getOffered(options?: OfferOptions): readonly RegisteredTool[];
  getDefinitions<F extends DefinitionFormat>(format: F, options?: OfferOptions): Promise<Definitions<DefinitionByFormat[F]>>;
  prepare(): Promise<void>;
  listings(options?: OfferOptions): readonly ToolListing[];
  search(query: string, options?: ToolSearchOptions): Promise<readonly ToolSearchResult[]>;
  count(query: string, options?: OfferOptions): Promise<number>;
}
interface ToolViewOptions {
  readonly isHidden?: HiddenPredicate | undefined;
  readonly provides?: ((token: ServiceToken<unknown>) => boolean) | undefined;
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
interface ToolkitOptions {
  readonly workspace?: string;
  readonly mode?: Mode;
  readonly additionalDirectories?: readonly string[];
  readonly dataDirectory?: string;
  readonly store?: Store;
  readonly settings?: Settings | "load" | "none";
  readonly skills?: "offer" | "none";
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  readonly trust?: boolean;
  readonly sandbox?: SandboxOption;
  readonly model?: ModelChoice;
  readonly backgroundModel?: ModelChoice;
  readonly host?: Host;
  readonly tools?: ToolSelection;
  readonly deferral?: DeferralSettings;
  readonly hooks?: Hooks;
  readonly onAsk?: OnAsk;
  readonly notify?: NotifyOptions;
  readonly onEvent?: (event: HaftEvent) => void;
  readonly signal?: AbortSignal;
  readonly eventLog?: EventLog | "none" | "memory" | "file";
  readonly sessions?: SessionStorage;
  readonly services?: Services;
  readonly searchServices?: readonly SearchService[];
  readonly tracer?: Tracer;
  readonly maxChars?: number;
  readonly limits?: LimitOptions;
  readonly search?: SearchOptions;
  readonly grep?: GrepOptions;
  readonly background?: BackgroundOption;
  readonly redactSecrets?: boolean;
}
interface TraceParent {
  readonly traceparent?: string;
  readonly tracestate?: string;
}
interface Tracer {
  startSpan(name: string, options: {
    readonly startTime: number;
    readonly attributes: Readonly<Record<string, string | number | boolean>>;
  }): {
    setStatus(status: {
      readonly code: number;
      readonly message?: string;
    }): unknown;
    end(endTime: number): void;
  };
}
type Trust = "trusted" | "untrusted";
interface TrustState {
  readonly trusted: boolean;
  readonly changed: readonly string[];
  readonly brings: readonly string[];
}
interface TrustedProgram {
  readonly what: string;
  readonly command: string;
  readonly uncovered: readonly string[];
}
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
interface UndoAssessment {
  readonly level: UndoLevel;
  readonly skipped: readonly NotCaptured[];
}
type UndoLevel = "full" | "partial" | "none";
interface UndoOptions {
  readonly force?: boolean | readonly string[];
  readonly sessionId?: string;
  readonly signal?: AbortSignal | undefined;
}
interface UndoRef {
  readonly callId: string;
  readonly level: "full" | "partial" | "none";
}
interface UndoReport extends UndoResult {
  readonly messages?: readonly {
    readonly callId: string;
    readonly message: string;
  }[];
}
interface UndoResult {
  readonly calls: readonly string[];
  readonly changes: readonly {
    readonly path: string;
    readonly change: FileChange;
  }[];
  readonly kept: readonly NotCaptured[];
  readonly skipped: readonly NotCaptured[];
  readonly byHooks?: readonly HookPart[];
}
type UndoTarget = {
  readonly last: number;
} | {
  readonly call: string;
} | {
  readonly to: string;
};
interface UnknownEffect extends ByProgram {
  readonly kind: "unknown";
  readonly because: string;
  readonly origin: string;
  readonly span?: Span;
  readonly floor?: boolean;
  readonly alwaysAsks?: boolean;
}
interface UnusedAgent {
  readonly name: string;
  readonly file: string;
  readonly reason: "trust" | "invalid";
  readonly message: string;
}
interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
}
interface UserNotification {
  readonly title: string;
  readonly body: string;
}
type UserQuestion = {
  readonly kind: "question";
  readonly question: string;
  readonly options?: readonly QuestionOption[] | undefined;
  readonly isMultiSelect?: boolean | undefined;
  readonly header?: string | undefined;
} | {
  readonly kind: "plan";
  readonly plan: string;
};
type UserReply = {
  readonly kind: "answer";
  readonly choices: readonly string[];
  readonly text?: string;
} |
{
  readonly kind: "approved";
  readonly plan: string;
  readonly isChanged: boolean;
  readonly by: "user" | "hook" | "none";
} | {
  readonly kind: "refused";
  readonly reason?: string;
} |
{
  readonly kind: "automatic";
};
interface WatchedPath {
  readonly path: string;
  readonly link?: string;
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
interface WebSearchSettings {
  readonly provider?: "auto" | "native" | "tavily" | "jina" | "searxng" | "brave" | "exa" | "google";
  readonly failover?: readonly string[];
  readonly baseUrl?: string;
  readonly apiKeyEnv?: string;
  readonly count?: number;
}
type Word = string | {
  readonly dynamic: string;
};
interface WorkConversation {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
}
type WorkListener = (work: ActiveWork, completion: Completion | undefined) => boolean | undefined;
interface WorkspaceTrust extends TrustState {
  readonly workspace: string;
  readonly permits: readonly string[];
  readonly allows: readonly string[];
  readonly programs: readonly TrustedProgram[];
  accept(): Promise<void>;
  revoke(): Promise<void>;
}
interface WrapOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onOverlay?: boolean;
}
interface WriteDraft {
  readonly path: string;
  flush(): Promise<void>;
}
interface WriteEffect extends ByProgram {
  readonly kind: "write";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly change: "create" | "modify" | "delete" | "any";
  readonly part?: WrittenPart;
  readonly span?: Span;
}
interface WriteOptions extends HostOptions {
  readonly ifMatch?: string | null;
  readonly mode?: number;
  readonly durable?: boolean;
  readonly hold?: ((draft: WriteDraft) => Promise<unknown>) | undefined;
}
interface WrittenPart {
  readonly pattern: string;
  readonly change: WriteEffect["change"];
}
export declare const agentTasks: ServiceToken<AgentTasks>;
export declare const agents: ServiceToken<Agents>;
export declare const artifactStore: ServiceToken<ArtifactStore>;
export declare const backgroundModel: ServiceToken<BackgroundModel>;
export declare function capabilityLevel({ touches, flags, staged, hasPreview, hasUndo }: CapabilityFacts, { stagesCommands }?: {
  readonly stagesCommands?: boolean;
}): CapabilityLevel;
export declare const client: ServiceToken<ElicitationPort>;
export declare const commandPreview: ServiceToken<CommandPreview>;
export declare function contentText(content: readonly ContentPart[]): string;
export declare function createRegistry(options?: RegistryOptions): Registry;
export declare function createToolkit(given?: ToolkitOptions): Promise<Kit>;
export declare const defaultLimits: Limits;
export declare function defineTool<const S extends InputSchema>(definition: LazyToolDefinition<S>): LazyTool;
export declare function defineTool<const S extends InputSchema>(definition: ToolDefinition<S>): Tool;
export declare const delegation: ServiceToken<Delegation>;
export declare const effectKinds: readonly ["interact", "read", "connect", "delegate", "write", "execute", "unknown"];
export declare const errorCodes: {
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
export declare function fromMinimalTool(tool: MinimalTool, traits?: Partial<Omit<ToolTraits, "name">>): Tool;
export declare const jobs: ServiceToken<Jobs>;
export declare const limits: ServiceToken<Limits>;
export declare function localHost(options?: LocalHostOptions): Promise<LocalHost>;
export declare function memoryHost(options?: MemoryHostOptions): MemoryHost;
export declare const modes: readonly ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];
export declare const otherSessions: ServiceToken<OtherSessions>;
export declare const redaction: ServiceToken<Redaction>;
export declare const runWork: ServiceToken<RunWork>;
export declare const seenFiles: ServiceToken<SeenFiles>;
export declare function serviceToken<T>(id: string, setup?: string): ServiceToken<T>;
export declare const taskList: ServiceToken<TaskList>;
export declare function toResult<F extends DefinitionFormat>(outcome: Outcome, format: F): ResultByFormat[F];
export type { ActiveWork, AdoptedProcess, AfterHookAnswer, AfterHookInput, AgentCaller, AgentDefinition, AgentDefinitions, AgentEnd, AgentExecution, AgentExecutor, AgentFork, AgentInfo, AgentJob, AgentMcpServer, AgentProgress, AgentRequest, AgentResult, AgentSettings, AgentStatus, AgentTask, AgentTasks, AgentWorktree, Agents, Answer, AnthropicResult, AnthropicTool, ArtifactRef, ArtifactStore, ArtifactStream, Ask, Assign, BackgroundAnswer, BackgroundModel, BackgroundOption, BackgroundRequest, BashSettings, BeforeHook, BeforeHookAnswer, BeforeHookInput, ByProgram, Call, CallAllOptions, CallOptions, CallPreview, CapabilityFacts, CapabilityLevel, CheckedFile, Checkpoint, ClientRoot, CollectionReport, CommandFile, CommandList, CommandPreview, CommandPreviewRequest, CommandPreviewed, CommandProblem, CommandTask, Completion, ConfinedRun, ConfinementReport, ConnectEffect, ContentPart, CreatedToolCheck, CreatedToolInfo, Decision, DecisionRecord, DeferralSettings, DeferredDefinition, DefinitionByFormat, DefinitionFormat, DefinitionOptions, Definitions, DelegateCallbacks, DelegateEffect, DelegateLimits, DelegateOptions, DelegateRequest, DelegateResult, DelegateStep, DelegateTask, Delegation, DeriveOptions, DiagnosticSettings, DoctorCheck, DoctorReport, DriverReport, DroppedDefinitionPart, Effect, EffectContext, EffectKind, ElicitAnswer, ElicitForm, ElicitationPort, ErrorCode, ErrorData, ErrorDataByCode, ErrorFacts, ErrorInfo, ErrorInfoOf, ErrorMove, ErrorType, EventBase, EventLog, Exclusion, ExecuteEffect, ExpandCommandOptions, ExpandedCommand, ExplainedProgram, Explanation, ExportSessionOptions, ExportedSkill, FileChange, FileProblem, FileState, FileView, Finding, ForkSessionOptions, FoundHubSkills, FoundTool, FoundTools, GeminiResult, GeminiTool, Grant, GrepOptions, HaftEvent, HiddenPredicate, HiddenText, HistoryEntry, HookListing, HookPart, HookSample, HookTestResult, HookVerdict, Hooks, Host, HubSkill, InferInput, InitContext, InitContextSource, InitializedTool, InputIssue, InputSchema, InstalledSkill, InstructionFile, InstructionProblem, Instructions, InteractEffect, Jobs, JournalEntry, JournaledCall, JsonSchema, Kit, KitAgents, KitCommands, KitCreatedTools, KitDeferral, KitEvents, KitHookList, KitInstructions, KitMcp, KitPlugins, KitRunOptions, KitSessions, KitSettings, KitSkillHubs, KitSkillList, KitStorage, KitTasks, KitWorkspace, LayeredDescription, LazyTool, LazyToolDefinition, LimitOptions, Limits, LineRange, ListSettingsOptions, ListedCommand, ListedRule, LocalHost, LocalHostOptions, MarkMatches, McpLogin, McpLoginOptions, McpProvider, McpProviderContext, McpProviderServer, McpResult, McpServerCheck, McpServerInfo, McpTool, McpToolInfo, MemoryHost, MemoryHostOptions, MinimalTool, Mode, ModelChoice, ModelDefinitionOptions, NativeQuery, NativeResults, NativeSearch, NewEvent, NewTodo, NotCaptured, NotifyOptions, ObjectSchema, ObservableToolkit, OfferOptions, OnAsk, OpenAIChatResult, OpenAIChatTool, OpenAIResponsesResult, OpenAIResponsesTool, OtherSessions, Outcome, OutputReading, PackagePart, PathDifference, PermissionSettings, Permissions, PluginListing, PluginProblem, PluginReview, PluginReviewOptions, PluginServer, PluginSource, PreparedTask, PreviewCallOptions, PreviewChange, PreviewResult, ProgressUpdate, PromptInstruction, PromptInstructions, QuestionOption, ReadEffect, ReadTaskOptions, Reconciliation, Redaction, RegisterOptions, RegisteredTool, Registry, RegistryChange, RegistryOptions, RegistryScope, RegistrySnapshot, RenamedDefinitionPart, Repair, ResultByFormat, ReviewedFile, ReviewedSkillProblem, RuleAddition, RuleChange, RuleList, RuleProblem, RuleRef, RuleScope, RunConfinedOptions, RunWork, RunningTask, SampleAnswer, SampleMessage, SampleRequest, SandboxGap, SandboxOption, SandboxReport, SandboxSettings, SandboxStrength, SaveScope, SavedRule, SavedSetting, SearchOptions, SearchService, SearchSettings, SeenEncoding, SeenFiles, ServiceToken, Services, SessionFacts, SessionInfo, SessionLogEntry, SessionMessage, SessionStorage, SettingChange, SettingEntry, Settings, SettingsProblem, SettingsScope, SkillFault, SkillHubSettings, SkillListing, SkillReview, SkillReviewOptions, SlashCommand, Span, SpawnRequest, StagedChange, StagedChanges, StagedEntry, StartAgentOptions, StartedAgent, StoredConversation, Task, TaskList, TaskRead, TaskReader, TaskReading, TaskStatus, TaskText, TextPart, Todo, TodoChange, TodoStatus, TokenUsage, Tool, ToolAgentSettings, ToolBehaviour, ToolContext, ToolDefinition, ToolErrorOptions, ToolFlags, ToolListing, ToolParameter, ToolResult, ToolSearchOptions, ToolSearchResult, ToolSelection, ToolSource, ToolTraits, ToolView, ToolViewOptions, Toolkit, ToolkitDeferral, ToolkitEvents, ToolkitOptions, TraceParent, Tracer, Trust, TrustState, TrustedProgram, UndoAssessment, UndoLevel, UndoOptions, UndoRef, UndoReport, UndoResult, UndoTarget, UnknownEffect, UnusedAgent, UserNotification, UserQuestion, UserReply, WebQuery, WebResult, WebSearchSettings, Word, WorkConversation, WorkListener, WorkspaceTrust, WriteEffect, WrittenPart };
