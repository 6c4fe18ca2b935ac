import { isRecord } from "../../../text/index.ts";
import type { Channel } from "../transport/transport.ts";
import { errorAnswer, readMessage, RpcError } from "./json-rpc.ts";
import type {
  ClientAnswer,
  RequestId,
  RpcAnswer,
  RpcNotification,
  RpcRequest,
} from "./json-rpc.ts";
import { resultOf, serverInfo } from "./methods.ts";
import { RequestGate } from "./request-gate.ts";
import type { Result, ServerSide } from "./server-context.ts";
import { watchTools } from "../tools/tool-changes.ts";
import { eraOf, metaKeys, type Era } from "./versions.ts";

/** Connection of one client, until it closes. */
export interface Connection {
  /**
   * Handles one decoded message or batch and sends the responses. A transport that opens a stream for each message passes
   * its channel: the responses, and everything about these requests, go there. Never rejects.
   */
  handle(message: unknown, channel?: Channel): Promise<void>;
  /** Aborts the running requests and resolves when all of them have ended. */
  close(): Promise<void>;
}

export function openConnection(server: ServerSide): Connection {
  return new ServerConnection(server);
}

/** A request in progress. */
interface InFlight {
  readonly controller: AbortController;
  /** Whether nothing more may be sent about it: the client cancelled it, or its response is being sent. */
  isSilent: boolean;
}

class ServerConnection implements Connection {
  readonly #server: ServerSide;
  readonly #inFlight = new Map<RequestId, InFlight>();
  readonly #handling = new Set<Promise<void>>();
  readonly #gate: RequestGate;
  #stopWatching: (() => void) | undefined;
  #isClosed = false;

  constructor(server: ServerSide) {
    this.#server = server;
    this.#gate = new RequestGate(() => server.channel.room?.());
  }

  async handle(message: unknown, channel: Channel = this.#server.channel): Promise<void> {
    if (this.#isClosed) return;
    const handling = Array.isArray(message)
      ? this.#handleBatch(message, channel)
      : this.#handleMessage(message, channel);
    this.#handling.add(handling);
    try {
      await handling;
    } finally {
      this.#handling.delete(handling);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopWatching?.();
    for (const stop of this.#server.state.watched?.values() ?? []) stop();
    for (const { controller } of this.#inFlight.values()) controller.abort();
    await Promise.all(this.#handling);
  }

  async #handleMessage(message: unknown, channel: Channel): Promise<void> {
    const answer = await this.#answer(message, channel);
    if (answer !== undefined) channel.send(answer);
  }

  /** Handles a batch. Only 2025-03-26 has batches: the revision before had none, and the next removed them. */
  async #handleBatch(messages: readonly unknown[], channel: Channel): Promise<void> {
    if (this.#server.state.agreed !== "2025-03-26" || messages.length === 0) {
      const why =
        messages.length === 0
          ? "A batch must not be empty."
          : "This protocol version has no batches: send one message at a time.";
      channel.send(errorAnswer(null, new RpcError("invalidRequest", why)));
      return;
    }
    const answers = await Promise.all(messages.map((message) => this.#answer(message, channel)));
    const sent = answers.filter((answer) => answer !== undefined);
    if (sent.length > 0) channel.send(sent);
  }

  async #answer(message: unknown, channel: Channel): Promise<RpcAnswer | undefined> {
    const incoming = readMessage(message);
    switch (incoming.kind) {
      case "answer":
        this.#hear(incoming);
        return undefined;
      case "invalid":
        return errorAnswer(incoming.id, incoming.error);
      case "notification":
        this.#take(incoming);
        return undefined;
      case "request":
        return this.#answerRequest(incoming, channel);
    }
  }

  async #answerRequest(request: RpcRequest, direct: Channel): Promise<RpcAnswer | undefined> {
    const { id } = request;
    if (this.#inFlight.has(id)) {
      // Under its own id this would pass for the answer to the request that still runs.
      return errorAnswer(
        null,
        new RpcError(
          "invalidRequest",
          `The id ${String(id).slice(0, 100)} is still in use. Send the request with another id.`,
        ),
      );
    }
    const inFlight: InFlight = { controller: new AbortController(), isSilent: false };
    this.#inFlight.set(id, inFlight);
    try {
      const era = eraOf(request, this.#server.state.agreed);
      const { signal } = inFlight.controller;
      const session = this.#server.channel;
      const server = { ...this.#server, session, channel: channelOf(inFlight, direct) };
      const result = await this.#gate.run(request, signal, () =>
        resultOf({ server, request, era, signal, direct }),
      );
      return inFlight.isSilent
        ? undefined
        : { jsonrpc: "2.0", id, result: this.#seal(result, era) };
    } catch (error) {
      return inFlight.isSilent ? undefined : errorAnswer(id, asRpcError(error));
    } finally {
      inFlight.isSilent = true;
      this.#inFlight.delete(id);
    }
  }

  /** Delivers the client's answer to a question. Ignored if the question is unknown or no longer open. */
  #hear(answer: ClientAnswer): void {
    if (answer.id !== null) this.#server.state.asked?.waiting.get(answer.id)?.(answer);
  }

  #take({ method, params }: RpcNotification): void {
    if (method === "notifications/cancelled") {
      const { requestId } = params;
      if (typeof requestId !== "string" && typeof requestId !== "number") return;
      const inFlight = this.#inFlight.get(requestId);
      if (inFlight === undefined) return;
      inFlight.isSilent = true;
      inFlight.controller.abort();
    }
    const { toolkit, channel, state } = this.#server;
    if (method === "notifications/initialized" && state.agreed !== undefined) {
      this.#stopWatching ??= watchTools(toolkit, () =>
        channel.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" }),
      );
    }
  }

  /** Adds the fields that every result of the modern era carries. */
  #seal(result: Result, era: Era): Result {
    if (era.kind === "legacy") return result;
    const meta = isRecord(result["_meta"]) ? result["_meta"] : {};
    return {
      resultType: "complete",
      ...result,
      _meta: { ...meta, [metaKeys.serverInfo]: serverInfo(this.#server) },
    };
  }
}

/** Channel of a request, on which nothing is sent once it is over. */
function channelOf(inFlight: InFlight, channel: Channel): Channel {
  return {
    send: (message) => {
      if (!inFlight.isSilent) channel.send(message);
    },
    isCongested: () => channel.isCongested?.() ?? false,
  };
}

/** Converts an error for the client, which must not see the cause of an internal failure. */
function asRpcError(error: unknown): RpcError {
  return error instanceof RpcError
    ? error
    : new RpcError("internalError", "The server failed at this request.");
}
