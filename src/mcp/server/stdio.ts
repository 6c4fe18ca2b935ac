import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import type { McpToolkit } from "./mcp-toolkit.ts";
import type { Channel } from "./channel.ts";
import { errorAnswer, RpcError, type Outgoing } from "./json-rpc.ts";
import { lineReader } from "./line-reader.ts";
import { createProtocol } from "./protocol.ts";
import type { ProtocolOptions } from "./server-side.ts";

export interface StdioOptions extends ProtocolOptions {
  /** Default: the process's standard input. */
  readonly input?: Readable;
  /** Carries protocol messages and nothing else. Default: the process's standard output. */
  readonly output?: Writable;
  /** Ends the service as a client that left would. */
  readonly signal?: AbortSignal;
  /** Bytes of one message; a longer one is refused and the next is read. Default 64 MiB. */
  readonly maxMessageBytes?: number;
}

const defaultMaxMessageBytes = 64 * 1024 * 1024;

/**
 * Serves a toolkit to one client over its standard streams. Resolves once the client is gone, or `signal`
 * fired, and every call it had started has ended; never rejects.
 */
export async function serveStdio(toolkit: McpToolkit, options: StdioOptions): Promise<void> {
  const { input = process.stdin, output = process.stdout, signal } = options;
  const channel = writeLines(output);
  const connection = createProtocol(toolkit, options).connect(channel);
  const read = lineReader(options.maxMessageBytes ?? defaultMaxMessageBytes, {
    onLine: (line) => {
      const message = decode(line);
      if (message instanceof RpcError) channel.send(errorAnswer(null, message));
      else if (message !== undefined) void connection.handle(message);
    },
    onTooLong: () => {
      channel.send(errorAnswer(null, new RpcError("invalidRequest", "The message is too long.")));
    },
  });
  const onData = (chunk: Buffer | string): void => {
    read(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  };
  input.on("data", onData);
  await gone({ input, output, signal });
  input.off("data", onData);
  input.pause();
  await connection.close();
  await channel.flushed();
}

/** The value of a line, what is wrong with it, or undefined for a blank one. */
function decode(line: Buffer): unknown {
  if (!isUtf8(line)) return new RpcError("parseError", "A message must be UTF-8.");
  const text = line.toString("utf8").trim();
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return new RpcError("parseError", "A message must be one line of JSON.");
  }
}

interface Ends {
  readonly input: Readable;
  readonly output: Writable;
  readonly signal: AbortSignal | undefined;
}

/** Resolves on the first sign that nobody is there any more: end of input, a broken output, the signal. */
function gone({ input, output, signal }: Ends): Promise<void> {
  return new Promise((resolve) => {
    const leave = (): void => resolve();
    // The listeners stay: a pipe may break again while the last answers are written.
    for (const event of ["end", "close", "error"]) input.on(event, leave);
    for (const event of ["close", "error"]) output.on(event, leave);
    signal?.addEventListener("abort", leave, { once: true });
    if (signal?.aborted === true || input.readableEnded || input.destroyed) leave();
  });
}

interface LineChannel extends Channel {
  isCongested(): boolean;
  /** Resolves when what was sent has left the process, or never will. */
  flushed(): Promise<void>;
}

function writeLines(output: Writable): LineChannel {
  let lastWrite: Promise<void> = Promise.resolve();
  return {
    send: (message) => {
      if (!output.writable) return;
      lastWrite = new Promise((resolve) => {
        output.write(`${encode(message)}\n`, () => resolve());
      });
    },
    isCongested: () => output.writableNeedDrain,
    flushed: () => lastWrite,
  };
}

function encode(message: Outgoing): string {
  try {
    return JSON.stringify(message);
  } catch {
    // A tool put something into its answer that JSON cannot carry.
    const id = "id" in message ? message.id : null;
    const error = new RpcError("internalError", "The answer cannot be written as JSON.");
    return JSON.stringify(errorAnswer(id, error));
  }
}
