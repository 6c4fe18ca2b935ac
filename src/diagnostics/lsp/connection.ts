import { ToolError } from "../../core/index.ts";
import { isRecord, messageOf, visibleText } from "../../text/index.ts";
import type { CheckPrograms } from "../programs.ts";
import { FrameReader, frameOf } from "./frames.ts";

export interface ConnectionOptions {
  /** Name of the server in the settings. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly programs: CheckPrograms;
  readonly onNotification: (method: string, params: unknown) => void;
  /** Answers a request of the server; undefined for a method that is not known. */
  readonly onRequest: (method: string, params: unknown) => { readonly result: unknown } | undefined;
}

/** Waits of a request. */
export interface RequestWait {
  readonly ms: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes and messages that a server may send without being asked. */
const maxUnansweredBytes = 20_000_000;
const maxUnansweredMessages = 20_000;
/** Bytes that may wait until the server reads them. */
const maxUnreadBytes = 64_000_000;
/** Characters of standard error remembered for reports. */
const maxLogChars = 4000;
/** Milliseconds that a server has to end by itself. */
const politeMs = 500;

/** JSON-RPC with a language server over its standard streams. All its processes end with the connection. */
export class LspConnection {
  readonly id: string;
  readonly #options: ConnectionOptions;
  readonly #pending = new Map<number, Pending>();
  readonly #reader = new FrameReader();
  readonly #ended = Promise.withResolvers<void>();
  #ending: ToolError | undefined;
  #violation: string | undefined;
  #lastId = 0;
  #unansweredBytes = 0;
  #unansweredMessages = 0;
  #unreadBytes = 0;
  #log = "";

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.id = options.programs.newId();
  }

  /** Why it ended; undefined while it is open. */
  get ending(): ToolError | undefined {
    return this.#ending;
  }

