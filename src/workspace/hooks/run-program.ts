import {
  ToolError,
  type Confinement,
  type EndedProgram,
  type HookProgramListener,
  type Host,
} from "../../core/index.ts";
import { handlerText, type CommandHandler } from "./hook.ts";

/** Starts programs of hooks the way commands of tools are started. */
export interface HookPrograms {
  readonly host: Pick<Host, "proc">;
  /** Directory in which they start. Canonical. */
  readonly cwd: string;
  readonly newId: () => string;
  /** Opens the confinement that a command of a tool would get. */
  readonly confine: (
    argv: readonly string[],
    agentId: string | undefined,
  ) => Promise<OpenedConfinement>;
  /** Absent where nothing compares the files before and after. */
  readonly onProgramStart?: HookProgramListener | undefined;
}

export interface OpenedConfinement {
  /** Undefined if commands run unconfined here. */
  readonly confinement: Confinement | undefined;
  release(ended: readonly EndedProgram[]): Promise<void>;
}

/** How a program of a hook ended, or why it could not be run to its end. */
export type ProgramResult =
  | {
      readonly kind: "exit";
      readonly code: number;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: "failure"; readonly why: string };

export interface ProgramRequest {
  readonly handler: CommandHandler;
  /** JSON of the event, given on standard input. */
  readonly input: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly agentId?: string | undefined;
}

/** Maximum bytes that a hook may print, on both streams together. */
export const maxOutputBytes = 1_048_576;

/**
 * Runs the command of a hook to its end. Never rejects: a program that cannot start, takes too long, prints too much or
 * is killed has failed. Whatever it leaves running is ended with it.
 */
export async function runProgram(
  { handler, input, env, timeoutMs, signal, agentId }: ProgramRequest,
  { host: { proc }, cwd, newId, confine, onProgramStart }: HookPrograms,
): Promise<ProgramResult> {
  const { command, args } = handler;
  const argv = args === undefined ? ["bash", "-c", command] : [command, ...args];
  const id = newId();
  let opened: OpenedConfinement | undefined;
  let result: ProgramResult;
  let stderr = "";
  let hasRun = false;
  let onProgramEnd: Awaited<ReturnType<HookProgramListener>> | undefined;
  try {
    opened = await confine(argv, agentId);
    const { confinement } = opened;
    onProgramEnd = await onProgramStart?.(handlerText(handler));
    await proc.start(
      {
        id,
        argv,
        cwd,
        env,
        stdin: "pipe",
        limits: { timeoutMs, maxOutputBytes, terminateMs: 500, killMs: 2000 },
        // Its changes are seen at once, as those of a formatter must be.
        live: true,
        ...(confinement === undefined ? {} : { confinement }),
      },
      signal === undefined ? {} : { signal },
    );
    hasRun = true;
    // Not awaited: a program that never reads its input must not wait for a reader either.
    void feed(proc, id, input);
    result = await outputOf(proc, id, timeoutMs);
    if (result.kind === "exit") ({ stderr } = result);
  } catch (error) {
    result = { kind: "failure", why: whyNotRun(error) };
  }
  // Processes that it has forked and left behind.
  await proc.signal(id, "KILL", { tree: true }).catch(() => undefined);
  await onProgramEnd?.(hasRun);
  const code = result.kind === "exit" ? result.code : null;
  await opened?.release([{ code, signal: null, stderr, cwd }]).catch(() => undefined);
  return result;
}

async function feed(proc: Host["proc"], id: string, input: string): Promise<void> {
  try {
    await proc.write(id, new TextEncoder().encode(input));
    await proc.write(id, "eof");
  } catch {
    // It has ended, or closed its input: a hook need not read what it does not use.
  }
}

async function outputOf(proc: Host["proc"], id: string, timeoutMs: number): Promise<ProgramResult> {
  const texts = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let bytes = 0;
  for await (const chunk of proc.output(id, 0)) {
    if ("exit" in chunk) {
      const { code, signal, endedBy } = chunk.exit;
      if (endedBy === "timeout") return failure(`it did not end within ${timeoutMs / 1000} s`);
      if (endedBy === "output-limit") return tooMuch();
      if (endedBy !== undefined) return failure(`it was ended (${endedBy})`);
      if (code === null) return failure(`it was killed by ${signal ?? "a signal"}`);
      return { kind: "exit", code, ...texts };
    }
    bytes += chunk.bytes.length;
    if (bytes > maxOutputBytes || chunk.lostBefore !== undefined) {
      await proc.signal(id, "KILL", { tree: true }).catch(() => undefined);
      return tooMuch();
    }
    texts[chunk.stream] += decoders[chunk.stream].decode(chunk.bytes, { stream: true });
  }
  return failure("its end was not reported");
}

function tooMuch(): ProgramResult {
  return failure(`it printed more than ${maxOutputBytes} bytes`);
}

function failure(why: string): ProgramResult {
  return { kind: "failure", why };
}

function whyNotRun(error: unknown): string {
  if (ToolError.is(error)) return `it could not start: ${error.message}`;
  return `it could not start: ${error instanceof Error ? error.message : String(error)}`;
}
