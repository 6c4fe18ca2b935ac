import { ToolError, type HostClock } from "../../../core/index.ts";
import { messageOf } from "../../../text/index.ts";
import { readPrompts, type PromptDefinition } from "../definitions/prompt-definition.ts";
import type {
  DefinitionChange,
  DefinitionStore,
  StoredDefinitions,
} from "../definitions/stored-definitions.ts";
import {
  describeChange,
  readDefinitions,
  type ToolDefinition,
  type ToolDefinitions,
} from "../definitions/tool-definition.ts";
import { LoginRequired, type ServerLogin } from "../auth/server-login.ts";
import { answerForm, refusedForm, type AskUser, type FormAnswer } from "../tools/answer-form.ts";
import {
  answerSampling,
  type AskModel,
  type SamplingAnswer,
  type SamplingCaller,
} from "./answer-sampling.ts";
import type { OpenTransport } from "../transports/open-transport.ts";
import { connect, type Connection } from "./connection.ts";
import type { FollowRequest } from "./follow-request.ts";
import { ServerLog } from "./server-log.ts";
import type { ServerConfig } from "./server-config.ts";

/** A call that uses a server: its user, and the run that pays for questions of the server. */
export interface ServerUser extends SamplingCaller {
  readonly ask: AskUser;
}

export interface ManagedServerParts {
  /** Asks the model for the server. */
  readonly askModel: AskModel;
  /** Whether the server may ask the model, as far as that is known before it does. */
  readonly mayAskModel: () => boolean;
  /** Undefined for a server to which the user cannot log in. */
  readonly login: ServerLogin | undefined;
  readonly clock: HostClock;
  readonly store: DefinitionStore;
  readonly openTransport: (
    config: ServerConfig,
    onLog: (text: string) => void,
  ) => Promise<OpenTransport>;
  /** Follows the requests to this server. */
  readonly follow: FollowRequest;
  /** Milliseconds after the last use until the server is ended. */
  readonly idleMs: number;
  /** Directories that servers may work on, as addresses. */
  readonly roots: readonly string[];
}

/** State of a server. */
export type ServerStatus = "stopped" | "starting" | "running" | "needs_auth" | "failed";

/** The latest failure to start, and the time until which it is not tried again. */
interface Failure {
  readonly error: ToolError;
  readonly count: number;
  readonly until: number;
}

/** Time after which remembered tools are checked in the background. */
const staleMs = 24 * 60 * 60 * 1000;
/** Wait after a first failure; it doubles with each further one. */
const firstWaitMs = 1000;
const maxWaitMs = 60_000;
/** Wait after the server said that its tools changed, so that many notices are one question. */
const relistMs = 250;

/** One server: started on first use, ended when idle, and started again when it is needed again. */
export class ManagedServer {
  readonly config: ServerConfig;
  readonly log = new ServerLog();
  readonly #parts: ManagedServerParts;
  #stored: StoredDefinitions | undefined;
  #connection: Connection | undefined;
  #connecting: Promise<Connection> | undefined;
  #attempt: AbortController | undefined;
  #failure: Failure | undefined;
  /** Calls in progress, the latest last. */
  readonly #users: ServerUser[] = [];
  /** Called when the tools on offer have changed. */
  readonly #listeners = new Set<() => void>();
  #openForms = 0;
  #formEndedAt = Number.NEGATIVE_INFINITY;
  #uses = 0;
  #cancelIdle: () => void = () => undefined;
  #cancelRelist: () => void = () => undefined;
  #isDisposed = false;

  constructor(config: ServerConfig, parts: ManagedServerParts) {
    this.config = config;
    this.#parts = parts;
  }

