import type { Readable, Writable } from "node:stream";
import type { McpToolkit } from "../tools/mcp-toolkit.ts";
import type { Channel } from "./transport.ts";
import { errorAnswer, readMessage, RpcError, type RequestId } from "../protocol/json-rpc.ts";
import { decodeMessage, encodeMessage } from "../protocol/message-text.ts";
import { lineReader } from "./line-reader.ts";
import { createProtocol } from "../protocol/protocol.ts";
import type { ProtocolOptions } from "../protocol/server-context.ts";

/** Options of a server over standard input and output. */
export interface StdioOptions extends ProtocolOptions {
  /** Input stream. Default: the process's standard input. */
  readonly input?: Readable;
  /** Output stream, which must carry only protocol messages. Default: the process's standard output. */
  readonly output?: Writable;
  /** Ends the service as if the client had disconnected. */
  readonly signal?: AbortSignal;
  /** Maximum bytes of one message; a longer one is refused and reading continues with the next. Default 64 MiB. */
  readonly maxMessageBytes?: number;
}

const defaultMaxMessageBytes = 64 * 1024 * 1024;
/** Bytes of unread responses above which no request is read or answered. */
const maxUnreadBytes = 4 * 1024 * 1024;
/** Maximum bytes of requests that are not answered yet; further ones are refused. */
const maxHeldBytes = 128 * 1024 * 1024;

/**
 * Serves a toolkit to one client over its standard streams. Resolves when the client has disconnected, or `signal` was
 * aborted, and every call it started has ended; never rejects.
 */
export async function serveStdio(toolkit: McpToolkit, options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal } = options;
  const channel = writeLines(output);
  const protocol = createProtocol(toolkit, options);
  const connection = protocol.connect(channel);
  let isOver = false;
  let heldBytes = 0;
  const take = async (message: unknown, bytes: number): Promise<void> => {
    const isFull = heldBytes > 0 && heldBytes + bytes > maxHeldBytes;
    const refused = isFull ? refusable(message) : undefined;
    if (refused !== undefined) {
      const why = "Too many requests are waiting: send it again later.";
      channel.send(errorAnswer(refused.id, new RpcError("serverBusy", why)));
      return;
    }
    heldBytes += bytes;
    await connection.handle(message);
    heldBytes -= bytes;
  };
  const maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  const read = lineReader(maxBytes, {
    onLine: (line) => {
      const message = decodeMessage(line);
      if (message instanceof RpcError) channel.send(errorAnswer(null, message));
      else if (message !== undefined) void take(message, line.length);
    },
    onTooLong: ({ id, isAnswer }) => {
      const why = `The message is longer than ${maxBytes} bytes: send less at once.`;
      const error = new RpcError("invalidRequest", why);
      // The question it answers fails immediately instead of waiting for another answer.
      if (isAnswer) void connection.handle(errorAnswer(id, error));
      else channel.send(errorAnswer(id, error));
    },
  });
  const resumeAfter = async (room: Promise<void>): Promise<void> => {
    await room;
    if (!isOver) input.resume();
  };
  const onData = (chunk: Buffer | string): void => {
    read(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    const room = channel.room();
    if (room === undefined || input.isPaused()) return;
    input.pause();
    void resumeAfter(room);
  };
  input.on("data", onData);
  await gone({ input, output, signal });
  isOver = true;
  input.off("data", onData);
  input.pause();
  await Promise.all([connection.close(), protocol.close()]);
  await channel.flushed();
}

/** Request or batch that can be refused; answers and notifications occupy no memory and are always accepted. */
function refusable(message: unknown): { readonly id: RequestId | null } | undefined {
  if (Array.isArray(message)) return { id: null };
  const incoming = readMessage(message);
  return incoming.kind === "request" ? { id: incoming.id } : undefined;
}

interface Ends {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal | undefined;
}

/** Resolves on the first sign that the client is gone: end of input, a broken output, the signal. */
function gone({ input, output, signal }: Ends): Promise<void> {
  return new Promise((resolve) => {
    const leave = (): void => resolve();
    // The listeners stay: a pipe may break again while the last responses are written.
    for (const event of ["end", "close", "error"]) input.on(event, leave);
    for (const event of ["close", "error"]) output.on(event, leave);
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true || input.readableEnded || input.destroyed) leave();
  });
}

interface LineChannel extends Channel {
  isCongested(): boolean;
  room(): Promise<void> | undefined;
  /** Resolves when everything sent has left the process, or never will. */
  flushed(): Promise<void>;
}

function writeLines(output: Writable): LineChannel {
  let lastWrite: Promise<void> = Promise.resolve();
  let draining: Promise<void> | undefined;
  return {
    room() {
      if (output.writableLength <= maxUnreadBytes || !output.writable) return undefined;
      draining ??= new Promise((resolve) => {
        const done = (): void => {
          for (const event of ends) output.off(event, done);
          draining = undefined;
          resolve();
        };
        for (const event of ends) output.on(event, done);
      });
      return draining;
    },
    send: (message) => {
      if (!output.writable) return;
      lastWrite = new Promise((resolve) => {
        output.write(`${encodeMessage(message)}\n`, () => resolve());
      });
    },
    isCongested: () => output.writableNeedDrain,
    async flushed() {
      if (output.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      output.once("close", resolve);
      await Promise.race([lastWrite, promise]);
      output.off("close", resolve);
    },
  };
}

/** Events that end the wait for a client to read. */
const ends = ["drain", "close", "error"] as const;
