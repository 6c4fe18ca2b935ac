import {
  type CreatedDefinition,
  type Effect,
  type ProcessExit,
  type ToolContext,
  ToolError,
} from "../core/index.ts";
import { defaultTimeoutMs } from "./definition.ts";
import { effectsOfCall } from "./declared-effects.ts";
import { keptVariables, programOf } from "./program.ts";
import { isAbsolutePath, isWithin, joinPath } from "../text/index.ts";

/** Refusals of the sandbox and of Node, as programs print them. */
const refused =
  /\b(?:EACCES|EPERM|EROFS|ERR_ACCESS_DENIED)\b|Permission denied|Read-only file system|Operation not permitted/u;
const noNetwork =
  /\b(?:ENETUNREACH|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|EHOSTUNREACH)\b|Network is unreachable|Could not resolve host|Temporary failure in name resolution/iu;

/** A path in quotes, or in front of a colon as shells print it. */
const namedPath = /'(\/[^']*)'|(?:^|\s)(\/[^\s:]+):/u;

/** The attempt to do more than the effects of a call that an error text shows; undefined if it shows none. */
function excessIn(stderr: string, effects: readonly Effect[], cwd: string): string | undefined {
  for (const line of stderr.split("\n").slice(-50)) {
    if (refused.test(line)) {
      const [, quoted, bare] = namedPath.exec(line) ?? [];
      const path = quoted ?? bare;
      if (path === undefined || !isDeclared(path, effects, cwd)) return line.trim().slice(0, 300);
    }
    const connects = effects.some(({ kind }) => kind === "connect");
    if (!connects && noNetwork.test(line)) return line.trim().slice(0, 300);
  }
  return undefined;
}

function isDeclared(path: string, effects: readonly Effect[], cwd: string): boolean {
  return effects.some((effect) => {
    if (effect.kind !== "write") return false;
    const named = isAbsolutePath(effect.path) ? effect.path : joinPath(cwd, effect.path);
    return effect.scope === "tree" ? isWithin(named, path) : named === path;
  });
}

/** Maximum milliseconds to wait for the end of a killed program. */
const maxEndingMs = 5000;
/** Maximum bytes that a call may print, on both streams together. */
const maxOutputBytes = 1_048_576;
/** Characters of the error text that are shown. */
const shownErrorChars = 2000;

/** Result of a call; `isExcess` where the program tried more than it declares. */
export type CreatedResult =
  | { readonly kind: "done"; readonly text: string }
  | { readonly kind: "failed"; readonly error: ToolError; readonly isExcess: boolean };

export interface CreatedCall {
  readonly definition: CreatedDefinition;
  readonly input: Readonly<Record<string, unknown>>;
  /** Distinguishes the programs of one call. */
  readonly number?: number;
}

/** Runs one call of a created tool in a process of its own. Rejects if it could not be run at all. */
export async function runCreated(
  { definition, input, number = 0 }: CreatedCall,
  context: ToolContext,
): Promise<CreatedResult> {
  const effects = effectsOfCall(definition, input, true);
  await refuseDirectories(effects, context);
  const prepared = await prepareWrites(effects, context);
  try {
    return await runProgram({ definition, input, number, effects }, context);
  } finally {
    for (const path of prepared) await removeUnused(path, context);
  }
}

interface StartedCall extends Required<CreatedCall> {
  readonly effects: readonly Effect[];
}

async function runProgram(
  { definition, input, number, effects }: StartedCall,
  { host: { proc }, workspace, callId, signal }: ToolContext,
): Promise<CreatedResult> {
  const { name, timeout_ms: timeoutMs = defaultTimeoutMs } = definition;
  const connects = effects.some(({ kind }) => kind === "connect");
  const { argv, stdin, env } = programOf(definition, input, { connects });
  const id = `created-${callId}-${number}`;
  await proc.start(
    {
      id,
      argv,
      cwd: workspace,
      env,
      keepEnv: keptVariables,
      stdin: "pipe",
      limits: { timeoutMs, maxOutputBytes, terminateMs: 200, killMs: 2000 },
    },
    { signal },
  );
  const texts = { stdout: "", stderr: "" };
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  let bytes = 0;
  let exit: ProcessExit | undefined;
  try {
    // Not awaited: a program that never reads its input must not wait for a reader either.
    void feed(proc, id, stdin);
    for await (const chunk of proc.output(id, 0)) {
      if ("exit" in chunk) {
        ({ exit } = chunk);
        break;
      }
      bytes += chunk.bytes.length;
      if (bytes > maxOutputBytes || chunk.lostBefore !== undefined) return tooMuch(name);
      texts[chunk.stream] += decoders[chunk.stream].decode(chunk.bytes, { stream: true });
    }
  } finally {
    // Whatever it has started ends with it.
    await proc.signal(id, "KILL", { tree: true }).catch(() => undefined);
    if (exit === undefined) await untilEnded(proc, id);
  }
  signal.throwIfAborted();
  if (exit?.code === 0 && exit.endedBy === undefined) return { kind: "done", text: texts.stdout };
  return failureOf(definition, { exit, effects, stderr: texts.stderr, timeoutMs, workspace });
}

