import { type HostFs, ToolError } from "../../core/index.ts";
import { baseName, isRecord } from "../../text/index.ts";
import type { CheckPrograms } from "../programs.ts";
import { LspConnection } from "./connection.ts";
import { OpenDocuments } from "./documents.ts";
import { PublishedProblems } from "./published-problems.ts";
import { within, type TimeLimit } from "./time-limit.ts";
import { uriOf } from "./uri.ts";

/** Maximum number of processes that are counted. */
const maxProcesses = 200;
const pageBytes = 4096;

/** Bytes of memory that a process and everything it started uses; undefined where the system does not say. */
async function memoryOf(fs: HostFs, pid: number): Promise<number | undefined> {
  const waiting = [pid];
  let bytes: number | undefined;
  for (let count = 0; count < maxProcesses; count += 1) {
    const next = waiting.pop();
    if (next === undefined) break;
    const pages = (await read(fs, `/proc/${next}/statm`))?.split(" ")[1];
    if (pages !== undefined) bytes = (bytes ?? 0) + Number(pages) * pageBytes;
    const children = await read(fs, `/proc/${next}/task/${next}/children`);
    for (const child of children?.split(" ") ?? []) {
      if (/^\d+$/u.test(child)) waiting.push(Number(child));
    }
  }
  return bytes;
}

async function read(fs: HostFs, path: string): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await fs.readRange(path, { offset: 0, length: 4096 }));
  } catch (error) {
    if (ToolError.is(error)) return undefined;
    throw error;
  }
}

/** A language server of the settings. */
export interface ServerConfig {
  readonly name: string;
  readonly command: readonly string[];
  /** Whether it knows a file of the workspace. */
  readonly knows: (path: string) => boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** File of the workspace that names it; undefined for one that needs no trust. */
  readonly file?: string | undefined;
}

/** Limits of a language server. */
export interface ServerLimits {
  /** Milliseconds without work after which it is stopped. */
  readonly idleMs: number;
  /** Bytes of memory of all its processes above which it is stopped. */
  readonly memoryBytes: number;
  /** Milliseconds that it has to start. */
  readonly startMs: number;
}

export const serverLimits: ServerLimits = {
  idleMs: 5 * 60_000,
  memoryBytes: 3_000_000_000,
  startMs: 60_000,
};

/** Milliseconds between two checks of the memory. */
const memoryLookMs = 2000;
/** Number of failures after which a server is not started again. */
const maxFailures = 3;

/** A server that has started. */
export interface StartedServer {
  readonly connection: LspConnection;
  readonly documents: OpenDocuments;
  readonly published: PublishedProblems;
  readonly capabilities: Readonly<Record<string, unknown>>;
  /** Methods that it registered after its start, by the id of the registration. */
  readonly registered: ReadonlyMap<string, string>;
}

/** A language server that starts with its first work and ends when it is idle. It does one work at a time. */
export class LanguageServer {
  readonly config: ServerConfig;
  readonly #programs: CheckPrograms;
  readonly #limits: ServerLimits;
  #started: Promise<StartedServer> | undefined;
  #connection: LspConnection | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #failure: ToolError | undefined;
  #log = "";
  #peakBytes = 0;
  #working = 0;
  #isDisposed = false;
  #cancelIdle: () => void = () => undefined;
  #cancelLook: () => void = () => undefined;

  constructor(config: ServerConfig, programs: CheckPrograms, limits: ServerLimits = serverLimits) {
    this.config = config;
    this.#programs = programs;
    this.#limits = limits;
  }

  /** Its last failure. */
  get failure(): ToolError | undefined {
    return this.#connection?.ending ?? this.#failure;
  }

  /** End of its standard error, after a failure. */
  get log(): string {
    return this.#log;
  }

  get isRunning(): boolean {
    return this.#connection !== undefined;
  }

  /** Highest memory that was seen, in bytes. */
  get peakBytes(): number {
    return this.#peakBytes;
  }

