import type { HaftEvent, OnAsk, Outcome } from "../core/index.ts";
import { createProtocol, mcpOverHttp, type HttpEndpoint, type McpToolkit } from "../mcp/index.ts";
import type { SessionLog } from "../session/index.ts";
import type { Caller } from "./authenticate.ts";
import { readPosition, sendEvents } from "./event-stream.ts";
import {
  inputSchemaOf,
  mcpRoute,
  openServer,
  type Asked,
  type HttpServer,
  type HttpServerOptions,
  type Routes,
  type ServerParts,
} from "./mcp-server.ts";
import { Questions } from "./questions.ts";
import { jsonObject } from "./read-body.ts";
import { HttpProblem, sendJson } from "./reply.ts";

/** A run that a client asks for. */
export interface RunRequest {
  /** Task of the agent. */
  readonly task: string;
  /** Name of the model; the kit's own if it is absent. */
  readonly model?: string;
  /** Session of the run. */
  readonly sessionId: string;
  /** Asks the readers of the events. */
  readonly onAsk: OnAsk;
  /** Aborted when the server ends. */
  readonly signal: AbortSignal;
}

/** Part of a kit that the server uses. */
export interface HttpToolkit extends McpToolkit {
  /**
   * Returns the toolkit for programs with the token of a session, which sees no outputs of others. Without it, they call
   * this one.
   */
  forSession?(sessionId: string): McpToolkit & {
    /** Ends it when the token is void. */
    dispose?(): Promise<void>;
  };
  /** Starts a run; without it `/runs` is not offered. */
  run?(options: RunRequest): {
    readonly id: string;
    readonly sessionId: string;
    readonly result: Promise<unknown>;
  };
}

/** Options of `serveHttp`. */
export interface ServeHttpOptions extends HttpServerOptions {
  /** Log that readers of the events read. It must get the events of the kit: see `openKitEvents`. */
  readonly events: SessionLog;
  /** Time, in milliseconds, for which a question stays open after its last reader is gone. Default 30 seconds. */
  readonly answerGraceMs?: number;
}

const defaultAskTimeoutMs = 10 * 60_000;
const defaultGraceMs = 30_000;
const maxSessionTokens = 1000;

/**
 * Serves a kit over HTTP to programs of this machine: calls, events, questions and their answers, runs, and MCP. Nothing
 * is approved unless a reader of the events answers. Rejects with UNAVAILABLE if another program has the port.
 *
 * @example
 * const server = await serveHttp(kit, { name: "mine", version: "1.0.0", events });
 * console.log(server.url, server.token);
 */
export async function serveHttp(kit: HttpToolkit, options: ServeHttpOptions): Promise<HttpServer> {
  const { createHttpEndpoint } = await mcpOverHttp();
  return await openServer(
    options,
    (parts) => new KitRoutes({ kit, options, parts, createHttpEndpoint }),
  );
}

interface KitRoutesOptions {
  readonly kit: HttpToolkit;
  readonly options: ServeHttpOptions;
  readonly parts: ServerParts;
  readonly createHttpEndpoint: Awaited<ReturnType<typeof mcpOverHttp>>["createHttpEndpoint"];
}

class KitRoutes implements Routes {
  readonly routes: Routes["routes"];
  readonly #kit: HttpToolkit;
  readonly #options: ServeHttpOptions;
  readonly #parts: ServerParts;
  readonly #createEndpoint: KitRoutesOptions["createHttpEndpoint"];
  readonly #questions: Questions;
  readonly #events: SessionLog;
  readonly #endpoints = new Map<string | undefined, HttpEndpoint>();
  /** Ends the event streams of a session with a token. */
  readonly #revocations = new Map<string, AbortController>();
  readonly #listeners = new Set<() => void>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #ending = new AbortController();
  readonly #unsubscribe: () => void;

