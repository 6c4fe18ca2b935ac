import type {
  ArtifactRef,
  OutputReading,
  ProcessExit,
  ProcessSpec,
  ToolContext,
} from "../../core/index.ts";
import type { CapturedOutput } from "./output/capture.ts";
import type { OutputFile } from "./output/output-file.ts";
import { TakenOutput, type TakingOptions } from "./output/reader.ts";

export interface CommandRequest extends TakingOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the host's environment variables passed on; undefined passes all. */
  readonly keepEnv?: readonly string[] | undefined;
  /** Canonical working directory. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Whether the command works on the real files, which other processes may use at the same time. */
  readonly isLive: boolean;
  /** Whether to leave the command running at its timeout, so that a background task can adopt it. */
  readonly mayLeave: boolean;
}

interface RunBase {
  readonly output: CapturedOutput;
  readonly kept: OutputFile;
  /** Sentences about output that was not UTF-8. */
  readonly notes: readonly string[];
  readonly durationMs: number;
}

export interface EndedRun extends RunBase {
  readonly kind: "ended";
  readonly exit: ProcessExit;
  /** Artifact with the full text of a long output. */
  readonly artifact: ArtifactRef | undefined;
}

/** Run that was still in progress at its timeout. */
export interface LeftRun extends RunBase {
  readonly kind: "left";
  readonly processId: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly afterSeq: number;
  /** Output reader for the task that adopts the run. */
  readonly reading: OutputReading;
}

/** Runs a command to its end or its timeout and forwards its output; the buffered part is bounded. */
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
  // A separate signal: the call's signal would also end the output, but the last of it is still needed.
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
        // Most of a very large output is only counted, without waiting.
        const taken = taking.bytes(chunk.stream, chunk.bytes);
        if (taken !== undefined) await taken;
      }
      afterSeq = chunk.seq;
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  } finally {
    cancel?.();
    // If the command continues, so does its output, including a partly received character.
    if (exit === undefined && leaving.signal.aborted) await taking.leave();
    else await taking.finish();
  }
  const { output, kept } = taking;
  const base = { output, kept, notes: taking.notes, durationMs: host.clock.now() - startedAt };
  if (exit === undefined) {
    return { kind: "left", ...base, processId: id, pid, startedAt, afterSeq, reading: taking };
  }
  return { kind: "ended", ...base, exit, artifact: await kept.stream?.end() };
}