  /** Starts it, without a wait; work that follows finds it ready or waits for it. */
  warm(): void {
    this.#start().catch(() => undefined);
  }

  /** Runs work when the server has started and earlier work has ended. */
  async use<T>(limit: TimeLimit, work: (server: StartedServer) => Promise<T>): Promise<T> {
    const { clock } = this.#programs.host;
    const before = this.#tail;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#tail = before.then(async () => await done);
    this.#working += 1;
    this.#cancelIdle();
    try {
      await within(before, limit, clock);
      const server = await within(this.#start(), limit, clock);
      const result = await work(server);
      this.#failures = 0;
      return result;
    } finally {
      resolve();
      this.#working -= 1;
      this.#waitIdle();
    }
  }

  /** Ends it; it is not started again. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#stop();
  }

  async #stop(): Promise<void> {
    this.#cancelIdle();
    this.#cancelLook();
    const connection = this.#connection;
    this.#connection = undefined;
    this.#started = undefined;
    await connection?.close();
  }

  async #start(): Promise<StartedServer> {
    await this.#verify();
    if (this.#isDisposed) throw new ToolError("ABORTED", "The toolkit was asked to stop.");
    if (this.#connection?.ending !== undefined) this.#failed(this.#connection.ending);
    if (this.#started !== undefined) return await this.#started;
    if (this.#failures >= maxFailures) throw this.#givenUp();
    this.#started = this.#open();
    const mine = this.#started;
    try {
      return await mine;
    } catch (error) {
      if (this.#started === mine) this.#failed(error);
      throw error;
    }
  }

  /** Ends a server that may not continue, before each of its uses: its program is read when it starts. */
  async #verify(): Promise<void> {
    const { command, file } = this.config;
    try {
      await this.#programs.verify({ command, file });
    } catch (error) {
      await this.#stop();
      if (ToolError.is(error)) this.#failure = error;
      throw error;
    }
  }