  get status(): ServerStatus {
    if (this.loginRequired !== undefined) return "needs_auth";
    if (this.#connection !== undefined) return "running";
    if (this.#connecting !== undefined) return "starting";
    return this.#failure === undefined ? "stopped" : "failed";
  }

  /** Why it could not be started; undefined if it could. */
  get failure(): ToolError | undefined {
    return this.loginRequired ?? this.#failure?.error;
  }

  /** Why the user must log in; undefined while nothing says so. */
  get loginRequired(): LoginRequired | undefined {
    return this.#parts.login?.required;
  }

  /** Undefined until the server has listed its tools once. */
  get definitions(): ToolDefinitions | undefined {
    return this.#stored;
  }

  get hasResources(): boolean {
    return this.#stored?.hasResources === true;
  }

  get hasSkills(): boolean {
    return this.#stored?.hasSkills === true;
  }

  /** Undefined until the server was asked for them once. */
  get prompts(): readonly PromptDefinition[] | undefined {
    return this.#stored?.prompts;
  }

  /** Calls the listener when the tools on offer have changed; the returned function ends that. */
  onTools(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => void this.#listeners.delete(own);
  }

  /** Reads what is remembered of the server; starts nothing. */
  async recall(): Promise<void> {
    this.#stored ??= await this.#parts.store.read(this.config.hash);
    await this.#parts.login?.recall();
  }

  /** Whether the server must be started to learn its tools. */
  get needsListing(): boolean {
    return this.#stored === undefined || this.#parts.clock.now() - this.#stored.at > staleMs;
  }

  /** How a tool differs from the definition that was accepted; undefined if it does not. */
  changeOf({ name, hash }: ToolDefinition): string | undefined {
    const accepted = acceptedOf(this.#stored, name);
    const now = this.#stored?.tools.find((each) => each.name === name);
    if (accepted === undefined || now === undefined || accepted.hash === hash) return undefined;
    return describeChange(accepted, now);
  }

  /** The present definition of a tool; undefined if the server has it no longer. */
  current(name: string): ToolDefinition | undefined {
    return this.#stored?.tools.find((each) => each.name === name);
  }

  /** Records that the user approved a call of the tool as it is defined now. */
  async accept(definition: ToolDefinition): Promise<void> {
    const stored = this.#stored;
    if (stored === undefined || acceptedOf(stored, definition.name)?.hash === definition.hash)
      return;
    await this.#keep((latest) => ({
      ...stored,
      accepted: { ...stored.accepted, ...latest?.accepted, [definition.name]: definition },
    }));
  }

