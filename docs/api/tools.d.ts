import { StandardSchemaV1 } from "@standard-schema/spec";
interface Assign {
  readonly name: string;
  readonly value: Word;
}
interface ByProgram {
  readonly by?: Span;
  readonly through?: string;
}
type CapabilityLevel = 0 | 1 | 2;
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
interface Confinement {
  wrap(argv: readonly string[], options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  }): Confined | Promise<Confined>;
  ended?(): Promise<string | undefined>;
  readonly helper?: ConfinedHelper;
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
type DefaultExcludes = "untracked" | "always" | "never";
interface DelegateEffect {
  readonly kind: "delegate";
  readonly agent: string;
  readonly target?: "agent" | "session";
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
interface IgnoredDirectories {
  readonly count: number;
  readonly examples: readonly string[];
}
interface InitContext {
  readonly host: Host;
  readonly workspace: string;
  service<T>(token: ServiceToken<T>): T;
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
interface LocatedPath {
  readonly path: string;
  readonly exists: boolean | undefined;
  readonly isFolder?: boolean;
}
type Mode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions";
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
interface ServiceToken<T> {
  readonly id: string;
  readonly setup?: string;
  readonly type?: T;
}
interface Span {
  readonly start: number;
  readonly end: number;
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
interface TextPart {
  readonly type: "text";
  readonly text: string;
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
  reconcile?(input: Input, context: ToolContext): Promise<"done" | "not-done" | "unknown" | undefined>;
  formatIssues?(issues: readonly InputIssue[]): string;
}
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
interface ToolResult {
  readonly content: string | readonly ContentPart[];
  readonly structuredContent?: unknown;
  readonly title?: string;
  readonly summary?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
  readonly trust?: Trust;
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
type Trust = "trusted" | "untrusted";
interface UnknownEffect extends ByProgram {
  readonly kind: "unknown";
  readonly because: string;
  readonly origin: string;
  readonly span?: Span;
  readonly floor?: boolean;
  readonly alwaysAsks?: boolean;
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
type Word = string | {
  readonly dynamic: string;
};
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
export declare function builtInListings(absent: ReadonlySet<string>): readonly ToolListing[];
export declare const builtInTools: readonly LazyTool[];
export declare const searchVariables: readonly string[];
export {};
