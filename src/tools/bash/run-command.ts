import {
  OutputMarks,
  type ArtefactRef,
  type ArtefactStore,
  type Limits,
  type OutputReading,
  type ProcessExit,
  type ProcessSpec,
  type ToolContext,
} from "../../core/index.ts";
import { byteSize } from "../files/display-path.ts";
import { BinaryWatch } from "./binary-output.ts";
import { CapturedOutput, type StreamName } from "./captured-output.ts";
import { KeptOutput } from "./kept-output.ts";
import { PacedOutput } from "./paced-output.ts";

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the host's environment it is given; all where undefined. */
  readonly keepEnv?: readonly string[] | undefined;
  /** Canonical. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Leave it running at its timeout, for somebody to take over. */
  readonly mayLeave: boolean;
  readonly limits: Limits["bash"];
  /** Characters from which on the whole is kept. */
  readonly shownChars: number;
  readonly store: ArtefactStore | undefined;
}

interface RunBase {
  readonly output: CapturedOutput;
  readonly kept: KeptOutput;
  readonly durationMs: number;
}

export interface EndedRun extends RunBase {
  readonly kind: "ended";
  readonly exit: ProcessExit;
  /** Where the whole of a long output is. */
  readonly artefact: ArtefactRef | undefined;
}

/** Still running when its time had passed. */
export interface LeftRun extends RunBase {
  readonly kind: "left";
  readonly processId: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly afterSeq: number;
  /** For who takes it over. */
  readonly reading: OutputReading;
}

/** Runs a command to its end or its timeout, passing on what it prints; what is held of it is bounded. */
export async function runCommand(
  request: CommandRequest,
  context: ToolContext,
): Promise<EndedRun | LeftRun> {
  const { argv, env, keepEnv, cwd, timeoutMs, mayLeave, limits } = request;
  const { host, signal, callId } = context;
  const startedAt = host.clock.now();
  const id = `bash-${callId}`;
  const spec: ProcessSpec = {
    id,
    argv,
    env,
    ...(keepEnv === undefined ? {} : { keepEnv }),
    cwd,
    stdin: "none",
    ...(mayLeave ? {} : { limits: { timeoutMs } }),
  };
  const { pid } = await host.proc.start(spec, { signal });
  const taking = new TakenOutput(request, context, new PacedOutput(context, limits.progressMs));
  // Its own signal: what ends the process also ends its output, and its last words are still wanted.
  const leaving = new AbortController();
  const cancel = mayLeave ? host.clock.timer(timeoutMs, () => leaving.abort()) : undefined;
  let exit: ProcessExit | undefined;
  let afterSeq = 0;
  try {
    for await (const chunk of host.proc.output(id, 0, { signal: leaving.signal })) {
      if (chunk.lostBefore !== undefined) {
        await taking.text("stdout", `\n[… ${chunk.lostBefore} bytes of output were lost here …]\n`);
      }
      if ("exit" in chunk) exit = chunk.exit;
      else await taking.bytes(chunk.stream, chunk.bytes);
      afterSeq = chunk.seq;
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    cancel?.();
    // Where it goes on, so does what it prints: also half a character.
    if (exit === undefined && leaving.signal.aborted) taking.flush();
    else await taking.finish();
  }
  const { output, kept } = taking;
  const base = { output, kept, durationMs: host.clock.now() - startedAt };
  if (exit === undefined) {
    return { kind: "left", ...base, processId: id, pid, startedAt, afterSeq, reading: taking };
  }
  return { kind: "ended", ...base, exit, artefact: await kept.stream?.end() };
}

/** Where the bytes of both streams become text, and where that goes. */
class TakenOutput implements OutputReading {
  readonly output: CapturedOutput;
  readonly kept: KeptOutput;
  readonly marks = new OutputMarks();
  readonly #paced: PacedOutput;
  readonly #streams = {
    stdout: { decoder: new TextDecoder(), watch: new BinaryWatch() },
    stderr: { decoder: new TextDecoder(), watch: new BinaryWatch() },
  };

  constructor(
    { limits, store, shownChars }: CommandRequest,
    { callId }: ToolContext,
    paced: PacedOutput,
  ) {
    this.output = new CapturedOutput(limits);
    this.kept = new KeptOutput(store, callId, shownChars);
    this.#paced = paced;
  }

  /** At the end: the rest of a character that was cut, and in place of what is no text, what it was. */
  decode(name: StreamName, bytes?: Uint8Array): string {
    const { decoder, watch } = this.#streams[name];
    if (bytes !== undefined) return watch.add(bytes) ? "" : decoder.decode(bytes, { stream: true });
    return watch.format === undefined
      ? decoder.decode()
      : `[${watch.format}, ${byteSize(watch.bytes)}: not shown. Write it to a file with > to keep it.]\n`;
  }

  async bytes(name: StreamName, bytes: Uint8Array): Promise<void> {
    await this.text(name, this.decode(name, bytes));
  }

  async text(name: StreamName, text: string): Promise<void> {
    if (text === "") return;
    this.output.add(name, text);
    this.#paced.add(name, text);
    await this.kept.add(this.marks.mark(name, text));
  }

  async finish(): Promise<void> {
    for (const name of ["stdout", "stderr"] as const) await this.text(name, this.decode(name));
    this.flush();
  }

  /** Passes on what waits. */
  flush(): void {
    this.#paced.flush();
  }
}