  /** Starts the server, if it does not run, and asks for its tools. */
  async ready(): Promise<Connection> {
    if (this.#isDisposed) throw unavailable(`${this.config.name} is closed.`);
    if (this.#failure !== undefined) await this.#refuseEarly(this.#failure);
    const connection = this.#connection;
    if (connection?.isEnding() === false) return connection;
    // Its end is known before its transport is closed; nothing was sent to it yet.
    if (connection !== undefined) this.#connection = undefined;
    void connection?.close().catch(() => undefined);
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return await this.#connecting;
  }

  /** Throws the latest failure while it is too early to try again. A login in another process ends the wait. */
  async #refuseEarly({ error, until }: Failure): Promise<void> {
    if (error instanceof LoginRequired) {
      if ((await this.#parts.login?.mayWork()) !== true) throw error;
    } else if (this.#parts.clock.now() < until) throw error;
  }

  /** Uses the connection. While it is used, the server is not ended, and its forms are shown to this user. */
  async use<T>(work: (connection: Connection) => Promise<T>, user?: ServerUser): Promise<T> {
    this.#uses += 1;
    this.#cancelIdle();
    if (user !== undefined) this.#users.push(user);
    try {
      return await work(await this.ready());
    } finally {
      this.#uses -= 1;
      if (user !== undefined) this.#users.splice(this.#users.indexOf(user), 1);
      this.#rest();
    }
  }

  /** Starts it now, whatever failed before. */
  async retry(): Promise<void> {
    this.#failure = undefined;
    await this.#parts.login?.retry();
  }

  /** Ends the connection, because the user it works for has changed. */
  async forgetConnection(): Promise<void> {
    await this.stop();
    await this.retry();
  }

  /** Ends the server. It starts again with the next use. */
  async stop(): Promise<void> {
    this.#cancelIdle();
    this.#cancelRelist();
    this.#attempt?.abort();
    const connection = this.#connection ?? (await this.#connecting?.catch(() => undefined));
    this.#connection = undefined;
    await connection?.close();
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.stop();
  }

  async #connect(): Promise<Connection> {
    const { config, log } = this;
    const { openTransport, clock } = this.#parts;
    const attempt = new AbortController();
    this.#attempt = attempt;
    try {
      await this.recall();
      await config.verify?.();
      let isClosed = false;
      const beginAttempt = log.beginAttempts();
      const connection = await connect({
        name: config.name,
        startTimeoutMs: config.startTimeoutMs,
        signal: attempt.signal,
        openTransport: async () => {
          beginAttempt();
          return await openTransport(config, (text) => log.add(text));
        },
        remembered: this.#stored?.era,
        onClosed: (why) => {
          isClosed = true;
          log.ended(why);
          if (this.#connection === connection) this.#connection = undefined;
        },
        onListChanged: () => this.#relistSoon(),
        onLog: (text) => log.add(text),
        onForm: async (params) => await this.#answerForm(params),
        onSampling: async (params) => await this.#answerSampling(params),
        offersSampling: this.#parts.mayAskModel(),
        wasAsking: (ms) => this.#openForms > 0 || clock.now() - this.#formEndedAt < ms,
        roots: this.#parts.roots,
        follow: this.#parts.follow,
      });
      const close = (): void => void connection.close().catch(() => undefined);
      attempt.signal.addEventListener("abort", close, { once: true });
      await this.#list(connection).catch(async (error: unknown) => {
        await connection.close();
        throw error;
      });
      if (isClosed) throw unavailable(`The MCP server ${config.name} ${log.ending ?? "ended"}.`);
      await this.#parts.login?.connected();
      this.#connection = connection;
      this.#failure = undefined;
      this.#rest();
      return connection;
    } catch (cause) {
      if (attempt.signal.aborted) throw unavailable(`The MCP server ${config.name} was stopped.`);
      const error =
        this.loginRequired ??
        (ToolError.is(cause)
          ? cause
          : unavailable(`The MCP server ${config.name} could not be used: ${messageOf(cause)}`));
      const count = (this.#failure?.count ?? 0) + 1;
      const wait = Math.min(firstWaitMs * 2 ** (count - 1), maxWaitMs);
      this.#failure = { error, count, until: clock.now() + wait };
      throw error;
    }
  }

  /** Shows a form to the user of the latest call: a server does not say which call it belongs to. */
  async #answerForm(params: unknown): Promise<FormAnswer> {
    this.#openForms += 1;
    try {
      const answer = await answerForm(this.config.name, params, this.#users.at(-1)?.ask);
      const why = refusedForm(params);
      this.log.add(`form: ${answer.action}${why === undefined ? "" : ` (${why})`}\n`);
      return answer;
    } finally {
      this.#openForms -= 1;
      this.#formEndedAt = this.#parts.clock.now();
    }
  }

  /** The time of the call does not run while the model answers. */
  async #answerSampling(params: unknown): Promise<SamplingAnswer> {
    this.#openForms += 1;
    try {
      const answer = await answerSampling(params, this.#users, this.#parts.askModel);
      this.log.add("sampling: answered\n");
      return answer;
    } catch (error) {
      this.log.add(`sampling: ${messageOf(error)}\n`);
      throw error;
    } finally {
      this.#openForms -= 1;
      this.#formEndedAt = this.#parts.clock.now();
    }
  }

  async #list(connection: Connection): Promise<void> {
    const read = await readDefinitions(this.config.id, await connection.listTools());
    const before = this.#stored;
    // The first definition belongs to what the user configured; a later change is asked about.
    const acceptedWith = (latest: StoredDefinitions | undefined): StoredDefinitions["accepted"] =>
      Object.fromEntries([
        ...read.tools.map((tool) => [tool.name, tool] as const),
        ...Object.entries(before?.accepted ?? {}),
        // Another process may have seen the first definition before this one, or asked about a change.
        ...Object.entries(latest?.accepted ?? {}),
      ]);
    const { era, hasSkills } = connection;
    const hasResources = connection.has("resources");
    const prompts = await this.#listPrompts(connection);
    const at = this.#parts.clock.now();
    const listed = { ...read, era, hasResources, hasSkills, prompts, at };
    await this.#keep((latest) => ({ ...listed, accepted: acceptedWith(latest) }));
  }

  /** A list that fails costs the commands of the server, and no tool. */
  async #listPrompts(connection: Connection): Promise<readonly PromptDefinition[]> {
    if (!connection.has("prompts")) return [];
    try {
      return readPrompts(this.config.id, await connection.list("prompts/list", "prompts"));
    } catch (error) {
      this.log.add(`prompts: ${messageOf(error)}\n`);
      return [];
    }
  }

  async #keep(change: DefinitionChange): Promise<void> {
    this.#stored = await this.#parts.store.update(this.config.hash, change);
    for (const listener of this.#listeners) listener();
  }

  #relistSoon(): void {
    this.#cancelRelist();
    const relist = async (): Promise<void> => {
      const connection = this.#connection;
      if (connection !== undefined) await this.#list(connection);
    };
    this.#cancelRelist = this.#parts.clock.timer(
      relistMs,
      () => void relist().catch((error: unknown) => this.log.add(`${messageOf(error)}\n`)),
      { keepsAlive: false },
    );
  }

  #rest(): void {
    this.#cancelIdle();
    if (this.#uses > 0 || this.#connection === undefined) return;
    this.#cancelIdle = this.#parts.clock.timer(
      this.#parts.idleMs,
      () => void (this.#uses === 0 && this.stop()),
      { keepsAlive: false },
    );
  }
}

/** The accepted definition of a tool, whose name may be one that every object inherits. */
function acceptedOf(
  stored: StoredDefinitions | undefined,
  name: string,
): ToolDefinition | undefined {
  return stored !== undefined && Object.hasOwn(stored.accepted, name)
    ? stored.accepted[name]
    : undefined;
}

function unavailable(message: string): ToolError {
  return new ToolError("UNAVAILABLE", message, { hint: "haft mcp doctor shows why." });
}
