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
type DefaultExcludes = "untracked" | "always" | "never";
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
interface ExistingPath {
  readonly path: string;
  readonly kind: "file" | "directory";
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
interface LaunchReport {
  readonly by: "direct" | "helper";
  readonly helperPid?: number;
  readonly failure?: string;
  readonly confinedPids?: readonly number[];
}
interface Lease {
  renew(): Promise<boolean>;
  release(): Promise<void>;
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
interface Missing {
  readonly reason: string;
  readonly install?: string;
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
interface ProgramOutput {
  push(stream: "stdout" | "stderr", bytes: Uint8Array): boolean;
  end(exit: ProcessExit): void;
  read(afterSeq: number, options?: HostOptions & {
    readonly reuse?: boolean;
  }): AsyncIterable<ProcessChunk>;
}
interface ReadOptions extends HostOptions {
  readonly maxBytes?: number;
  readonly asCaptured?: boolean;
}
interface Refusal {
  readonly host: string;
  readonly port: number;
  readonly reason: string;
}
interface ReplaceOptions {
  readonly ifMatch?: string | null;
  readonly durable?: boolean;
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
type SandboxStrength = "enforced" | "partial" | "none";
interface Span {
  readonly start: number;
  readonly end: number;
}
type SpawnHelper = "auto" | "always" | "never";
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
interface WatchedPath {
  readonly path: string;
  readonly link?: string;
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
interface WriteOptions extends HostOptions {
  readonly ifMatch?: string | null;
  readonly mode?: number;
  readonly durable?: boolean;
  readonly hold?: ((draft: WriteDraft) => Promise<unknown>) | undefined;
}
export declare function localHost(options?: LocalHostOptions): Promise<LocalHost>;
export declare function localStore(directory: string): Promise<Store>;
export declare function memoryHost(options?: MemoryHostOptions): MemoryHost;
export declare function memoryStore(): Store;
export declare function programOutput(options?: {
  readonly onRoom?: () => void;
}): ProgramOutput;
export declare function scriptSearch(fs: HostFs): HostSearch;
export type { Confined, ConfinedHelper, Confinement, DefaultExcludes, Descriptor, ExistingPath, GlobEvent, GlobFile, GlobQuery, GrepEvent, GrepQuery, GrepSkipped, Host, HostAppender, HostCapabilities, HostClock, HostEntry, HostFile, HostFs, HostInfo, HostNet, HostNetOptions, HostOptions, HostProc, HostRequest, HostResponse, HostSearch, HostStat, HostUsers, IgnoredDirectories, LaunchReport, Lease, ListEntry, ListEvent, ListQuery, LocalHost, LocalHostOptions, LocalLauncherOptions, LocatedPath, LockOptions, MemoryControl, MemoryEntry, MemoryExit, MemoryFault, MemoryHost, MemoryHostOptions, MemoryProgram, MemoryProgramIo, MemoryResponse, MemoryResponses, Missing, ProcessChunk, ProcessExit, ProcessPatience, ProcessRef, ProcessSpec, ProgramOutput, ReadOptions, Refusal, ReplaceOptions, Sandbox, SandboxDriver, SandboxLimits, SandboxNetwork, SandboxPolicy, SpawnHelper, Store, StoreArea, StoreAreaName, StoreFiles, StoreFs, StoredEntry, StoredFile, WatchedPath, WrapOptions, WriteDraft, WriteOptions };