  /** End of what the server wrote to standard error. */
  get log(): string {
    return visibleText(this.#log.trim());
  }

  /** Starts the server. A connection that is closed meanwhile starts nothing, or ends what has just started. */
  async start(): Promise<void> {
    const { workspace } = this.#options.programs;
    let opened: Awaited<ReturnType<CheckPrograms["confine"]>>;
    try {
      opened = await this.#open();
    } catch (error) {
      if (ToolError.is(error)) this.#ending ??= error;
      this.#fail("could not be started");
      this.#ended.resolve();
      throw error;
    }
    const watch = async (): Promise<void> => {
      const { code, signal } = await this.#follow();
      await this.#kill();
      this.#fail(signal === null ? `ended with exit code ${code ?? 0}` : `was ended by ${signal}`);
      const ended = { code, signal, stderr: this.#log, cwd: workspace };
      await opened.close([ended]).catch(() => undefined);
      this.#ended.resolve();
    };
    void watch();
    if (this.#ending === undefined) return;
    await this.#kill();
    throw this.#ending;
  }

  async #open(): Promise<Awaited<ReturnType<CheckPrograms["confine"]>>> {
    const { argv, programs, name } = this.#options;
    const { host, workspace, confine } = programs;
    const opened = await confine(argv);
    const { confinement } = opened;
    try {
      if (this.#ending !== undefined) throw this.#ending;
      await host.proc.start({
        id: this.id,
        argv,
        cwd: workspace,
        stdin: "pipe",
        limits: { terminateMs: 1000, killMs: 2000 },
        live: true,
        ...(confinement === undefined ? {} : { confinement }),
      });
      return opened;
    } catch (cause) {
      await opened.close([]).catch(() => undefined);
      if (cause === this.#ending) throw cause;
      throw new ToolError("UNAVAILABLE", `${name} could not be started: ${messageOf(cause)}`, {
        hint: `Install ${visibleText(argv[0] ?? name)}, or correct the setting diagnostics.servers.${name}.`,
        cause,
      });
    }
  }

  async #kill(): Promise<void> {
    const { proc } = this.#options.programs.host;
    await proc.signal(this.id, "KILL", { tree: true }).catch(() => undefined);
  }

  /** Sends a request and waits for its answer. A request that is given up is cancelled. */
  async request(method: string, params: unknown, { ms, signal }: RequestWait): Promise<unknown> {
    if (this.#ending !== undefined) throw this.#ending;
    if (signal?.aborted === true) throw aborted();
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const give = (error: ToolError): void => {
      if (!this.#pending.delete(id)) return;
      this.notify("$/cancelRequest", { id });
      reject(error);
    };
    const { clock } = this.#options.programs.host;
    const cancel = clock.timer(Math.max(0, ms), () => give(this.#late(method)));
    const onAbort = (): void => give(aborted());
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#pending.set(id, { resolve, reject, method });
    this.#send({ id, method, params });
    try {
      return await promise;
    } finally {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  notify(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Ends the server and everything that it started. */
  async close(): Promise<void> {
    if (this.#ending === undefined) {
      await this.request("shutdown", null, { ms: politeMs }).catch(() => undefined);
      this.notify("exit", null);
      this.#fail("was stopped");
    }
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const { proc, clock } = this.#options.programs.host;
    const timers = [
      clock.timer(politeMs, () => {
        proc.signal(this.id, "TERM", { tree: true }).catch(() => undefined);
      }),
      clock.timer(politeMs * 2, () => void this.#kill()),
    ];
    await this.#ended.promise;
    for (const cancel of timers) cancel();
  }

  #late(method: string): ToolError {
    return new ToolError("TIMEOUT", `${this.#options.name} did not answer ${method} in time.`, {
      hint: "Try again in a moment; a large project takes time to load.",
    });
  }

  #send(message: object): void {
    if (this.#ending !== undefined) return;
    const bytes = frameOf(message);
    this.#unreadBytes += bytes.length;
    if (this.#unreadBytes > maxUnreadBytes) {
      this.#violate("does not read what it is sent");
      return;
    }
    // The host keeps the order of writes.
    void this.#write(bytes);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#options.programs.host.proc.write(this.id, bytes);
      this.#unreadBytes -= bytes.length;
    } catch {
      // The end of the server is reported where its output ends.
    }
  }

  #violate(why: string): void {
    if (this.#violation !== undefined) return;
    this.#violation = why;
    this.#fail(why);
    void this.#kill();
  }

  #fail(why: string): void {
    const { name } = this.#options;
    this.#ending ??= new ToolError("UNAVAILABLE", `The language server ${name} ${why}.`, {
      hint: "haft doctor shows its last messages.",
    });
    for (const { reject } of this.#pending.values()) reject(this.#ending);
    this.#pending.clear();
  }

  async #follow(): Promise<{ readonly code: number | null; readonly signal: string | null }> {
    const { proc } = this.#options.programs.host;
    const decoder = new TextDecoder();
    for await (const chunk of proc.output(this.id, 0)) {
      if ("exit" in chunk) return chunk.exit;
      if (chunk.lostBefore !== undefined) this.#violate("sent more than could be read");
      if (chunk.stream === "stderr") {
        const text = decoder.decode(chunk.bytes, { stream: true });
        this.#log = (this.#log + text).slice(-maxLogChars);
      } else this.#take(chunk.bytes);
    }
    return { code: null, signal: null };
  }

  #take(bytes: Uint8Array): void {
    if (this.#violation !== undefined) return;
    this.#unansweredBytes += bytes.length;
    for (const read of this.#reader.push(bytes)) {
      if (read.kind === "violation") {
        this.#violate(read.why);
        return;
      }
      this.#unansweredMessages += 1;
      this.#handle(read.message);
    }
    if (
      this.#unansweredBytes > maxUnansweredBytes ||
      this.#unansweredMessages > maxUnansweredMessages
    ) {
      this.#violate("sent far more than it was asked for");
    }
  }

  #handle(message: Readonly<Record<string, unknown>>): void {
    const { id, method, params } = message;
    if (typeof method === "string") {
      if (id === undefined) this.#options.onNotification(method, params);
      else this.#answer(id, method, params);
      return;
    }
    const pending = typeof id === "number" ? this.#pending.get(id) : undefined;
    // An answer to a request that was given up, or that was never sent.
    if (pending === undefined || typeof id !== "number") return;
    this.#pending.delete(id);
    this.#unansweredBytes = 0;
    this.#unansweredMessages = 0;
    const { error } = message;
    if (error === undefined || error === null) pending.resolve(message["result"]);
    else pending.reject(this.#refused(pending.method, error));
  }

  #answer(id: unknown, method: string, params: unknown): void {
    const answer = this.#options.onRequest(method, params);
    if (answer === undefined) {
      this.#send({ id, error: { code: -32_601, message: `haft does not know ${method}.` } });
    } else this.#send({ id, result: answer.result });
  }

  #refused(method: string, error: unknown): ToolError {
    const { name } = this.#options;
    const text =
      isRecord(error) && typeof error["message"] === "string" ? error["message"] : "an error";
    return new ToolError(
      "TOOL_FAILED",
      `${name} answered ${method} with: ${visibleText(text).slice(0, 500)}`,
      { hint: "Check the place that the call names." },
    );
  }
}

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: ToolError) => void;
}

function aborted(): ToolError {
  return new ToolError("ABORTED", "The call was aborted.");
}
