import type {
  JSONRPCMessage,
  JSONRPCResultResponse,
  Transport,
} from "@modelcontextprotocol/client";
import { ToolError, type Confinement, type EndedProgram, type Host } from "../../../core/index.ts";
import { isRecord, messageOf } from "../../../text/index.ts";
import type { ServerAddress } from "../servers/server-config.ts";
import { MessageReader } from "./json-lines.ts";

/** Starts the programs of servers the way commands of tools are started. */
export interface ServerPrograms {
  readonly host: Pick<Host, "proc" | "clock">;
  readonly newId: () => string;
  /** Opens the confinement that a command of a tool would get. */
  readonly confine: (argv: readonly string[]) => Promise<{
    /** Undefined if commands run unconfined here. */
    readonly confinement: Confinement | undefined;
    close(ended: readonly EndedProgram[]): Promise<unknown>;
  }>;
}

export interface StdioOptions {
  readonly programs: ServerPrograms;
  readonly address: Extract<ServerAddress, { readonly kind: "stdio" }>;
  /** Called with lines of standard error, and with output that is not a message. */
  readonly onLog: (text: string) => void;
  /** Checks a message; throws if it is not one. */
  readonly parse: (message: unknown) => JSONRPCMessage;
}

/** A transport over the standard streams of a program, and the reason for which it ended. */
export interface StdioTransport extends Transport {
  /** How the connection ended, in words; undefined while it is open. */
  readonly ending: () => string | undefined;
}

/** Environment variable by which a haft that is started as a server knows that it must start none of its own. */
export const nestedVariable = "HAFT_MCP_SERVER";

/** Milliseconds that a server has to end by itself once its input is closed. */
const politeMs = 500;

/** Starts a server and exchanges messages with it, one a line. All its processes end with the transport. */
export function stdioTransport({ programs, address, onLog, parse }: StdioOptions): StdioTransport {
  const { host, newId, confine } = programs;
  const id = newId();
  const reader = new MessageReader();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let ending: string | undefined;
  let isStarted = false;
  let isClosing = false;
  const transport: StdioTransport = {
    ending: () => ending,
    async start() {
      const argv = [address.command, ...address.args];
      const opened = await confine(argv);
      const { confinement } = opened;
      if (isClosing) {
        await opened.close([]).catch(() => undefined);
        throw closed("was closed");
      }
      await host.proc.start({
        id,
        argv,
        cwd: address.cwd,
        env: { ...address.env, [nestedVariable]: "1" },
        stdin: "pipe",
        limits: { terminateMs: 1000, killMs: 2000 },
        live: true,
        ...(confinement === undefined ? {} : { confinement }),
      });
      isStarted = true;
      const watch = async (): Promise<void> => {
        const program = await follow();
        await host.proc.signal(id, "KILL", { tree: true }).catch(() => undefined);
        await opened.close([program]).catch(() => undefined);
        end();
        transport.onclose?.();
      };
      void watch();
      if (isClosing) await stopAfter(0);
    },
    async send(message: JSONRPCMessage) {
      if (isClosing || ending !== undefined) throw closed(ending ?? "was closed");
      // From the pool of buffers: an encoder allocates memory outside the heap for each message.
      const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
      await host.proc.write(id, bytes).catch((error: unknown) => {
        throw closed(ending ?? `does not read its input (${messageOf(error)})`);
      });
    },
    async close() {
      isClosing = true;
      if (!isStarted) {
        transport.onclose?.();
        return;
      }
      await host.proc.write(id, "eof").catch(() => undefined);
      await stopAfter(politeMs);
      await ended;
    },
  };

  /** Ends the program and everything that it started, unless it ends by itself in time. */
  async function stopAfter(ms: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const cancel = host.clock.timer(ms, () => resolve("late"));
    const first = await Promise.race([late, ended.then(() => "ended" as const)]);
    cancel();
    if (first === "ended") return;
    await host.proc.signal(id, "TERM", { tree: true }).catch(() => undefined);
    const cancelKill = host.clock.timer(politeMs, () => {
      host.proc.signal(id, "KILL", { tree: true }).catch(() => undefined);
    });
    await ended;
    cancelKill();
  }

  async function follow(): Promise<EndedProgram> {
    const decoder = new TextDecoder();
    let stderr = "";
    try {
      for await (const chunk of host.proc.output(id, 0, { reuse: true })) {
        if ("exit" in chunk) {
          const { code, signal } = chunk.exit;
          const how =
            code === null ? `was killed by ${signal ?? "a signal"}` : `ended with code ${code}`;
          if (!isClosing) ending ??= how;
          return { code, signal, stderr, cwd: address.cwd };
        }
        if (chunk.stream === "stderr") {
          const text = decoder.decode(chunk.bytes, { stream: true });
          stderr = (stderr + text).slice(-maxStderrChars);
          onLog(text);
        } else deliver(chunk.bytes);
      }
    } catch (error) {
      ending ??= `cannot be read (${messageOf(error)})`;
    }
    return { code: null, signal: null, stderr, cwd: address.cwd };
  }

  function deliver(bytes: Uint8Array): void {
    if (isClosing || ending !== undefined) return;
    for (const read of reader.read(bytes)) {
      switch (read.kind) {
        case "message":
          accept(read.message);
          break;
        case "noise":
          onLog(`${read.text}\n`);
          break;
        case "violation":
          ending = read.why;
          void stopAfter(0);
          return;
      }
    }
  }

  function accept(given: Readonly<Record<string, unknown>>): void {
    if (isPlainAnswer(given)) {
      transport.onmessage?.(given);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parse(given);
    } catch (error) {
      onLog(`${messageOf(error).slice(0, maxFaultChars)}\n`);
      const request = given["id"];
      if ("method" in given || typeof request !== "number") return;
      // The call must not wait for an answer that has come and is not valid.
      const fault = { code: -32_603, message: "an answer that is not valid" };
      message = { jsonrpc: "2.0", id: request, error: fault };
    }
    transport.onmessage?.(message);
  }
  return transport;
}

/** Whether a message is an answer whose every member is as the protocol says: most are, and need no further check. */
function isPlainAnswer(
  message: Readonly<Record<string, unknown>>,
): message is Readonly<Record<string, unknown>> & JSONRPCResultResponse {
  const { jsonrpc, id, result } = message;
  return (
    jsonrpc === "2.0" &&
    (typeof id === "string" || Number.isSafeInteger(id)) &&
    isRecord(result) &&
    result["_meta"] === undefined &&
    Object.keys(message).length === 3
  );
}

/** Characters of a fault in a message that are logged. */
const maxFaultChars = 300;

/** Characters of standard error that explain how a program ended. */
const maxStderrChars = 16_384;

function closed(why: string): ToolError {
  return new ToolError("UNAVAILABLE", `The server ${why}.`, { hint: "Try again later." });
}
