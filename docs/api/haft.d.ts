import { Readable, Writable } from "node:stream";
import { StandardSchemaV1 } from "@standard-schema/spec";
interface AfterHookAnswer {
  readonly content?: Outcome["content"] | string;
  readonly context?: string;
}
interface AfterHookInput {
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: Outcome;
}
interface AgentEnd extends AgentProgress {
  readonly status: "done" | "failed" | "stopped";
  readonly reason?: string;
}
type AgentProgress = Pick<AgentTask, "activeAt" | "activity" | "calls" | "tokens" | "costUsd">;
interface AgentRun {
  readonly id: string;
  readonly sessionId: string;
  readonly events: AsyncIterable<HaftEvent>;
  readonly result: Promise<RunResult>;
  send(message: string | UserMessage): boolean;
  compact(): Promise<boolean>;
  abort(reason?: string): void;
}
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
interface AllowedWrite {
  readonly path: string;
  readonly replaces: boolean;
}
type Answer = {
  readonly kind: "once";
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
interface ApplyInfo extends WaitingCallInfo {
  readonly keepsAll?: boolean;
  readonly goesOn?: boolean;
  readonly continues?: HistoryEntry | undefined;
}
interface ApprovalGrounds {
  readonly planted?: readonly string[];
  readonly ruled?: readonly string[];
  readonly locked?: string;
  readonly notUndoable?: string;
}
interface ApprovalRefused {
  readonly because: string;
  readonly code: "APPROVAL_REQUIRED" | "DENIED_BY_USER" | "ABORTED";
  readonly isAbsent?: true;
}
interface ArtefactRef {
  readonly path: string;
  readonly chars: number;
  readonly lines: number;
  readonly missingChars?: number;
}
interface ArtefactStore {
  open(callId: string): ArtefactStream;
}
interface ArtefactStream {
  readonly path: string;
  write(text: string): Promise<void>;
  writeAscii?(ascii: Uint8Array): Promise<void>;
  leaveOut?(chars: number): boolean;
  end(): Promise<ArtefactRef | undefined>;
}
interface Artefacts extends ArtefactStore {
  keep(callId: string, text: string): Promise<ArtefactRef | undefined>;
  taken(callId: string): ArtefactRef | undefined;
  collect(options?: {
    readonly dryRun?: boolean;
  }): Promise<Swept>;
}
interface Ask {
  readonly callId: string;
  readonly tool: string;
  readonly displayName: string;
  readonly input: unknown;
  readonly effects: readonly Effect[];
  readonly question: string;
  readonly reason: string;
  readonly suggestion?: string;
  readonly preview?: string;
  readonly notUndoable?: string;
  readonly trail: readonly Finding[];
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly refusals: number;
}
declare class AskQueue {
  #private;
  run<T>(ask: () => Promise<T>): Promise<T>;
}
interface Assessment {
  readonly level: UndoLevel;
  readonly skipped: readonly Skipped[];
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
type Background = "promote" | "asked" | "none";
type BeforeHookAnswer = {
  readonly input: unknown;
} | {
  readonly block: string;
} | undefined;
interface BeforeHookInput {
  readonly tool: string;
  readonly input: unknown;
  readonly callId: string;
}
interface Boundary {
  readonly roots: readonly string[];
  readonly readOnlyRoots?: readonly string[];
  readonly restrictToWorkspace: boolean;
  readonly home?: string;
  readonly secrets?: Pick<SecretPlaces, "at" | "below">;
  readonly protected?: readonly string[];
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
}
interface CallAllOptions extends CallOptions {
  readonly onOutcome?: ((index: number, outcome: Outcome) => void) | undefined;
}
interface CallConfinement {
  readonly confinement: (program: Pick<ProcessSpec, "live">) => Promise<Confinement | undefined>;
  readonly close: (ended: readonly EndedProgram[]) => Promise<ConfinementAccount>;
}
interface CallEntry {
  readonly rule: Rule;
  readonly matcher: CallMatcher;
}
interface CallInfo {
  readonly tool: string;
  readonly title?: string;
  readonly sessionId?: string;
  readonly agentId?: string;
}
type CallMatcher = Extract<Matcher, {
  readonly on: "tool" | "parameter" | "skill";
}>;
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
  readonly inOrder?: boolean | undefined;
  readonly onAsk?: OnAsk | undefined;
  readonly services?: Services | undefined;
}
interface CallPreview extends Explanation {
  readonly preview?: PreviewResult;
}
interface CallRecord {
  readonly kind: "intent" | "answer";
  readonly at: number;
  readonly body: unknown;
}
interface CallRecordRequest {
  readonly sessionId: string;
  readonly callId: string;
  readonly kind: "intent" | "answer";
  readonly isDurable: boolean;
  readonly body: unknown;
}
interface CallsUndone extends UndoResult {
  readonly told?: readonly {
    readonly callId: string;
    readonly message: string;
  }[];
}
interface CanaryResult {
  readonly name: string;
  readonly expected: "blocked" | "works";
  readonly got: "blocked" | "works";
}
interface CapabilityFacts extends Pick<ToolTraits, "touches" | "flags" | "staged"> {
  readonly hasPreview: boolean;
  readonly hasUndo: boolean;
}
type CapabilityLevel = 0 | 1 | 2;
type Ceiling = {
  readonly kind: "policy";
  readonly name: string;
  readonly policy: Policy;
} |
{
  readonly kind: "only";
  readonly name: string;
  readonly rules: RuleSet;
};
type Change = "created" | "modified" | "deleted" | "mode" | "time" | "replaced" | "none";
type Check = (value: unknown) => StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>;
interface Checkpoint extends Assessment {
  readonly callId: string;
}
interface CheckpointInfo extends WaitingCallInfo {
  readonly watch?: readonly string[];
  readonly flushLater?: (flush: () => Promise<unknown>) => void;
  readonly onKept?: (file: HostFile) => void;
}
interface Checkpoints {
  assess(writes: readonly WriteEffect[]): Promise<string | undefined>;
  assessPrograms?(): Promise<string | undefined>;
  watched?(): Promise<readonly string[]>;
  before(callId: string, writes: readonly WriteEffect[], info: {
    readonly tool: string;
    readonly sessionId?: string;
    readonly agentId?: string;
    readonly watch?: readonly string[];
    readonly flushLater?: (flush: () => Promise<unknown>) => void;
    readonly onKept?: (file: HostFile) => void;
    readonly signal?: AbortSignal;
  }): Promise<UndoRef>;
  after(callId: string, left: LeftByCall | undefined): Promise<SettledUndo | undefined>;
  notice?(): string | undefined;
}
interface Child {
  readonly pid: number;
  readonly startTicks: number | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly stdin: Writable | undefined;
  onExit(callback: (code: number | null, signal: string | null) => void): void;
}
interface ClientPort {
  readonly canElicit: boolean;
  readonly canSample: boolean;
  readonly canListRoots: boolean;
  elicit(form: ElicitForm): Promise<ElicitAnswer>;
  sample(request: SampleRequest): Promise<SampleAnswer>;
  listRoots(options?: {
    readonly name?: string;
  }): Promise<readonly ClientRoot[]>;
}
interface ClientRoot {
  readonly uri: string;
  readonly name?: string;
}
interface CollectEventsOptions {
  readonly beforeMs: number;
  readonly dryRun: boolean;
}
interface Collected {
  readonly calls: number;
  readonly blobs: number;
  readonly bytes: number;
}
type CommandEffects = (tool: string, example: string) => readonly Effect[];
interface CommandOverlays {
  readonly mode: OverlayMode;
  readonly unavailable: (effects?: readonly Effect[]) => Promise<string | undefined>;
  missing(): Promise<string | undefined>;
  prepare(sandbox: Sandbox | undefined, options?: {
    readonly through?: readonly string[];
    readonly effects?: readonly Effect[];
  }): Promise<Overlay>;
  locked(paths: readonly string[]): Promise<readonly LockedFile[]>;
  readonly through: readonly string[];
  readonly roots: readonly string[];
  covers(path: string): boolean;
  staged(): Promise<(path: string) => boolean>;
  recoverBy(where: Host, recover: () => Promise<unknown>): void;
  uncovered(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}
interface CommandPattern {
  readonly isAny: boolean;
  readonly isNamed: boolean;
  readonly forms: readonly Wildcard[];
  readonly hasStar: boolean;
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
}
interface CompactionOptions {
  readonly atTokens?: number;
  readonly atShare?: number;
  readonly keepTurns?: number;
  readonly keep?: () => readonly PromptPart[] | Promise<readonly PromptPart[]>;
}
interface Compensation {
  readonly callId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: unknown;
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly at: number;
  readonly state: "done" | "undone";
  readonly undoneWith?: readonly string[];
}
interface Compensations {
  keep(compensation: Omit<Compensation, "state" | "undoneWith">): Promise<boolean>;
  list(): Promise<readonly Compensation[]>;
  replace(compensation: Compensation): Promise<void>;
  gc(options?: {
    readonly dryRun?: boolean;
  }): Promise<CompensationsCollected>;
}
interface CompensationsCollected {
  readonly calls: number;
  readonly bytes: number;
}
interface CompiledInput {
  readonly name: string;
  readonly source: InputSource;
  prepared: PreparedInput | undefined;
}
interface CompiledRules {
  readonly rules: RuleSet;
  readonly problems: readonly RuleProblem[];
}
interface ConfineRequest {
  readonly callId: string;
  readonly tool: string;
  readonly grant: Grant;
  readonly sessionId: string | undefined;
  readonly agentId: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly approve: (staged: StagedChanges, about?: ApprovalGrounds) => Promise<ApprovalRefused | undefined>;
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
interface ConfinedHelpersOptions {
  readonly max?: number;
  readonly idleMs?: number;
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
interface ConfinementAccount {
  readonly notes: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly undo?: UndoRef;
  readonly failure?: ToolError;
}
interface ConfinementReport extends Omit<SandboxReport, "gaps"> {
  readonly gaps: readonly string[];
  readonly drivers: readonly DriverReport[];
}
interface ConnectEffect extends ByProgram {
  readonly kind: "connect";
  readonly host: string;
  readonly port?: number;
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
  readonly answeredBy?: "person" | "hook" | "nobody";
  readonly trail: readonly Finding[];
}
type DecodeOlder = (sides: readonly Uint8Array[]) => Promise<readonly (ReadableText | undefined)[]>;
type DefaultExcludes = "untracked" | "always" | "never";
type Defaults = readonly (readonly [string, unknown])[];
type DefinitionFormat = "openai" | "anthropic" | "gemini" | "mcp";
interface DefinitionOptions {
  readonly mode?: Mode;
  readonly names?: readonly string[];
  readonly variants?: boolean;
}
interface Definitions {
  readonly tools: readonly Readonly<Record<string, unknown>>[];
  readonly dropped: readonly {
    readonly tool: string;
    readonly path: string;
    readonly keyword: string;
  }[];
}
interface DelegateEffect {
  readonly kind: "delegate";
  readonly agent: string;
}
type Denial = {
  readonly kind: "write" | "read";
  readonly path: string;
  readonly reason: string;
} | {
  readonly kind: "connect";
  readonly host?: string;
  readonly port?: number;
  readonly reason: string;
} |
{
  readonly kind: "socket";
  readonly path?: string;
  readonly reason: string;
} | {
  readonly kind: "process";
  readonly reason: string;
} |
{
  readonly kind: "setup";
  readonly reason: string;
};
interface Denial$1 {
  readonly callId: string;
  readonly turn: number;
  readonly tool: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly rule?: RuleRef;
}
interface DeriveOptions {
  readonly host?: Host;
  readonly mode?: Mode;
  readonly tools?: readonly string[];
  readonly ceiling?: readonly string[];
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
type DriverName = (typeof driverStrengths)[number];
interface DriverReport {
  readonly name: string;
  readonly works: boolean;
  readonly reason?: string;
  readonly install?: string;
}
type Effect = ReadEffect | WriteEffect | ExecuteEffect | ConnectEffect | DelegateEffect | InteractEffect | UnknownEffect;
type EffectClass = "interact" | "device" | "read-inside" | "read-outside" | "write-inside" | "write-outside" | "execute-listed" |
"execute-stop" | "execute-open" | "connect" | "delegate" | "unknown";
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
interface EndedProgram {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stderr: string;
  readonly cwd: string;
}
declare class Engine {
  #private;
  readonly journal: Journal;
  readonly compensations: Compensations;
  constructor(past: PastParts, rules: RuleBook);
  call(call: Call, options: CallOptions): Promise<Outcome>;
  callAll(calls: readonly Call[], options: CallAllOptions): Promise<readonly Outcome[]>;
  history(): Promise<readonly PastCall[]>;
  undo(target: UndoTarget, options: UndoOptions & Pick<CallOptions, "signal" | "onAsk">): Promise<CallsUndone>;
  redo(options: Pick<UndoOptions, "force">): Promise<CallsUndone>;
  reconcile(call: Call, options: CallOptions): Promise<Reconciliation>;
  explain(call: Call): Promise<CallPreview>;
  preview(call: Call, options: CallOptions & PreviewOptions): Promise<CallPreview>;
}
interface EngineFamily {
  open(parts: EnvironmentParts, newId: (prefix: string) => string, ending: AbortSignal): Engine;
}
interface Entry<P> {
  readonly rule: Rule;
  readonly pattern: P;
}
interface EnvironmentParts {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly services: KitServices;
  readonly artefacts: Artefacts;
  readonly bus: EventBus;
  readonly getMode: () => Mode;
  readonly ceilings: readonly Ceiling[];
  readonly sandboxes: KitSandboxes;
  readonly recordCall: PipelineEnvironment["recordCall"];
  readonly shared: SharedParts;
}
type ErrorCode = keyof typeof errorCodes;
interface ErrorInfo {
  readonly code: ErrorCode;
  readonly type: ErrorType;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
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
declare class EventBus {
  #private;
  constructor({ log, now, filter }: EventBusOptions);
  emit(event: NewEvent): void;
  subscribe(listener: (event: HaftEvent) => void): () => void;
}
interface EventBusOptions {
  readonly log: EventLog | undefined;
  readonly now: () => number;
  readonly filter?: EventFilter | undefined;
}
interface EventCollection {
  readonly events: number;
  readonly bytes: number;
}
interface EventFilter {
  event(event: NewEvent): NewEvent;
  text(): TextFilter;
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
  readonly span: Span;
}
interface ExistingPath {
  readonly path: string;
  readonly kind: "file" | "directory";
}
interface Explanation {
  readonly tool?: string;
  readonly input?: unknown;
  readonly repairs: readonly Repair[];
  readonly effects: readonly Effect[];
  readonly decision?: Decision;
  readonly error?: ErrorInfo;
}
interface ExportOptions {
  readonly format?: "jsonl" | "html";
  readonly secrets?: boolean;
}
declare class FailureStreaks {
  #private;
  failed(tool: string, key: string): number;
  succeeded(tool: string): void;
}
interface FileIdentity {
  readonly dev: string;
  readonly ino: string;
}
interface FileState {
  saw(path: string, view: FileView): void;
  view(path: string): FileView | undefined;
  forget(path: string): void;
}
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
}
type FinishReason = "stop" | "tool-calls" | "length" | "content-filter" | "error" | "interrupted" | "other";
interface ForkOptions {
  readonly sessionId: string;
  readonly message?: number;
}
interface ForkSessionOptions {
  readonly message?: number;
}
interface Gap {
  readonly id: string;
  readonly text: string;
}
interface Garbage {
  readonly artefacts: {
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
type GlobSegment = {
  readonly kind: "deep";
} | {
  readonly kind: "any";
} | {
  readonly kind: "literal";
  readonly text: string;
} | {
  readonly kind: "wild";
  readonly tokens: readonly GlobToken[];
};
type GlobToken = {
  readonly kind: "star";
} | {
  readonly kind: "one";
} | {
  readonly kind: "char";
  readonly text: string;
} | {
  readonly kind: "class";
  readonly negated: boolean;
  readonly ranges: readonly Range[];
};
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
} | {
  readonly type: "mode-change";
  readonly mode: Mode;
} | {
  readonly type: "tools-change";
  readonly added: readonly string[];
  readonly removed: readonly string[];
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
  readonly message: {
    readonly role: "user";
    readonly content: readonly ContentPart[];
  };
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
  readonly costUsd?: number;
});
interface HelperStart {
  readonly helper: ConfinedHelper;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly at?: FileIdentity | undefined;
  readonly file?: {
    readonly path: string;
    readonly at?: FileIdentity;
  } | undefined;
}
type HiddenPredicate = (tool: RegisteredTool, mode: Mode | undefined) => boolean;
interface HistoryEntry extends Checkpoint, CallInfo {
  readonly at: number;
  readonly state: "open" | "done" | "undone";
  readonly isRunning?: true;
  readonly changes: readonly {
    readonly path: string;
    readonly change: Change | "unknown";
  }[];
  readonly left?: readonly Skipped[];
  readonly damaged?: string;
}
interface Hooks {
  readonly before?: readonly ((input: BeforeHookInput) => Promise<BeforeHookAnswer> | BeforeHookAnswer)[];
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
  fetch(request: HostRequest, options?: HostOptions): Promise<HostResponse>;
}
interface HostOptions {
  readonly signal?: AbortSignal | undefined;
}
interface HostPattern {
  readonly below: string | undefined;
  readonly labels: readonly Wildcard[];
  readonly isAny: boolean;
  readonly isNamed: boolean;
  readonly port?: number | "*";
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
interface IgnoredDirectories {
  readonly count: number;
  readonly examples: readonly string[];
}
type Image = {
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
interface ImportOptions {
  readonly sessionId: string;
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
interface InputShape {
  readonly keys: ReadonlySet<string> | undefined;
  readonly nested: readonly (readonly [string, InputShape])[];
  readonly items: InputShape | undefined;
}
interface InputSource {
  readonly name: string;
  readonly input: InputSchema;
  readonly inputAliases?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly freeText?: readonly string[] | undefined;
  readonly formatIssues?: ((issues: readonly InputIssue[]) => string) | undefined;
}
interface InteractEffect {
  readonly kind: "interact";
}
interface Jobs {
  readonly mayPromote: boolean;
  prepare(argv: readonly string[]): PreparedTask;
  adopt(left: LeftProcess): Promise<CommandTask>;
  list(): Promise<readonly RunningTask[]>;
  get(id: string): Promise<RunningTask>;
  wait(id: string, options: {
    readonly ms: number;
    readonly signal: AbortSignal;
  }): Promise<RunningTask>;
  read(id: string, options: TaskRead): Promise<TaskReading>;
  isWaiting(id: string): Promise<boolean>;
  write(id: string, bytes: Uint8Array | "eof"): Promise<void>;
  stop(id: string): Promise<RunningTask>;
}
interface Journal {
  assess(writes: readonly WriteEffect[]): Promise<Assessment>;
  checkpoint(callId: string, writes: readonly WriteEffect[], info: CheckpointInfo): Promise<Checkpoint>;
  watch(callId: string, roots: readonly string[], info: WaitingCallInfo): Promise<void>;
  watchLate(callId: string, lateId: string, info: CallInfo): () => Promise<void>;
  yield(callId: string): void;
  disown(callId: string, isOthers: (path: string) => boolean): void;
  settle(callId: string, left?: LeftByCall): Promise<SettledEntry | undefined>;
  apply(callId: string, staged: StagedChanges, info: ApplyInfo): Promise<HistoryEntry | undefined>;
  unkept(staged: StagedChanges): Promise<readonly Skipped[]>;
  history(options?: {
    readonly limit?: number;
    readonly sessionId?: string;
  }): Promise<readonly HistoryEntry[]>;
  diff(callId: string): Promise<readonly PathDifference[]>;
  undo(target: UndoTarget, options?: UndoOptions): Promise<UndoResult>;
  redo(options?: Pick<UndoOptions, "force" | "signal">): Promise<UndoResult>;
  takeNotice(): string | undefined;
  examine(): Promise<JournalReport>;
  recover(): Promise<readonly UndoResult[]>;
  gc(options?: {
    readonly dryRun?: boolean;
  }): Promise<Collected>;
  close(): Promise<void>;
}
interface JournalReport {
  readonly calls: number;
  readonly damage: readonly string[];
  readonly setAside: readonly string[];
  readonly turnsOff: string | undefined;
}
type JsonSchema = {
  readonly [key: string]: unknown;
};
interface KeptEvents {
  readonly log: EventLog | undefined;
  readonly file: string | undefined;
  problem(): SettingsProblem | undefined;
  collect(options: CollectEventsOptions): Promise<EventCollection>;
  close(): Promise<void>;
}
declare class Kit implements Toolkit {
  #private;
  readonly registry: Registry;
  readonly workspace: string;
  readonly models: ModelSettings;
  constructor(parts: KitParts);
  get mode(): Mode;
  setMode(mode: Mode): void;
  get problems(): readonly (SettingsProblem | RuleProblem)[];
  get permissions(): Permissions;
  get logFile(): string | undefined;
  get dataDirectory(): string;
  get tasks(): KitTasks;
  get sessions(): KitSessions;
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  callAll(calls: readonly Call[], given?: CallAllOptions): Promise<readonly Outcome[]>;
  reconcile(call: Call, options?: CallOptions): Promise<Reconciliation>;
  explain(call: Call): Promise<Explanation>;
  preview(call: Call, given?: PreviewCallOptions): Promise<CallPreview>;
  definitions(format: DefinitionFormat, options?: DefinitionOptions): Promise<Definitions>;
  listings(options?: DefinitionOptions): readonly ToolListing[];
  stagesCommands(): Promise<boolean>;
  subscribe(listener: (event: HaftEvent) => void): () => void;
  emit(event: NewEvent): void;
  now(): number;
  newId(prefix: string): string;
  history(): Promise<readonly PastCall[]>;
  diff(callId: string): Promise<readonly PathDifference[]>;
  undo(target?: UndoTarget, options?: UndoOptions): Promise<CallsUndone>;
  redo(options?: Pick<UndoOptions, "force">): Promise<CallsUndone>;
  collectGarbage(given?: {
    readonly dryRun?: boolean;
  }): Promise<Garbage>;
  doctor(): Promise<DoctorReport>;
  workspaceTrust(): Promise<WorkspaceTrust>;
  runConfined(program: readonly string[], given?: RunConfinedOptions): Promise<ConfinedRun>;
  run(given: KitRunOptions): AgentRun;
  derive(given?: DeriveOptions): Kit;
  dispose(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
interface KitParts extends EnvironmentParts {
  readonly permissions: Permissions;
  readonly toolProblems: ToolProblems;
  readonly ownsHost: boolean;
  readonly log: KeptEvents;
  readonly sessionFile: SessionFile;
  readonly eventsFrom: () => number;
  readonly isDerived: boolean;
  readonly setMode: (mode: Mode) => void;
  readonly onHost: (host: Host) => Pick<KitParts, "host" | "artefacts" | "services"> & Pick<KitParts, "releaseHost">;
  readonly releaseHost: () => Promise<void>;
  readonly tasks: KitTasks;
  readonly releaseHosts: () => Promise<void>;
  readonly engines: () => Promise<EngineFamily>;
  readonly signal: AbortSignal | undefined;
}
type KitRunOptions = Omit<RunOptions, "toolkit">;
interface KitSandboxes {
  readonly require: "enforced" | "best-effort" | "off";
  readonly driver: string | undefined;
  readonly sandboxes: () => Promise<Sandboxes>;
  readonly overlays: CommandOverlays;
  readonly trialSandboxes: () => Promise<Sandboxes>;
  dispose(): Promise<void>;
}
interface KitServices {
  of(sessionId: string | undefined): Services;
  provides(token: ServiceToken<unknown>): boolean;
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
  export(sessionId: string, options?: ExportOptions): Promise<string>;
  import(lines: string): Promise<SessionInfo>;
}
interface KitTasks {
  list(): Promise<readonly Task[]>;
  read(id: string, options?: ReadTaskOptions): Promise<TaskText>;
  stop(id: string): Promise<Task>;
}
type KnownWords = readonly (string | undefined)[];
interface LaunchReport {
  readonly by: "direct" | "helper";
  readonly helperPid?: number;
  readonly failure?: string;
  readonly confinedPids?: readonly number[];
}
interface LaunchSpec {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
  readonly descriptors?: readonly Descriptor[] | undefined;
  readonly helped?: HelperStart | undefined;
}
interface Launcher {
  mark?(): Promise<string>;
  start(spec: LaunchSpec): Promise<Child>;
  dispose(): Promise<void>;
}
interface LayerRule {
  readonly on: EffectClass;
  readonly says: string;
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
type LeftByCall = "nothing" | ReadonlyMap<string, LeftFile | "untouched">;
type LeftFile = Pick<HostFile, "stat" | "hash"> & Partial<Pick<HostFile, "bytes">>;
interface LeftProcess {
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
  readonly taken?: {
    readonly afterSeq: number;
    readonly text: string;
    readonly stream?: ArtefactStream | undefined;
    readonly bytes: number;
    readonly reading?: OutputReading | undefined;
  };
}
interface LimitOptions {
  readonly read?: Partial<Limits["read"]>;
  readonly glob?: Partial<Limits["glob"]>;
  readonly grep?: Partial<Limits["grep"]>;
  readonly listDir?: Partial<Limits["listDir"]>;
  readonly bash?: Partial<Limits["bash"]>;
  readonly answer?: Partial<Limits["answer"]>;
  readonly artefacts?: Partial<Limits["artefacts"]>;
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
    readonly toldDurationMs: number;
    readonly progressMs: number;
  };
  readonly answer: {
    readonly media: number;
    readonly mediaChars: number;
    readonly structuredChars: number;
  };
  readonly artefacts: {
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
interface ListedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: string;
  readonly file?: string;
  readonly line?: number;
  readonly counts: boolean;
}
interface LoadedSettings {
  readonly sources: readonly RuleSource[];
  readonly compiled: CompiledRules;
  readonly files: readonly SettingsFile[];
  readonly problems: readonly (SettingsProblem | RuleProblem)[];
  readonly additionalDirectories: readonly string[];
  readonly defaultMode: Mode | undefined;
  readonly isBypassDisabled: boolean;
  readonly defaultWorkingDirectory: string | undefined;
  readonly restrictToWorkspace: boolean;
  readonly limits: LimitOptions;
  readonly sandbox: SandboxSettings;
  readonly search: Partial<SearchSettings>;
  readonly models: ModelSettings;
  readonly withheld: readonly string[];
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
  readonly launcher?: Launcher;
}
interface LocalLauncherOptions {
  readonly helper?: SpawnHelper;
  readonly bigBytes?: number;
  readonly helperCommand?: readonly string[];
  readonly confined?: ConfinedHelpersOptions;
}
interface LocatedPath {
  readonly path: string;
  readonly exists: boolean | undefined;
  readonly isFolder?: boolean;
}
interface LockedFile {
  readonly path: string;
  readonly process?: number;
  readonly program?: string;
}
interface LogEntry {
  readonly number: number;
  readonly at: number;
  readonly runId: string;
  readonly kind: "message" | "compaction";
  readonly messages: readonly Message[];
}
type MarkMatches = "people" | "model" | "never";
type Matcher =
{
  readonly on: "tool";
  readonly names: readonly Wildcard[];
} |
{
  readonly on: "origin";
  readonly origin: string;
} | {
  readonly on: "parameter";
  readonly names: readonly Wildcard[];
  readonly parameter: string;
  readonly value: Wildcard;
} | {
  readonly on: "skill";
  readonly forms: readonly Wildcard[];
} | {
  readonly on: "read" | "write";
  readonly pattern: PathPattern | undefined;
} | {
  readonly on: "execute";
  readonly pattern: CommandPattern;
} | {
  readonly on: "connect";
  readonly pattern: HostPattern;
} | {
  readonly on: "delegate";
  readonly name: Wildcard;
};
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
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
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
  readonly tools: readonly ToolDefinition$1[];
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
}
interface NamedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: SaveScope;
}
interface NarrowOptions {
  readonly grant: Grant | "read-only";
  readonly cwd: string;
  readonly resolved?: ReadonlyMap<string, string> | undefined;
  readonly onResolved?: ((named: string, canonical: string) => void) | undefined;
  readonly beforeChange?: (() => Promise<unknown>) | undefined;
  readonly kept?: ((path: string) => HostFile | undefined) | undefined;
  readonly keptHash?: ((path: string) => string | undefined) | undefined;
  readonly onLeft?: ((left: LeftByCall) => void) | undefined;
  readonly signal?: (() => AbortSignal) | AbortSignal | undefined;
  readonly onUndeclared?: ((error: ToolError) => void) | undefined;
  readonly confine?: ((program: Pick<ProcessSpec, "live">) => Promise<Confinement | undefined>) | undefined;
  readonly confineSearch?: ((root: string) => Promise<Pick<Confinement, "helper"> | undefined>) | undefined;
  readonly onProgramEnd?: ((program: EndedProgram) => void) | undefined;
}
interface NewCallRecord extends Pick<CallRecord, "kind" | "body"> {
  readonly sessionId: string;
  readonly callId: string;
  readonly isDurable: boolean;
}
type NewEvent = WithoutBase<HaftEvent>;
interface NewRun {
  readonly sessionId: string;
  readonly runId: string;
  readonly agentId?: string;
  readonly parentAgentId?: string;
  readonly task: string;
  readonly model: string;
}
interface NewSession {
  readonly sessionId: string;
  readonly title?: string;
  readonly workspace?: string;
}
interface NewTodo {
  readonly title: string;
  readonly description?: string | undefined;
  readonly dependsOn?: readonly string[] | undefined;
  readonly owner?: string | undefined;
}
interface OfferOptions extends DefinitionOptions {
  readonly isHidden?: HiddenPredicate;
}
interface OnAsk {
  (ask: Ask, options: {
    readonly signal: AbortSignal | undefined;
  }): Promise<Answer>;
  readonly looksAtPreview?: boolean;
}
interface OpenedSandbox {
  readonly sandbox: Sandbox | undefined;
  readonly report: SandboxReport;
  readonly because: string | undefined;
  denials(ended: readonly EndedProgram[]): readonly Denial[];
  planted(): Promise<readonly string[]>;
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
  readonly artefact?: ArtefactRef;
  readonly undo?: UndoRef;
  readonly durationMs: number;
}
interface OutputReading {
  readonly marks: {
    mark(stream: "stdout" | "stderr", text: string): string;
  };
  decode(stream: "stdout" | "stderr", bytes?: Uint8Array): string;
}
interface Overlay {
  readonly confinement: Confinement;
  changes(): Promise<StagedChanges>;
  drop(): Promise<void>;
}
type OverlayMode = "undo" | "preview" | "off";
interface PastCall extends HistoryEntry {
  readonly byItsTool?: true;
}
interface PastParts {
  readonly journal: Journal;
  readonly compensations: Compensations;
  readonly environment: PipelineEnvironment;
  readonly maxCalls: number;
}
interface PastRun {
  readonly runId: string;
  readonly task: string;
  readonly model: string;
  step(key: string): unknown;
}
interface PathDifference {
  readonly path: string;
  readonly change: Change | "unknown";
  readonly before: Image;
  readonly after?: Image;
  readonly diff?: string;
  readonly encoding?: string;
}
interface PathPattern {
  readonly text: string;
  readonly places: readonly Place$1[];
  readonly directoryOnly: boolean;
  readonly ignoreCase: boolean;
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
  constructor(options: PermissionsOptions);
  list(): readonly ListedRule[];
  check(addition: RuleAddition): Promise<readonly string[]>;
  add(given: RuleAddition): Promise<readonly SavedRule[]>;
  remove(change: RuleChange): Promise<boolean>;
}
interface PermissionsOptions {
  readonly rules: RuleBook;
  readonly store: RuleStore | undefined;
  readonly anchors: {
    readonly base: string;
    readonly cwd: string;
    readonly home: string;
  };
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly now: () => number;
  readonly commandEffects: () => Promise<CommandEffects>;
}
interface PipelineEnvironment {
  readonly registry: Registry;
  readonly host: Host;
  readonly workspace: string;
  readonly cwd: string;
  readonly stage?: () => Promise<StagedHost>;
  services(sessionId: string | undefined): Services;
  readonly hooks: Hooks;
  readonly onAsk: OnAsk | undefined;
  readonly checkpoints: Checkpoints | undefined;
  readonly compensations?: Pick<Compensations, "keep">;
  readonly confine?: ((request: ConfineRequest) => Promise<CallConfinement>) | undefined;
  readonly recordCall?: ((record: CallRecordRequest) => Promise<void> | undefined) | undefined;
  readonly decodeOlder?: DecodeOlder;
  readonly confineSearch?: NarrowOptions["confineSearch"];
  readonly tryCommand?: ((request: CommandPreviewRequest, call: {
    readonly grant: Grant;
    readonly agentId: string | undefined;
  }) => Promise<CommandPreviewed>) | undefined;
  readonly tracer: Tracer | undefined;
  readonly maxChars: number;
  readonly shownChars: ReadonlyMap<string, number>;
  readonly answerLimits: Limits["answer"];
  readonly redactSecrets: boolean;
  rules(): RuleSet;
  mode(): Mode;
  boundary(): Boundary;
  readonly onBadSuggestion?: (tool: string, why: string) => void;
  readonly builtIn: readonly LayerRule[] | undefined;
  readonly ceilings: readonly Ceiling[] | undefined;
  readonly trusted: boolean;
  taint(sessionId: string | undefined): Taint;
  saveRule(rule: string, scope: SaveScope): Promise<string | undefined>;
  keepArtefact(callId: string, text: string): Promise<ArtefactRef | undefined>;
  artefactOf(callId: string): ArtefactRef | undefined;
  emit(event: NewEvent): void;
  now(): number;
  newId(prefix: string): string;
  readonly askQueue: AskQueue;
  readonly streaks: FailureStreaks;
  readonly underWay: Set<string>;
  readonly refusals: Map<string, number>;
  isInside(effect: Effect): boolean;
}
interface Place {
  readonly workspace: string;
  readonly dataDirectory: string;
  readonly boundary: Boundary;
  readonly mode: Mode;
  readonly isBypassDisabled: boolean;
  readonly trusted: boolean;
  readonly anchors: Pick<RuleSource, "base" | "cwd" | "home">;
  readonly sources: readonly RuleSource[];
  readonly limits: LimitOptions;
  readonly secrets: SecretPlaces;
  readonly sandbox: SandboxSettings;
  readonly search: SearchSettings;
  readonly models: ModelSettings;
  readonly problems: readonly SettingsProblem[];
  readonly store: RuleStore | undefined;
  readonly asUntrusted: () => Promise<LoadedSettings>;
  readonly trusting: typeof trusting;
}
interface Place$1 {
  readonly root: string;
  readonly prefix: string;
  readonly segments: readonly GlobSegment[];
  readonly written?: string | undefined;
  readonly text?: string;
}
interface Policy {
  readonly rules: RuleSet;
  readonly mode: Mode;
  readonly boundary: Boundary;
  readonly trusted: boolean;
  readonly builtIn?: readonly LayerRule[] | undefined;
}
type PolicyTool = Pick<ToolTraits, "name" | "aliases" | "touches" | "source">;
type PrepareTurn = (info: TurnInfo) => TurnChanges | undefined | Promise<TurnChanges | undefined>;
interface PreparedInput {
  readonly check: Check;
  readonly node: SchemaNode | undefined;
  readonly shape: InputShape | undefined;
  readonly defaults: Defaults | undefined;
  readonly aliases: ReadonlyMap<string, readonly string[]>;
  readonly freeText: ReadonlySet<string>;
}
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
interface PreviewOptions {
  readonly approved: boolean;
  readonly withinMs?: number;
}
interface PreviewResult {
  readonly summary: string;
  readonly diff?: string;
  readonly changes?: readonly PreviewChange[];
  readonly moreChanges?: number;
  readonly content?: string;
  readonly refused?: StagedChanges["refused"];
  readonly through?: readonly string[];
  readonly basis?: "run" | "told" | "declared";
}
interface ProbeResult {
  readonly driver: DriverName;
  readonly works: boolean;
  readonly missing?: Missing;
  readonly report?: SandboxReport;
  readonly probes: readonly CanaryResult[];
}
interface Probed {
  readonly driver: SandboxDriver;
  readonly report: SandboxReport;
  readonly results: readonly ProbeResult[];
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
type Range = readonly [first: string, last: string];
interface ReadEffect extends ByProgram {
  readonly kind: "read";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly span?: Span;
}
interface ReadOptions extends HostOptions {
  readonly maxBytes?: number;
  readonly asKept?: boolean;
}
interface ReadTaskOptions {
  readonly from?: number;
  readonly maxBytes?: number;
}
interface ReadableText {
  readonly text: string;
  readonly encoding: string;
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
  readonly compiled: CompiledInput | undefined;
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
interface RegistryOptions extends ViewOptions {
  readonly context?: InitContextSource;
  readonly onChange?: ((change: RegistryChange) => void) | undefined;
}
interface RegistryScope {
  readonly id: string;
  register(tool: Tool | LazyTool, options?: Omit<RegisterOptions, "scope">): RegisteredTool;
  registerAll(tools: readonly (Tool | LazyTool)[], options?: Omit<RegisterOptions, "scope">): readonly RegisteredTool[];
  dispose(): void;
}
type RegistrySnapshot = ToolView;
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
interface Rule {
  readonly ref: RuleRef;
  readonly denyMessage: string | undefined;
  readonly modes: ReadonlySet<Mode> | undefined;
  readonly subagent: string | undefined;
  readonly expires: number | undefined;
  readonly needsTrust: boolean;
  readonly isGuess: boolean;
  readonly matchers: readonly Matcher[];
  readonly except: readonly Matcher[];
}
interface RuleAddition extends RuleChange {
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
}
interface RuleBook {
  current(): RuleSet;
  followLinks(): Promise<void> | undefined;
  readonly problems: readonly RuleProblem[];
  refresh(): void;
  save(rule: string, scope: SaveScope): Promise<string | undefined>;
  count(rule: NamedRule): void;
  forget(rule: NamedRule): void;
  ceiling(rules: readonly string[]): Ceiling;
}
interface RuleChange {
  readonly rule: string;
  readonly list?: RuleList;
  readonly scope: Exclude<SaveScope, "session">;
}
interface RuleIndex {
  readonly call: readonly CallEntry[];
  readonly read: readonly Entry<PathPattern | undefined>[];
  readonly write: readonly Entry<PathPattern | undefined>[];
  readonly execute: readonly Entry<CommandPattern>[];
  readonly connect: readonly Entry<HostPattern>[];
  readonly delegate: readonly Entry<Wildcard>[];
  readonly origin: readonly Entry<string>[];
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
type RuleScope = "floor" | "managed" | "option" | "session" | "local" | "project" | "user" | "mode" | "built-in" | "boundary" | "taint" | "ceiling";
interface RuleSet {
  readonly rules: readonly Rule[];
  readonly deny: RuleIndex;
  readonly ask: RuleIndex;
  readonly allow: RuleIndex;
  forTool(tool: PolicyTool): ToolRules;
}
interface RuleSource {
  readonly scope: RuleScope;
  readonly list: RuleList;
  readonly rules: readonly unknown[];
  readonly base: string;
  readonly cwd: string;
  readonly home: string;
  readonly file?: string | undefined;
  readonly lines?: readonly (number | undefined)[] | undefined;
}
interface RuleStore {
  spelled(change: Required<RuleChange>): readonly string[];
  save(change: Required<RuleChange>): Promise<readonly SavedRule[]>;
  remove(change: Required<RuleChange>): Promise<boolean>;
}
interface RunBudget {
  readonly limits: BudgetLimits;
  readonly used: BudgetUse;
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
interface RunEnd {
  readonly status: string;
  readonly turns: number;
  readonly calls: number;
  readonly usage: TokenUsage;
  readonly costUsd?: number;
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
  append(messages: readonly Message[]): Promise<void>;
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
  readonly messages?: readonly Message[];
  readonly sessionId?: string;
  readonly agentId?: string;
  readonly parentAgentId?: string;
  readonly depth?: number;
  readonly runId?: string;
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
  readonly costUsd?: number;
  readonly denials: readonly Denial$1[];
  readonly messages: readonly Message[];
  readonly error?: ErrorInfo;
}
type RunStatus = "done" | "max-turns" | "max-calls" | "max-tokens" | "max-cost" | "max-agents" | "deadline" | "aborted" | "looping" | "failed";
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
  readonly name: DriverName;
  version?(): Promise<string | undefined>;
  missing(): Promise<Missing | undefined>;
  report(policy: SandboxPolicy): SandboxReport;
  prepare(policy: SandboxPolicy): Promise<Sandbox>;
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
type SandboxOption = SandboxSettings;
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
  readonly filesystem: Strength;
  readonly network: Strength | "granted";
  readonly ipc: Strength;
  readonly process: Strength;
  readonly undo: "full" | "partial" | "none";
  readonly gaps: readonly Gap[];
}
type SandboxRequirement = "enforced" | "best-effort" | "off";
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
  readonly through?: readonly string[];
}
interface SandboxWishes {
  readonly commands: readonly KnownWords[];
  readonly openCommands: readonly KnownWords[];
  readonly writes: readonly AllowedWrite[];
  readonly open: readonly string[];
  readonly reads: readonly string[];
  readonly hide: readonly string[];
  readonly keep: readonly string[];
}
declare class Sandboxes {
  #private;
  constructor(options: SandboxesOptions);
  probed(): Promise<Probed>;
  weakened(): Promise<DriverName | undefined>;
  survey(): Promise<{
    readonly results: readonly ProbeResult[];
    readonly chosen: Probed | undefined;
  }>;
  reportHere({ driver, report: { version } }: Probed): Promise<SandboxReport>;
  open(wishes: SandboxWishes): Promise<OpenedSandbox>;
  forSearch(root: string): Promise<SearchConfinement | undefined>;
  dispose(): Promise<void>;
}
interface SandboxesOptions {
  readonly require: SandboxRequirement;
  readonly driver?: DriverName | undefined;
  readonly network: SandboxNetwork;
  readonly workspace: string;
  readonly home: string;
  readonly writable: readonly string[];
  readonly words: readonly string[];
  readonly shown?: readonly string[];
  readonly secrets?: SecretPlaces;
  readonly sharesCaches?: boolean;
  readonly probeFile: string;
}
type SaveScope = "session" | "local" | "project" | "user";
interface SavedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: Exclude<SaveScope, "session">;
  readonly file: string;
  readonly line: number;
  readonly wasThere: boolean;
}
interface SchemaNode {
  readonly root: JsonSchema;
  readonly schema: JsonSchema;
}
type SearchConfinement = Pick<Confinement, "helper">;
interface SearchOptions {
  readonly defaultExcludes?: SearchSettings["defaultExcludes"];
}
interface SearchOptions$1 extends OfferOptions {
  readonly limit?: number;
}
interface SearchResult {
  readonly name: string;
  readonly summary: string;
  readonly score: number;
}
interface SearchSettings {
  readonly defaultExcludes: DefaultExcludes;
  readonly markMatches: MarkMatches;
}
interface SecretNode {
  readonly names: Map<string, {
    readonly text: string;
    readonly node: SecretNode;
  }>;
  readonly wild: {
    readonly text: string;
    readonly name: RegExp;
    readonly node: SecretNode;
  }[];
  isSecret: boolean;
}
interface SecretPlaces {
  readonly root: SecretNode;
  readonly open: readonly string[];
  at(path: string): string | undefined;
  below(tree: string): readonly string[];
}
interface SeenEncoding {
  readonly name: string;
  readonly isConcluded?: boolean;
}
interface ServiceToken<T> {
  readonly id: string;
  readonly type?: T;
}
interface Services {
  get<T>(token: ServiceToken<T>): T | undefined;
}
interface SessionFile {
  readonly isStored: boolean;
  open(): Promise<SessionStore>;
  current(): SessionStore | undefined;
  close(): Promise<void>;
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
}
type SessionStorage = "file" | "memory" | "none";
interface SessionStore {
  create(session: NewSession): Promise<SessionInfo>;
  get(sessionId: string): Promise<SessionInfo | undefined>;
  list(options?: {
    readonly limit?: number;
  }): Promise<readonly SessionInfo[]>;
  rename(sessionId: string, title: string): Promise<SessionInfo>;
  fork(sessionId: string, options: ForkOptions): Promise<SessionInfo>;
  delete(sessionId: string): Promise<void>;
  messages(sessionId: string, agentId?: string): Promise<readonly Message[]>;
  conversation(sessionId: string, agentId?: string): Promise<StoredConversation>;
  agents(sessionId: string): Promise<readonly string[]>;
  begin(run: NewRun): Promise<StoredRun>;
  latestRun(sessionId: string, agentId?: string): Promise<PastRun | undefined>;
  recordCall(record: NewCallRecord): Promise<void>;
  callRecords(sessionId: string, callId: string): Promise<readonly CallRecord[]>;
  export(sessionId: string, options?: ExportOptions): Promise<string>;
  import(text: string, options: ImportOptions): Promise<SessionInfo>;
  close(): Promise<void>;
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
  readonly grep?: GrepOptions;
  readonly models?: ModelSettings;
}
interface SettingsFile {
  readonly path: string;
  readonly scope: SettingsScope;
  readonly isForeign: boolean;
}
interface SettingsProblem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
}
type SettingsScope = "local" | "project" | "user" | "option";
interface SettledEntry extends HistoryEntry {
  readonly unkept?: {
    readonly paths: readonly Skipped[];
    readonly isCounted: boolean;
  };
  readonly seen?: readonly string[];
}
interface SettledUndo extends UndoRef {
  readonly note?: string;
  readonly seen?: readonly string[];
}
interface SharedParts {
  readonly hooks: Hooks;
  readonly onAsk: OnAsk | undefined;
  readonly tracer: Tracer | undefined;
  readonly maxChars: number;
  readonly shownChars: ReadonlyMap<string, number>;
  readonly answerLimits: Limits["answer"];
  readonly redactSecrets: boolean;
  readonly refusals: Map<string, number>;
  readonly onBadSuggestion: (tool: string, why: string) => void;
  readonly taints: Map<string | undefined, Taint>;
}
interface Skipped {
  readonly path: string;
  readonly because: string;
}
interface Span {
  readonly start: number;
  readonly end: number;
}
type SpawnHelper = "auto" | "always" | "never";
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
interface StagedHost {
  readonly host: Host;
  readonly changes: () => Promise<StagedChanges>;
}
interface StartedAgent extends Pick<AgentTask, "id" | "kind" | "title" | "startedAt" | "trust" | "callId" | "runId" | "sessionId" | "agentId"> {
  progress(): AgentProgress;
  text(): string;
  readonly ended: Promise<AgentEnd>;
  stop(): Promise<void>;
}
interface Steps {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
  runAll<T>(keys: readonly string[], work: WorkTogether<T>): Promise<readonly T[]>;
}
interface StoredConversation {
  readonly entries: readonly LogEntry[];
  readonly damaged: number;
}
interface StoredRun {
  readonly runId: string;
  readonly log: RunLog;
  readonly end: (result: RunEnd) => Promise<void>;
}
type Strength = "enforced" | "partial" | "none";
interface Swept {
  readonly files: number;
  readonly bytes: number;
  readonly left: number;
}
interface Taint {
  untrustedSeen: boolean;
  privateRead: boolean;
  secretsHidden: boolean;
}
type Task = RunningTask | Todo;
interface TaskList {
  list(): Promise<readonly Task[]>;
  get(id: string): Promise<Task>;
  create(todo: NewTodo): Promise<Todo>;
  update(id: string, change: TodoChange): Promise<Todo>;
}
interface TaskRead {
  readonly from?: number | undefined;
  readonly maxBytes: number;
  readonly tailShare: number;
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
interface TextFilter {
  push(text: string): string;
  end(): string;
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
  reconcile?(input: Input, context: ToolContext): Promise<"done" | "not-done" | "unknown">;
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
  readonly toolName: string;
  readonly excludes: (path: string) => string | undefined;
  readonly progress: (update: ProgressUpdate) => void;
  readonly output: {
    readonly write: (text: string, stream?: "stdout" | "stderr") => void;
  };
  readonly metadata: (patch: Readonly<Record<string, unknown>>) => void;
}
type ToolDefinition<S extends InputSchema> = ToolTraits & ToolBehaviour<InferInput<S>> & {
  readonly input: S;
};
interface ToolDefinition$1 {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly strict?: boolean;
}
export declare class ToolError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly data: Readonly<Record<string, unknown>> | undefined;
  readonly retryable: boolean;
  constructor(code: ErrorCode, message: string, options?: ToolErrorOptions);
  get type(): ErrorType;
  get move(): ErrorMove;
  toJSON(): ErrorInfo;
  static is(error: unknown): error is ToolError;
}
interface ToolErrorOptions {
  readonly hint?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
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
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}
interface ToolMessage {
  readonly role: "tool";
  readonly content: readonly ToolResultPart[];
}
declare class ToolProblems {
  #private;
  get all(): readonly SettingsProblem[];
  suggested(tool: string, why: string): void;
  selected({ include, exclude, extra }: ToolSelection): void;
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
}
interface ToolRules {
  readonly deny: readonly CallEntry[];
  readonly ask: readonly CallEntry[];
  readonly allow: readonly CallEntry[];
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
  readonly icon?: string;
  readonly source?: ToolSource;
  readonly strict?: boolean;
  readonly touches: readonly EffectKind[];
  readonly flags?: Partial<ToolFlags>;
  readonly timeoutMs?: number;
  readonly maxChars?: number;
  readonly variantOf?: string;
  readonly staged?: "files" | "commands";
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
  getDefinitions(format: DefinitionFormat, options?: OfferOptions): Promise<Definitions>;
  prepare(): Promise<void>;
  listings(options?: OfferOptions): readonly ToolListing[];
  search(query: string, options?: SearchOptions$1): Promise<readonly SearchResult[]>;
}
interface Toolkit {
  call(call: Call, options?: CallOptions): Promise<Outcome>;
  callAll(calls: readonly Call[], options?: CallAllOptions): Promise<readonly Outcome[]>;
  explain(call: Call): Promise<Explanation>;
  reconcile?(call: Call, options?: CallOptions): Promise<Reconciliation>;
  definitions(format: DefinitionFormat, options?: DefinitionOptions): Promise<Definitions>;
  listings(options?: DefinitionOptions): readonly ToolListing[];
  subscribe(listener: (event: HaftEvent) => void): () => void;
  emit(event: NewEvent): void;
  now(): number;
  newId(prefix: string): string;
}
interface ToolkitOptions {
  readonly workspace?: string;
  readonly mode?: Mode;
  readonly additionalDirectories?: readonly string[];
  readonly dataDirectory?: string;
  readonly settings?: Settings | "load" | "none";
  readonly rules?: {
    readonly allow?: readonly string[];
    readonly ask?: readonly string[];
    readonly deny?: readonly string[];
  };
  readonly trust?: boolean;
  readonly sandbox?: SandboxOption;
  readonly host?: Host;
  readonly tools?: ToolSelection;
  readonly hooks?: Hooks;
  readonly onAsk?: OnAsk;
  readonly onEvent?: (event: HaftEvent) => void;
  readonly signal?: AbortSignal;
  readonly eventLog?: EventLog | "none" | "memory" | "file";
  readonly sessions?: SessionStorage;
  readonly services?: Services;
  readonly tracer?: Tracer;
  readonly maxChars?: number;
  readonly limits?: LimitOptions;
  readonly search?: SearchOptions;
  readonly grep?: GrepOptions;
  readonly background?: Background;
  readonly redactSecrets?: boolean;
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
interface TrustOptions {
  readonly host: Pick<Host, "fs" | "clock">;
  readonly workspace: string;
  readonly dataDirectory: string;
}
interface TrustReview extends TrustState {
  readonly files: Readonly<Record<string, string>>;
}
interface TrustState {
  readonly trusted: boolean;
  readonly changed: readonly string[];
  readonly brings: readonly string[];
}
interface Trusting {
  readonly recordTrust: typeof recordTrust;
  readonly reviewTrust: typeof reviewTrust;
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
interface UndoResult {
  readonly calls: readonly string[];
  readonly changes: readonly {
    readonly path: string;
    readonly change: Change;
  }[];
  readonly kept: readonly Skipped[];
  readonly skipped: readonly Skipped[];
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
interface UserMessage {
  readonly role: "user";
  readonly content: readonly ContentPart[];
}
interface ViewOptions {
  readonly isHidden?: HiddenPredicate | undefined;
  readonly provides?: ((token: ServiceToken<unknown>) => boolean) | undefined;
}
interface WaitingCallInfo extends CallInfo {
  readonly signal?: AbortSignal | undefined;
}
interface WatchedPath {
  readonly path: string;
  readonly link?: string;
}
interface Wildcard {
  readonly pieces: readonly string[];
}
type WithoutBase<E> = E extends HaftEvent ? Omit<E, "seq" | "at"> : never;
type Word = string | {
  readonly dynamic: string;
};
type WorkTogether<T> = (missing: readonly string[], record: (key: string, result: T) => void) => Promise<void>;
interface WorkspaceTrust extends TrustState {
  readonly workspace: string;
  readonly permits: readonly string[];
  readonly allows: readonly string[];
  accept(): Promise<void>;
  revoke(): Promise<void>;
}
interface WrapOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly onOverlay?: boolean;
}
interface WriteEffect extends ByProgram {
  readonly kind: "write";
  readonly path: string;
  readonly scope: "file" | "tree";
  readonly change: "create" | "modify" | "delete" | "any";
  readonly span?: Span;
}
interface WriteOptions extends HostOptions {
  readonly ifMatch?: string | null;
  readonly mode?: number;
  readonly durable?: boolean;
  readonly beforeVisible?: (() => Promise<unknown>) | undefined;
  readonly makeSafe?: ((draft: string) => Promise<unknown>) | undefined;
}
export declare const agentTasks: ServiceToken<AgentTasks>;
export declare const artefactStore: ServiceToken<ArtefactStore>;
export declare function capabilityLevel({ touches, flags, staged, hasPreview, hasUndo }: CapabilityFacts, { stagesCommands }?: {
  readonly stagesCommands?: boolean;
}): CapabilityLevel;
export declare const client: ServiceToken<ClientPort>;
export declare const commandPreview: ServiceToken<CommandPreview>;
export declare function contentText(content: readonly ContentPart[]): string;
export declare function createRegistry(options?: RegistryOptions): Registry;
export declare function createToolkit(given?: ToolkitOptions): Promise<Kit>;
export declare const defaultLimits: Limits;
export declare function defineTool<const S extends InputSchema>(definition: LazyToolDefinition<S>): LazyTool;
export declare function defineTool<const S extends InputSchema>(definition: ToolDefinition<S>): Tool;
declare const driverStrengths: readonly ["bwrap", "landlock", "unshare", "sandbox-exec", "srt", "none"];
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
export declare const fileState: ServiceToken<FileState>;
export declare function fromMinimalTool(tool: MinimalTool, traits?: Partial<Omit<ToolTraits, "name">>): Tool;
export declare const jobs: ServiceToken<Jobs>;
export declare const limits: ServiceToken<Limits>;
export declare function localHost(options?: LocalHostOptions): Promise<LocalHost>;
export declare function memoryHost(options?: MemoryHostOptions): MemoryHost;
export declare const modes: readonly ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"];
declare function recordTrust(options: TrustOptions, files: Readonly<Record<string, string>> | undefined): Promise<void>;
export declare const redaction: ServiceToken<Redaction>;
declare function reviewTrust(options: TrustOptions): Promise<TrustReview>;
export declare function serviceToken<T>(id: string): ServiceToken<T>;
export declare const taskList: ServiceToken<TaskList>;
declare function trusting(): Promise<Trusting>;
export type { AgentEnd, AgentProgress, AgentRun, AgentTask, AgentTasks, Answer, ArtefactRef, ArtefactStore, ArtefactStream, Ask, Call, CallAllOptions, CallOptions, CallPreview, CallsUndone, CapabilityLevel, ClientPort, ClientRoot, CommandPreview, CommandPreviewRequest, CommandPreviewed, CommandTask, ConfinedRun, ContentPart, Decision, DecisionRecord, DefinitionFormat, DefinitionOptions, Definitions, DeriveOptions, DoctorReport, Effect, EffectContext, EffectKind, ElicitAnswer, ElicitForm, ErrorCode, ErrorInfo, EventLog, Explanation, ExportOptions as ExportSessionOptions, FileState, Finding, ForkSessionOptions, Grant, HaftEvent, Host, InitContext, InputIssue, InputSchema, Jobs, JsonSchema, Kit, KitRunOptions, KitSessions, KitTasks, LayeredDescription, LazyTool, LimitOptions, Limits, ListedRule, LocalHost, LocalHostOptions, MemoryHost, MemoryHostOptions, MinimalTool, Mode, NewEvent, NewTodo, OnAsk, Outcome, PastCall, Permissions, PreviewCallOptions, PreviewChange, PreviewResult, ProgressUpdate, ReadTaskOptions, Redaction, Registry, Repair, RuleAddition, RuleChange, RuleRef, RunConfinedOptions, RunningTask, SampleAnswer, SampleMessage, SampleRequest, SandboxOption, SaveScope, ServiceToken, Services, SessionInfo, LogEntry as SessionLogEntry, SessionStorage, StagedChange, StagedChanges, StagedEntry, StartedAgent, StoredConversation, Task, TaskList, TaskRead, TaskReading, TaskStatus, TaskText, Todo, TodoChange, TodoStatus, Tool, ToolContext, ToolDefinition, ToolFlags, ToolListing, ToolResult, ToolSelection, Toolkit, ToolkitOptions, Trust, UndoRef, WorkspaceTrust };