  #failed(error: unknown): void {
    this.#failures += 1;
    if (ToolError.is(error)) this.#failure = error;
    const connection = this.#connection;
    this.#log = connection?.log ?? "";
    this.#connection = undefined;
    this.#started = undefined;
    this.#cancelLook();
    void closeQuietly(connection);
  }

  #givenUp(): ToolError {
    const { name } = this.config;
    const why = this.#failure?.message ?? "";
    return new ToolError(
      "UNAVAILABLE",
      `${name} failed ${maxFailures} times and is not started again. ${why}`.trim(),
      { hint: "haft doctor shows its last messages.", retryable: false },
    );
  }

  async #open(): Promise<StartedServer> {
    const { name, command, options } = this.config;
    const registered = new Map<string, string>();
    const published = new PublishedProblems();
    const connection = new LspConnection({
      name,
      argv: command,
      programs: this.#programs,
      onNotification: (method, params) => {
        if (method === "textDocument/publishDiagnostics") published.take(params);
      },
      onRequest: (method, params) =>
        answerOf({ method, params }, this.#programs.workspace, registered),
    });
    this.#connection = connection;
    await connection.start();
    this.#lookAtMemory(connection);
    const answer = await connection.request(
      "initialize",
      startOf(this.#programs.workspace, options),
      { ms: this.#limits.startMs },
    );
    connection.notify("initialized", {});
    const documents = new OpenDocuments((method, params) => connection.notify(method, params));
    const capabilities = isRecord(answer) ? answer["capabilities"] : undefined;
    this.#waitIdle();
    return {
      connection,
      documents,
      published,
      capabilities: isRecord(capabilities) ? capabilities : {},
      registered,
    };
  }

  #waitIdle(): void {
    this.#cancelIdle();
    if (this.#working > 0 || this.#connection === undefined) return;
    const { clock } = this.#programs.host;
    this.#cancelIdle = clock.timer(
      this.#limits.idleMs,
      () => {
        if (this.#working === 0) this.#stop().catch(() => undefined);
      },
      { keepsAlive: false },
    );
  }

  #lookAtMemory(connection: LspConnection): void {
    const { clock, proc, fs } = this.#programs.host;
    const look = async (): Promise<void> => {
      if (connection !== this.#connection || connection.ending !== undefined) return;
      const { pid } = (await proc.list()).find(({ id }) => id === connection.id) ?? {};
      const bytes = pid === undefined ? undefined : await memoryOf(fs, pid);
      if (bytes !== undefined) this.#peakBytes = Math.max(this.#peakBytes, bytes);
      if (connection !== this.#connection) return;
      if (bytes !== undefined && bytes > this.#limits.memoryBytes) {
        const shown = `${Math.round(this.#limits.memoryBytes / 1_000_000)} MB`;
        this.#failed(
          new ToolError("UNAVAILABLE", `${this.config.name} used more than ${shown} of memory.`, {
            hint: "Exclude large directories in the project's own configuration of that language.",
          }),
        );
        return;
      }
      this.#cancelLook = clock.timer(memoryLookMs, () => void look(), { keepsAlive: false });
    };
    void look();
  }
}

async function closeQuietly(connection: LspConnection | undefined): Promise<void> {
  await connection?.close().catch(() => undefined);
}

function startOf(workspace: string, options: Readonly<Record<string, unknown>>): object {
  const uri = uriOf(workspace);
  return {
    processId: null,
    clientInfo: { name: "haft" },
    rootPath: workspace,
    rootUri: uri,
    workspaceFolders: [{ uri, name: baseName(workspace) }],
    initializationOptions: options,
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      workspace: {
        configuration: true,
        workspaceFolders: true,
        workspaceEdit: { documentChanges: true },
        didChangeConfiguration: { dynamicRegistration: true },
        symbol: {},
      },
      window: { workDoneProgress: false },
      textDocument: {
        synchronization: { didSave: true },
        publishDiagnostics: { versionSupport: true, relatedInformation: false },
        diagnostic: { dynamicRegistration: true, relatedDocumentSupport: false },
        definition: { linkSupport: true },
        references: {},
        hover: { contentFormat: ["plaintext", "markdown"] },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        rename: { prepareSupport: false },
      },
    },
  };
}

/** Answers a request of a server. It gets no settings and changes nothing. */
function answerOf(
  { method, params }: { readonly method: string; readonly params: unknown },
  workspace: string,
  registered: Map<string, string>,
): { readonly result: unknown } | undefined {
  switch (method) {
    case "workspace/configuration": {
      const items = isRecord(params) && Array.isArray(params["items"]) ? params["items"] : [];
      return { result: items.slice(0, maxItems).map(() => null) };
    }
    case "workspace/workspaceFolders":
      return { result: [{ uri: uriOf(workspace), name: baseName(workspace) }] };
    case "client/registerCapability":
      for (const each of listOf(params, "registrations")) registered.set(each.id, each.method);
      return { result: null };
    case "client/unregisterCapability":
      for (const { id } of listOf(params, "unregisterations")) registered.delete(id);
      return { result: null };
    case "workspace/applyEdit":
      return { result: { applied: false, failureReason: "haft applies changes itself." } };
    case "window/workDoneProgress/create":
    case "window/showMessageRequest":
    case "workspace/diagnostic/refresh":
    case "workspace/semanticTokens/refresh":
    case "workspace/inlayHint/refresh":
    case "workspace/codeLens/refresh":
      return { result: null };
    default:
      return undefined;
  }
}

const maxItems = 1000;

/** Registrations in a request. A method may be registered again before it is withdrawn, so the id counts. */
function listOf(params: unknown, field: string): readonly Registration[] {
  const items = isRecord(params) && Array.isArray(params[field]) ? params[field] : [];
  return items.slice(0, maxItems).flatMap((each: unknown) => {
    if (!isRecord(each)) return [];
    const { id, method } = each;
    return typeof id === "string" && typeof method === "string" ? { id, method } : [];
  });
}

interface Registration {
  readonly id: string;
  readonly method: string;
}
