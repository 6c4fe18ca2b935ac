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
interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}
interface CollectEventsOptions {
  readonly beforeMs: number;
  readonly dryRun: boolean;
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
interface EventCollection {
  readonly events: number;
  readonly bytes: number;
}
interface EventLog {
  append(event: HaftEvent): void;
}
interface EventQuery {
  readonly sessionId?: string;
  readonly fromSeq?: number;
  readonly after?: number;
  readonly limit?: number;
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
interface HostAppender {
  append(data: Uint8Array, options?: {
    readonly durable?: boolean;
  }): Promise<void>;
  isInPlace?(): boolean;
  close(): Promise<void>;
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
interface HostOptions {
  readonly signal?: AbortSignal | undefined;
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
interface HttpServer {
  readonly url: string;
  readonly token: string;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}
interface HttpServerOptions extends ProtocolOptions {
  readonly port?: number;
  readonly token?: string;
  readonly signal?: AbortSignal;
  readonly maxBodyBytes?: number;
}
interface HttpToolkit extends McpToolkit {
  forSession?(sessionId: string): McpToolkit & {
    dispose?(): Promise<void>;
  };
  run?(options: RunRequest): {
    readonly id: string;
    readonly sessionId: string;
    readonly result: Promise<unknown>;
  };
}
interface InputIssue {
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}
interface InteractEffect {
  readonly kind: "interact";
}
type JsonSchema = {
  readonly [key: string]: unknown;
};
interface KitTasksOptions {
  readonly support?: Readonly<Record<string, "optional" | "required">>;
}
interface LibraryCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  readonly needsTrust: boolean;
}
interface LibraryKit extends Pick<Toolkit, "explain">, ObservableToolkit {
  forSession?(sessionId: string): LibraryKit;
  readonly workspace: {
    readonly path: string;
  };
  readonly storage: {
    readonly artifactDirectory: string;
    readonly fs: StoreFs;
  };
  readonly sessions: {
    list(options: {
      readonly limit: number;
    }): Promise<readonly SessionInfo[]>;
    get(sessionId: string): Promise<SessionInfo | undefined>;
    export(sessionId: string): Promise<string>;
  };
  readonly skills: LibrarySkills;
  readonly commands: {
    list(): Promise<{
      readonly commands: readonly LibraryCommand[];
    }>;
    expand(name: string, options: {
      readonly arguments?: string;
      readonly signal?: AbortSignal;
      readonly sessionId?: string;
      readonly limitsSession?: boolean;
      readonly onAsk?: OnAsk | undefined;
    }): Promise<{
      readonly prompt: string;
    }>;
  };
}
interface LibrarySkill {
  readonly name: string;
  readonly description: string;
  readonly file: string;
  readonly isModelInvocable: boolean;
  readonly needsTrust: boolean;
  readonly faults: readonly unknown[];
}
interface LibrarySkillFiles {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files: readonly {
    readonly path: string;
    readonly text?: string;
    readonly bytes: Uint8Array;
  }[];
}
interface LibrarySkills {
  list(): Promise<readonly LibrarySkill[]>;
  export(file: string): Promise<LibrarySkillFiles>;
}
interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}
interface LocatedPath {
  readonly path: string;
  readonly exists: boolean | undefined;
  readonly isFolder?: boolean;
}
interface LogHealth {
  readonly waiting: number;
  readonly dropped: number;
  readonly problem?: string;
  readonly failures?: number;
  readonly damaged?: number;
}
interface McpLibrary {
  resources(): Promise<readonly McpResource[]>;
  readonly templates: readonly McpResourceTemplate[];
  read(uri: string): Promise<readonly McpResourceContent[] | undefined>;
  skills?(): Promise<readonly McpSkill[]>;
  watch?(uri: string, onChange: () => void): () => void;
  prompts(): Promise<readonly McpPrompt[]>;
  prompt(request: McpPromptRequest): Promise<McpPromptText | undefined>;
  complete(of: {
    readonly template: string;
  } | {
    readonly prompt: string;
  }, variable: string, start: string): Promise<readonly string[]>;
}
interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required?: boolean;
  }[];
}
interface McpPromptRequest {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly client: ElicitationPort;
  readonly signal: AbortSignal;
  readonly sessionId: string | undefined;
  readonly onAsk?: OnAsk | undefined;
}
interface McpPromptText {
  readonly description?: string;
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: ContentPart;
  }[];
}
interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly size?: number;
}
interface McpResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}
interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
}
interface McpSkill {
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>>;
  readonly resources: readonly {
    readonly uri: string;
    readonly digest: string;
    readonly size: number;
  }[];
}
interface McpTaskRecord {
  readonly id: string;
  readonly tool: string;
  readonly callId: string;
  readonly sessionId?: string;
  readonly status: McpTaskStatus;
  readonly message?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly ttlMs: number;
  readonly inBackground?: boolean;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: unknown;
  };
}
type McpTaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";
interface McpTaskStore {
  save(record: McpTaskRecord): Promise<void>;
  get(id: string): Promise<{
    readonly record: McpTaskRecord;
    readonly isOwned: boolean;
  } | undefined>;
  list(): Promise<readonly McpTaskRecord[]>;
  work(callId: string): Promise<McpTaskWork | undefined>;
}
interface McpTaskWork {
  readonly isRunning: boolean;
  readonly isError: boolean;
  text(): Promise<string>;
  stop(): Promise<void>;
}
interface McpTasks {
  support(tool: Pick<ToolListing, "name">): "optional" | "required" | undefined;
  store(): Promise<McpTaskStore>;
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
type McpToolkit = Pick<Toolkit, "call" | "definitions" | "listings" | "newId"> & ObservableToolkit & {
  readonly onAsk?: OnAsk | undefined;
};
type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
interface ModelDefinitionOptions extends DefinitionOptions {
  readonly all?: boolean;
  readonly sessionId?: string | undefined;
  readonly native?: "hosted" | "client" | undefined;
}
type NewEvent = HaftEvent extends (infer E) ? E extends HaftEvent ? Omit<E, "seq" | "at"> : never : never;
type ObjectSchema = JsonSchema & {
  readonly type: "object";
};
interface ObservableToolkit {
  readonly events: Pick<ToolkitEvents, "subscribe">;
}
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
interface ProgressUpdate {
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
}
interface ProtocolOptions {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly sessionId?: string;
  readonly tools?: readonly string[];
  readonly library?: (sessionId: string | undefined) => Promise<McpLibrary>;
  readonly tasks?: McpTasks;
  readonly listTtlMs?: number;
  readonly approvals?: "client" | "toolkit";
  readonly askTimeoutMs?: number;
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
interface RuleRef {
  readonly rule: string;
  readonly list: "deny" | "ask" | "allow";
  readonly scope: RuleScope;
  readonly file?: string;
  readonly line?: number;
}
type RuleScope = "floor" | "managed" | "option" | "session" | "local" | "project" | "user" | "mode" | "built-in" | "boundary" | "taint" | "ceiling" | "hook";
interface RunRequest {
  readonly task: string;
  readonly model?: string;
  readonly sessionId: string;
  readonly onAsk: OnAsk;
  readonly signal: AbortSignal;
}
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
type SaveScope = "session" | "local" | "project" | "user";
interface ServeHttpOptions extends HttpServerOptions {
  readonly events: SessionLog;
  readonly answerGraceMs?: number;
}
interface ServiceToken<T> {
  readonly id: string;
  readonly setup?: string;
  readonly type?: T;
}
interface Services {
  get<T>(token: ServiceToken<T>): T | undefined;
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
interface SessionLog extends EventLog {
  readEvents(query?: EventQuery): Promise<readonly StoredEvent[]>;
  lastPosition(): Promise<number>;
  sessions(): Promise<readonly SessionSummary[]>;
  health(): LogHealth;
  collect(options: CollectEventsOptions): Promise<EventCollection>;
  flush(): Promise<void>;
  close(): Promise<void>;
}
interface SessionSummary {
  readonly sessionId: string;
  readonly events: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly task?: string;
  readonly status?: string;
}
interface Span {
  readonly start: number;
  readonly end: number;
}
type StoreFs = Pick<HostFs, "stat" | "readFile" | "readRange" | "open" | "writeAtomic" | "append" | "list" | "mkdir" | "remove" | "move" | "flush" | "appender"> & Partial<Pick<HostFs, "canonical" | "readLink">>;
type StoredEvent = HaftEvent & {
  readonly position: number;
};
type Task = RunningTask | Todo;
interface TaskKit {
  readonly workspace: {
    readonly path: string;
  };
  readonly storage: {
    readonly directory: string;
    readonly fs: StoreFs;
  };
  readonly tasks: {
    list(): Promise<readonly Task[]>;
    read(id: string, options?: {
      readonly from?: number;
      readonly maxBytes?: number;
    }): Promise<{
      readonly text: string;
      readonly total: number;
    }>;
    stop(id: string): Promise<unknown>;
  };
}
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
interface ToolParameter {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly required: boolean;
  readonly enum?: readonly unknown[];
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
type Word = string | {
  readonly dynamic: string;
};
interface WorkConversation {
  readonly sessionId: string;
  readonly agentId?: string | undefined;
}
type WorkListener = (work: ActiveWork, completion: Completion | undefined) => boolean | undefined;
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
export declare function kitLibrary(all: LibraryKit, own?: string): McpLibrary;
export declare function kitTasks(openKit: () => Promise<TaskKit>, { support }?: KitTasksOptions): McpTasks;
export declare function openKitEvents(dataDirectory: string, options?: {
  readonly workspace?: string;
}): Promise<SessionLog>;
export declare function serveHttp(kit: HttpToolkit, options: ServeHttpOptions): Promise<HttpServer>;
export declare function serveMcpHttp(toolkit: McpToolkit, options: HttpServerOptions): Promise<HttpServer>;
export type { CollectEventsOptions, EventCollection, EventQuery, HttpServer, HttpServerOptions, HttpToolkit, KitTasksOptions, LibraryCommand, LibraryKit, LibrarySkill, LibrarySkillFiles, LibrarySkills, LogHealth, RunRequest, ServeHttpOptions, SessionLog, SessionSummary, StoredEvent, TaskKit };
