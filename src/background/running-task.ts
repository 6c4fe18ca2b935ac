import { ByteRing, OutputMarks } from "../text/index.ts";
import {
  ToolError,
  type ArtifactStream,
  type Host,
  type AdoptedProcess,
  type Limits,
  type OutputReading,
  type ProcessExit,
} from "../core/index.ts";

/** Maximum bytes of a task's output held in memory; the full output is in its file. */
const heldBytes = 262_144;
/** Maximum bytes decoded at once: small strings are freed before they cost anything. */
const sliceBytes = 8192;
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const encodedBytes = 3 * sliceBytes;
let encoded: Uint8Array | undefined;
const encoder = new TextEncoder();

export type EndReason = "stop" | "session-end" | "timeout";

/** End of a process: its exit, or undefined if it could no longer be observed. */
export interface TaskEnd {
  readonly exit: ProcessExit | undefined;
  readonly endedBy: EndReason | "output-limit" | undefined;
}

/** Transforms a text that arrives in chunks; a part that may belong to something longer waits for the next chunk. */
export interface OutputFilter {
  push(text: string): string;
  end(): string;
}

/** Time that ending a task may take. */
export type StopPatience = Pick<Limits["bash"], "terminateMs" | "killMs">;

export interface LiveTaskOptions {
  readonly stream: ArtifactStream;
  readonly patience: StopPatience;
  /**
   * Removes secrets from the output in memory before it is cut anywhere: neither half of a secret split between two
   * reads would be recognized.
   */
  readonly filter: OutputFilter | undefined;
}

/** A process taken over from a call, followed until its end. */
export class LiveTask {
  readonly output: ByteRing;
  /** Resolves when the process has ended and its output is stored. */
  readonly ended: Promise<TaskEnd>;
  readonly #host: Host;
  readonly #processId: string;
  readonly #stream: ArtifactStream;
  readonly #patience: StopPatience;
  readonly #filter: OutputFilter | undefined;
  readonly #reading: OutputReading;
  #reason: EndReason | undefined;
  #lastOutputAt: number;
  #isOver = false;

  constructor(host: Host, left: AdoptedProcess, { stream, patience, filter }: LiveTaskOptions) {
    this.#host = host;
    this.#processId = left.processId;
    this.#stream = stream;
    this.#patience = patience;
    this.#filter = filter;
    this.#lastOutputAt = host.clock.now();
    const { taken } = left;
    this.#reading = taken?.reading ?? fromTheStart();
    const soFar = encoder.encode(taken?.text ?? "");
    this.output = new ByteRing(heldBytes, (taken?.bytes ?? 0) - soFar.length);
    this.#hold(taken?.text ?? "");
    const isKept = taken?.stream !== undefined || taken === undefined;
    this.ended = this.#follow(taken?.afterSeq ?? 0, isKept ? "" : taken.text);
    if (left.maxMs !== undefined) this.#stopAfter(left.maxMs);
  }

  get outputFile(): string {
    return this.#stream.path;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Milliseconds since the last output or input. */
  get silentMs(): number {
    return this.#host.clock.now() - this.#lastOutputAt;
  }

  async write(bytes: Uint8Array | "eof"): Promise<void> {
    await this.#host.proc.write(this.#processId, bytes);
    this.#lastOutputAt = this.#host.clock.now();
  }

  /** Sends TERM to the process tree, then KILL. Resolves when it has ended or nothing more can be done. */
  async stop(reason: EndReason): Promise<void> {
    this.#reason ??= reason;
    await this.#signal("TERM");
    await this.#endedWithin(this.#patience.terminateMs);
    // Sent even if the process has ended: a descendant may have caught TERM.
    await this.#signal("KILL");
    await this.#endedWithin(this.#patience.killMs);
  }

  #stopAfter(ms: number): void {
    const stop = (): void => void this.stop("timeout").catch(() => undefined);
    const cancel = this.#host.clock.timer(ms, stop, { keepsAlive: false });
    const forget = (): void => cancel();
    this.ended.then(forget, forget);
  }

  async #signal(name: "TERM" | "KILL"): Promise<void> {
    try {
      await this.#host.proc.signal(this.#processId, name, { tree: true });
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }

  async #endedWithin(ms: number): Promise<void> {
    if (this.#isOver) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#host.clock.timer(ms, resolve);
    await Promise.race([this.ended, promise]);
    cancel();
  }

  async #follow(afterSeq: number, before: string): Promise<TaskEnd> {
    let exit: ProcessExit | undefined;
    try {
      if (before !== "") await this.#stream.write(before);
      for await (const chunk of this.#host.proc.output(this.#processId, afterSeq, {
        reuse: true,
      })) {
        if (chunk.lostBefore !== undefined) {
          await this.#take(
            "stdout",
            `\n[… ${chunk.lostBefore} bytes of output were lost here …]\n`,
          );
        }
        if ("exit" in chunk) exit = chunk.exit;
        else await this.#takeBytes(chunk.stream, chunk.bytes);
      }
      await this.#take("stdout", this.#reading.decode("stdout"));
      await this.#take("stderr", this.#reading.decode("stderr"));
    } catch (error) {
      // If the host is gone, it has ended the process; how is unknown.
      if (!ToolError.is(error)) throw error;
    }
    this.#add(this.#filter?.end() ?? "");
    await this.#stream.end();
    this.#isOver = true;
    const by = exit?.endedBy;
    const isOwnLimit = by === "output-limit" || by === "timeout";
    return { exit, endedBy: this.#reason ?? (isOwnLimit ? by : undefined) };
  }

  async #takeBytes(stream: "stdout" | "stderr", bytes: Uint8Array): Promise<void> {
    const taken: Promise<void>[] = [];
    for (let from = 0; from < bytes.length; from += sliceBytes) {
      const slice = bytes.subarray(from, from + sliceBytes);
      taken.push(this.#take(stream, this.#reading.decode(stream, slice)));
    }
    await Promise.all(taken);
  }

  async #take(stream: "stdout" | "stderr", text: string): Promise<void> {
    const marked = this.#reading.marks.mark(stream, text);
    if (marked === "") return;
    this.#lastOutputAt = this.#host.clock.now();
    this.#hold(marked);
    // The file has a filter of its own.
    if (this.#stream.leaveOut?.(marked.length) !== true) await this.#stream.write(marked);
  }

  #hold(text: string): void {
    this.#add(this.#filter === undefined ? text : this.#filter.push(text));
  }

  #add(text: string): void {
    encoded ??= new Uint8Array(encodedBytes);
    for (let rest = text; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, encoded);
      this.output.add(encoded.subarray(0, written));
      rest = rest.slice(read);
    }
  }
}

function fromTheStart(): OutputReading {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  return {
    marks: new OutputMarks(),
    decode: (stream, bytes) => decoders[stream].decode(bytes, { stream: bytes !== undefined }),
  };
}