  constructor({ kit, options, parts, createHttpEndpoint }: KitRoutesOptions) {
    this.#kit = kit;
    this.#createEndpoint = createHttpEndpoint;
    this.#options = options;
    this.#parts = parts;
    this.#questions = new Questions({
      timeoutMs: options.askTimeoutMs ?? defaultAskTimeoutMs,
      graceMs: options.answerGraceMs ?? defaultGraceMs,
    });
    this.#events = options.events;
    this.#unsubscribe = kit.events.subscribe((event: HaftEvent) => {
      this.#questions.hear(event);
      for (const listener of this.#listeners) listener();
    });
    const post = ["POST"];
    this.routes = [
      mcpRoute((caller) => this.#endpointFor(caller)),
      { path: "/call", methods: post, handle: async (asked) => await this.#call(asked) },
      { path: "/events", methods: ["GET"], handle: async (asked) => await this.#stream(asked) },
      { path: "/answer", methods: post, handle: async (asked) => await this.#answer(asked) },
      {
        path: "/sessions",
        methods: ["POST", "DELETE"],
        handle: async (asked) => await this.#session(asked),
      },
      ...(kit.run === undefined
        ? []
        : [
            {
              path: "/runs",
              methods: post,
              handle: async (asked: Asked) => await this.#run(asked),
            },
          ]),
    ];
  }

  async close(): Promise<void> {
    this.#ending.abort();
    this.#questions.close();
    await Promise.all([...this.#endpoints.values()].map(async (each) => await each.close()));
    await Promise.allSettled(this.#running);
    this.#unsubscribe();
  }

  /** Endpoint of a token. A program with the token of a session cannot answer for the user: the readers are asked. */
  #endpointFor({ sessionId }: Caller): HttpEndpoint {
    const known = this.#endpoints.get(sessionId);
    if (known !== undefined) return known;
    const { room } = this.#parts;
    const kit = this.#kitOf({ sessionId });
    const asking: McpToolkit = {
      definitions: async (format, options) => await kit.definitions(format, options),
      listings: (options) => kit.listings(options),
      events: kit.events,
      newId: (prefix) => kit.newId(prefix),
      onAsk: this.#questions.onAsk,
      call: async (call, options) =>
        await kit.call(call, { ...options, onAsk: options?.onAsk ?? this.#questions.onAsk }),
    };
    const protocol = createProtocol(asking, {
      ...this.#options,
      ...(sessionId === undefined ? {} : { sessionId, approvals: "toolkit" }),
    });
    const endpoint = this.#createEndpoint(protocol, {
      room,
      inputSchema: async (tool) => await inputSchemaOf(kit, tool),
    });
    this.#endpoints.set(sessionId, endpoint);
    return endpoint;
  }

  /** The kit as a sender may use it. */
  #kitOf({ sessionId }: Caller): McpToolkit {
    return sessionId === undefined ? this.#kit : (this.#kit.forSession?.(sessionId) ?? this.#kit);
  }

  async #call({ response, caller, body }: Asked): Promise<void> {
    const { toolId, arguments: input = {}, sessionId, messageId } = jsonObject(await body());
    if (typeof toolId !== "string") throw missing("toolId", "the name of a tool");
    if (messageId !== undefined && typeof messageId !== "string") {
      throw missing("messageId", "a text, if it is sent");
    }
    const session = sessionFor(caller, sessionId);
    const kit = this.#kitOf(caller);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    const calling = kit.call(
      {
        id: kit.newId("http"),
        name: toolId,
        input,
        ...(messageId === undefined ? {} : { messageId }),
      },
      {
        signal: AbortSignal.any([gone.signal, this.#ending.signal]),
        sessionId: session,
        inOrder: true,
        onAsk: this.#questions.onAsk,
      },
    );
    sendJson(response, 200, callAnswer(await this.#track(calling)));
  }

  async #stream({ request, response, target, caller }: Asked): Promise<void> {
    const lastEventId = request.headers["last-event-id"];
    const from = readPosition(
      typeof lastEventId === "string" ? lastEventId : undefined,
      target.searchParams.get("after") ?? undefined,
    );
    const sessionId = sessionFor(caller, target.searchParams.get("session") ?? undefined);
    // A program that has only a session must not approve its own calls.
    const removeReader =
      caller.sessionId === undefined ? this.#questions.addReader() : (): void => undefined;
    response.once("close", removeReader);
    const end = (): void => void response.end();
    const revoked = this.#revocation(caller.sessionId);
    for (const signal of [this.#ending.signal, revoked])
      signal?.addEventListener("abort", end, { once: true });
    try {
      await sendEvents(
        response,
        {
          log: this.#events,
          subscribe: (listener) => {
            this.#listeners.add(listener);
            return () => this.#listeners.delete(listener);
          },
          questionId: (event) => this.#questions.idFor(event),
        },
        { from, sessionId },
      );
    } finally {
      removeReader();
      for (const signal of [this.#ending.signal, revoked])
        signal?.removeEventListener("abort", end);
    }
  }

  /** Signal that fires when the token of a session is revoked; undefined for the token of the user. */
  #revocation(sessionId: string | undefined): AbortSignal | undefined {
    if (sessionId === undefined) return undefined;
    const known = this.#revocations.get(sessionId) ?? new AbortController();
    this.#revocations.set(sessionId, known);
    return known.signal;
  }

  /** Ends the streams of readers whose token is void. */
  #endStreams(sessionId: string): void {
    this.#revocations.get(sessionId)?.abort();
    this.#revocations.delete(sessionId);
  }

  async #answer({ response, caller, body }: Asked): Promise<void> {
    refuseSession(caller, "answer questions");
    const { id, answer } = jsonObject(await body());
    if (typeof id !== "string") throw missing("id", "the id of an open question");
    this.#questions.answer(id, typeof answer === "string" ? { kind: answer } : answer);
    sendJson(response, 200, { success: true });
  }

  async #session({ request, response, target, caller, body }: Asked): Promise<void> {
    refuseSession(caller, "open sessions");
    const isEnd = request.method === "DELETE";
    const named = isEnd
      ? target.searchParams.get("session")
      : jsonObject(await body())["sessionId"];
    const sessionId = named ?? this.#kit.newId("session");
    if (typeof sessionId !== "string" || !/^[\w.:-]{1,200}$/u.test(sessionId)) {
      throw missing("sessionId", "a name of letters, digits, dots, colons and hyphens");
    }
    const { tokens } = this.#parts;
    if (isEnd) {
      const isOpen = tokens.revoke(sessionId);
      this.#endStreams(sessionId);
      await this.#endpoints.get(sessionId)?.close();
      this.#endpoints.delete(sessionId);
      if (isOpen) await this.#kit.forSession?.(sessionId).dispose?.();
      sendJson(response, 200, { success: isOpen });
      return;
    }
    if (!tokens.has(sessionId) && tokens.size >= maxSessionTokens) {
      throw new HttpProblem(409, "LIMIT_REACHED", {
        message: `There are ${maxSessionTokens} sessions with a token.`,
        hint: "End some with DELETE /sessions.",
      });
    }
    const token = tokens.issue(sessionId);
    this.#endStreams(sessionId);
    const url = `http://${String(request.headers.host)}/mcp`;
    sendJson(response, 200, {
      sessionId,
      token,
      mcpServers: { haft: { type: "http", url, headers: { Authorization: `Bearer ${token}` } } },
    });
  }

  async #run({ response, caller, body }: Asked): Promise<void> {
    refuseSession(caller, "start runs");
    const { task, model, sessionId = this.#kit.newId("session") } = jsonObject(await body());
    if (typeof task !== "string" || task.trim() === "") throw missing("task", "a text");
    if (model !== undefined && typeof model !== "string") {
      throw missing("model", 'a name as in "provider:model"');
    }
    if (typeof sessionId !== "string") throw missing("sessionId", "a text, if it is sent");
    const run = startRun(this.#kit, {
      task,
      sessionId,
      onAsk: this.#questions.onAsk,
      signal: this.#ending.signal,
      ...(model === undefined ? {} : { model }),
    });
    if (run === undefined) return;
    void this.#track(run.result).catch(() => undefined);
    sendJson(response, 202, { runId: run.id, sessionId: run.sessionId });
  }

  /** Work that the end of the server waits for. */
  async #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    try {
      return await work;
    } finally {
      this.#running.delete(work);
    }
  }
}

/** Starts a run. What the kit refuses at once is a mistake of the request. */
function startRun(
  kit: HttpToolkit,
  options: RunRequest,
): ReturnType<NonNullable<HttpToolkit["run"]>> | undefined {
  try {
    return kit.run?.(options);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new HttpProblem(400, "INVALID_INPUT", {
      message: cause.message,
      hint: "Correct the request, or name a model with --model.",
    });
  }
}

/** Answer to a call: the result as a model and a program see it, or the error. */
function callAnswer(outcome: Outcome): object {
  const { id, tool, status, content, text, title, summary, error } = outcome;
  const { structuredContent, metadata, decision, artifact, undo, trust } = outcome;
  const result = {
    callId: id,
    tool,
    status,
    title,
    summary,
    text,
    content,
    structuredContent,
    metadata,
    decision,
    artifact,
    undo,
    trust,
  };
  return outcome.isError
    ? { success: false, result, error: error ?? { code: "TOOL_FAILED", message: text } }
    : { success: true, result };
}

/** Session of a request: that of the token, or the one it names. */
function sessionFor(caller: Caller, named: unknown): string | undefined {
  if (named !== undefined && typeof named !== "string") {
    throw missing("sessionId", "a text, if it is sent");
  }
  if (caller.sessionId === undefined) return named;
  if (named === undefined || named === caller.sessionId) return caller.sessionId;
  throw new HttpProblem(403, "PERMISSION_DENIED", {
    message: "The token is for another session.",
    hint: "Leave the session out, or use the token of the user.",
  });
}

function refuseSession({ sessionId }: Caller, what: string): void {
  if (sessionId === undefined) return;
  throw new HttpProblem(403, "PERMISSION_DENIED", {
    message: `The token of a session cannot ${what}.`,
    hint: "Use the token that was printed at the start.",
  });
}

function missing(field: string, what: string): HttpProblem {
  return new HttpProblem(400, "INVALID_INPUT", {
    message: `${field} must be ${what}.`,
    hint: "docs/http.md shows the requests.",
  });
}