/** Waits for the end of a killed program, also if the call was aborted: what it changed is part of the call. */
async function untilEnded(proc: ToolContext["host"]["proc"], id: string): Promise<void> {
  const limit = AbortSignal.timeout(maxEndingMs);
  try {
    for await (const chunk of proc.output(id, 0, { signal: limit })) if ("exit" in chunk) return;
  } catch {
    // The report of the call says that it still runs.
  }
}

interface EndedCall {
  readonly exit: ProcessExit | undefined;
  readonly effects: readonly Effect[];
  readonly stderr: string;
  readonly timeoutMs: number;
  readonly workspace: string;
}

function failureOf({ name }: CreatedDefinition, ended: EndedCall): CreatedResult {
  const { exit, effects, stderr, timeoutMs, workspace } = ended;
  if (exit?.endedBy === "output-limit") return tooMuch(name);
  if (exit?.endedBy === "timeout") {
    return failed(`${name} did not end within ${timeoutMs / 1000} s.`, {
      hint: "Give it less to do, or a longer timeout_ms in a new version.",
    });
  }
  const excess = excessIn(stderr, effects, workspace);
  const said = stderr.trim().slice(-shownErrorChars);
  if (excess !== undefined) {
    return failed(`${name} tried more than it declares: ${excess}.`, {
      hint: "Declare it in a new version, which the user sees, or leave it out.",
      isExcess: true,
    });
  }
  return failed(`${name} failed (${endText(exit)})${said === "" ? "." : `:\n${said}`}`, {
    hint: "Correct the input, or fix the tool in a new version with CreateTool.",
  });
}

function failed(
  message: string,
  { hint, isExcess = false }: { readonly hint: string; readonly isExcess?: boolean },
): CreatedResult {
  return { kind: "failed", error: new ToolError("TOOL_FAILED", message, { hint }), isExcess };
}

function endText(exit: ProcessExit | undefined): string {
  if (exit === undefined) return "its end was not reported";
  // Node ends with 13 where nothing can settle what the module waits for.
  if (exit.code === 13) return "it waited for something that never happens";
  return exit.code === null ? `killed by ${exit.signal ?? "a signal"}` : `exit code ${exit.code}`;
}

function tooMuch(name: string): CreatedResult {
  return failed(`${name} printed more than ${maxOutputBytes} bytes.`, {
    hint: "Let it print less, or write the result to a file that it declares.",
  });
}

async function feed(proc: ToolContext["host"]["proc"], id: string, text: string): Promise<void> {
  try {
    await proc.write(id, new TextEncoder().encode(text));
    await proc.write(id, "eof");
  } catch {
    // It has ended, or closed its input.
  }
}

/** Refuses a directory in place of a declared file: a sandbox could only open everything in it. */
async function refuseDirectories(
  effects: readonly Effect[],
  { host: { fs }, cwd }: ToolContext,
): Promise<void> {
  for (const effect of effects) {
    if ((effect.kind !== "read" && effect.kind !== "write") || effect.scope === "tree") continue;
    const path = await fs.canonical(effect.path, { base: cwd });
    const found = await fs.stat(path).catch(() => undefined);
    if (found?.kind !== "directory") continue;
    throw new ToolError("INVALID_INPUT", `${effect.path} is a directory, and a file is declared.`, {
      hint: "Name a file, or declare the effect with the scope tree in a new version.",
    });
  }
}

/** Creates the files and directories that a call may write: the sandbox can only open what exists. Returns new files. */
async function prepareWrites(
  effects: readonly Effect[],
  { host: { fs }, cwd }: ToolContext,
): Promise<readonly string[]> {
  const created: string[] = [];
  for (const effect of effects) {
    if (effect.kind !== "write") continue;
    const path = await fs.canonical(effect.path, { base: cwd });
    if (effect.scope === "tree") {
      await fs.mkdir(path);
      continue;
    }
    const found = await fs.stat(path).catch((error: unknown) => {
      if (ToolError.is(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    });
    if (found !== undefined) continue;
    await fs.writeAtomic(path, new Uint8Array(), { ifMatch: null });
    created.push(path);
  }
  return created;
}

/** Removes a file that was created for a call which left it empty, also if the call was aborted. */
async function removeUnused(path: string, { host: { fs } }: ToolContext): Promise<void> {
  const { signal } = new AbortController();
  const found = await fs.stat(path, { signal }).catch(() => undefined);
  if (found?.kind === "file" && found.size === 0) {
    await fs.remove(path, { signal }).catch(() => undefined);
  }
}
