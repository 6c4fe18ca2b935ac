import type { ProcessExit, ToolContext } from "../../core/index.ts";
import { HeadAndTail } from "./head-and-tail.ts";

/** Characters kept of each stream; the pipeline keeps the whole. */
const maxStdout = 200_000;
const maxStderr = 56_000;

export interface CommandRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Characters printed in all. */
  readonly printed: number;
  readonly exit: ProcessExit;
  readonly durationMs: number;
}

export interface CommandRequest {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Names of the host's environment it is given; all where undefined. */
  readonly keepEnv?: readonly string[] | undefined;
  /** Canonical. */
  readonly cwd: string;
  readonly timeoutMs: number;
}

/** Runs a command to its end, passing on what it prints; what is held of it is bounded. */
export async function runCommand(
  { argv, env, keepEnv, cwd, timeoutMs }: CommandRequest,
  { host, signal, callId, output }: ToolContext,
): Promise<CommandRun> {
  const startedAt = host.clock.now();
  const id = `bash-${callId}`;
  const streams = {
    stdout: { kept: new HeadAndTail(maxStdout), decoder: new TextDecoder() },
    stderr: { kept: new HeadAndTail(maxStderr), decoder: new TextDecoder() },
  };
  const take = (name: "stdout" | "stderr", text: string): void => {
    if (text === "") return;
    streams[name].kept.add(text);
    output.write(text, name);
  };
  const kept = keepEnv === undefined ? {} : { keepEnv };
  await host.proc.start(
    { id, argv, env, ...kept, cwd, stdin: "none", limits: { timeoutMs } },
    { signal },
  );
  let exit: ProcessExit = { code: null, signal: null, leftRunning: [] };
  // The signal ends the process; its last words and its exit are still wanted.
  for await (const chunk of host.proc.output(id, 0)) {
    if (chunk.lostBefore !== undefined) {
      take("stdout", `\n[… ${chunk.lostBefore} bytes of output were lost here …]\n`);
    }
    if ("exit" in chunk) exit = chunk.exit;
    else take(chunk.stream, streams[chunk.stream].decoder.decode(chunk.bytes, { stream: true }));
  }
  take("stdout", streams.stdout.decoder.decode());
  take("stderr", streams.stderr.decoder.decode());
  return {
    stdout: streams.stdout.kept.text(),
    stderr: streams.stderr.kept.text(),
    printed: streams.stdout.kept.total + streams.stderr.kept.total,
    exit,
    durationMs: host.clock.now() - startedAt,
  };
}
