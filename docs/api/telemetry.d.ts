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
type AttributeValue = string | number | boolean | string[];
type Attributes = Record<string, AttributeValue>;
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
interface DecisionRecord {
  readonly kind: "allow" | "ask" | "deny";
  readonly rule?: RuleRef;
  readonly reason?: string;
  readonly answeredBy?: "user" | "hook" | "none";
  readonly trail: readonly Finding[];
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
type Effect = ReadEffect | WriteEffect | ExecuteEffect | ConnectEffect | DelegateEffect | InteractEffect | UnknownEffect;
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
interface Finding {
  readonly verdict: "allow" | "ask" | "deny" | "note";
  readonly text: string;
  readonly effect?: Effect;
  readonly rule?: RuleRef;
  readonly hint?: string;
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
interface InputIssue {
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
}
interface InstrumentOptions {
  readonly content?: boolean;
}
interface InteractEffect {
  readonly kind: "interact";
}
interface LineRange {
  readonly firstLine: number;
  readonly lastLine: number;
}
type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
type NewEvent = HaftEvent extends (infer E) ? E extends HaftEvent ? Omit<E, "seq" | "at"> : never : never;
interface ObservableToolkit {
  readonly events: Pick<ToolkitEvents, "subscribe">;
}
interface OpenTelemetryApi<Context, Span extends TelemetrySpan> {
  readonly trace: {
    getTracer(name: string): {
      startSpan(name: string, options: {
        readonly startTime: number;
        readonly kind: number;
        readonly attributes: Attributes;
      }, context: Context): Span;
    };
    setSpan(context: Context, span: Span): Context;
  };
  readonly metrics: {
    getMeter(name: string): {
      createHistogram(name: string, options: {
        readonly unit: string;
        readonly description: string;
      }): TelemetryHistogram;
    };
  };
  readonly context: {
    active(): Context;
  };
  readonly propagation: {
    extract(context: Context, carrier: Record<string, string>): Context;
    inject(context: Context, carrier: Record<string, string>): void;
  };
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
interface ProgressUpdate {
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
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
type RunningTask = CommandTask | AgentTask;
interface Span {
  readonly start: number;
  readonly end: number;
}
type Task = RunningTask | Todo;
type TaskStatus = "running" | "ended" | "lost";
interface TelemetryHistogram {
  record(value: number, attributes: Attributes): void;
}
interface TelemetrySpan {
  setAttribute(key: string, value: AttributeValue): unknown;
  updateName(name: string): unknown;
  setStatus(status: {
    readonly code: number;
    readonly message?: string;
  }): unknown;
  end(endTime: number): void;
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
type TodoStatus = "pending" | "in_progress" | "done" | "failed" | "cancelled";
interface TokenUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly reasoning?: number;
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
export declare function instrumentKit<Context, Span extends TelemetrySpan>(kit: ObservableToolkit, api: OpenTelemetryApi<Context, Span>, options?: InstrumentOptions): () => void;
export type { AttributeValue, Attributes, InstrumentOptions, OpenTelemetryApi, TelemetryHistogram, TelemetrySpan };
