import type {
  ArtefactRef,
  OutputReading,
  ProcessExit,
  ProcessSpec,
  ToolContext,
} from "../../core/index.ts";
import type { CapturedOutput } from "./output/capture.ts";
import type { KeptOutput } from "./output/file.ts";
import { TakenOutput, type TakingOptions } from "./output/reader.ts";

export interface CommandRequest extends TakingOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the host's environment it is given; all where undefined. */
  readonly keepEnv?: readonly string[] | undefined;
  /** Canonical. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** It works with the files while others do. */
  readonly isLive: boolean;
  /** Leave it running at its timeout, for somebody to take over. */
  readonly mayLeave: boolean;
}

interface RunBase {
  readonly output: CapturedOutput;
  readonly kept: KeptOutput;
  /** Sentences on what it printed that was not UTF-8. */
  readonly notes: readonly string[];
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
  const { argv, env, keepEnv, cwd, timeoutMs, isLive, mayLeave } = request;
  const { terminateMs, killMs } = request.limits;
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
    ...(isLive ? { live: true } : {}),
    limits: { terminateMs, killMs, ...(mayLeave ? {} : { timeoutMs }) },
  };
  const { pid } = await host.proc.start(spec, { signal });
  const taking = new TakenOutput(request, context);
  // Its own signal: what ends the process also ends its output, and its last words are still wanted.
  const leaving = new AbortController();
  const cancel = mayLeave ? host.clock.timer(timeoutMs, () => leaving.abort()) : undefined;
  let exit: ProcessExit | undefined;
  let afterSeq = 0;
  try {
    for await (const chunk of host.proc.output(id, 0, { signal: leaving.signal, reuse: true })) {
      if (chunk.lostBefore !== undefined) {
        await taking.text("stdout", `\n[… ${chunk.lostBefore} bytes of output were lost here …]\n`);
      }
      if ("exit" in chunk) exit = chunk.exit;
      else {
        // Of a flood most are only counted, and nothing is waited for.
        const taken = taking.bytes(chunk.stream, chunk.bytes);
        if (taken !== undefined) await taken;
      }
      afterSeq = chunk.seq;
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    cancel?.();
    // Where it goes on, so does what it prints: also half a character.
    if (exit === undefined && leaving.signal.aborted) await taking.leave();
    else await taking.finish();
  }
  const { output, kept } = taking;
  const base = { output, kept, notes: taking.notes, durationMs: host.clock.now() - startedAt };
  if (exit === undefined) {
    return { kind: "left", ...base, processId: id, pid, startedAt, afterSeq, reading: taking };
  }
  return { kind: "ended", ...base, exit, artefact: await kept.stream?.end() };
}
