import { narrowHost, type NarrowedHost } from "../../grant/index.ts";
import { quietly } from "../../text/index.ts";
import {
  requireService,
  ToolError,
  type Confinement,
  type EndedProgram,
  type Grant,
  type Host,
  type ProcessSpec,
  type ProgressUpdate,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { approveChanges } from "../approval/approve-changes.ts";
import { toolOf, type CallState } from "../call-state.ts";
import type { CallConfinement, PipelineEnvironment } from "../environment.ts";
import { fromNextLine } from "../../text/index.ts";
import { hiddenUpdate } from "../../redact/index.ts";
import { redact, RedactedStream } from "../../redact/index.ts";
import { sentenceOf } from "../../text/index.ts";
import type { Next, Step } from "../step.ts";
import { takeResult } from "../outcome/validate-result.ts";

/** Milliseconds for one run where the tool does not say. */
const defaultTimeoutMs = 60_000;
/** Milliseconds a stopped tool has to come back by itself, so that its partial answer is kept. */
const settleMs = 250;
/** The same for a tool that started processes: the host needs TERM, 5 s, KILL, 2 s to end them. */
const settleProcessesMs = 8_000;
/** How long programs of a stopped call are waited for beyond that, which a host ends itself. */
const maxBusyMs = 60_000;
/** Between two looks at whether they still run. */
const busyLookMs = 100;
/** Characters of streamed output kept for the answer of a call that never finished. */
const streamedLimit = 32_768;
/** Characters of one call's output that are told as events; a watcher of the call goes on seeing the latest. */
const watchedChars = 1_000_000;
const floodChars = 4096;

/**
 * Runs the tool on a host narrowed to what was granted, with a deadline and a signal.
 *
 * Only here is anything touched. Whatever the tool does, the call settles: a tool that hangs is left behind
 * with a host that refuses everything.
 */
export const run: Step = (state, environment) => {
  if (state.stops.isAborted) throw aborted();
  const running = new Running(state, environment);
  state.hasRun = true;
  let returned: PromiseLike<ToolResult> | ToolResult;
  try {
    returned = toolOf(state).run(state.input, running);
  } catch (cause) {
    running.end();
    throw toToolError(toolOf(state).name, cause);
  }
  if (isThenable(returned)) return settle(state, running, Promise.resolve(returned));
  running.end();
  return finish(state, returned);
};

/** Also a promise of another kind or realm, whose work would go on unseen. */
function isThenable(value: unknown): value is PromiseLike<ToolResult> {
  return (
    value instanceof Promise ||
    (typeof value === "object" &&
      value !== null &&
      "then" in value &&
      typeof value.then === "function")
  );
}

async function settle(
  state: CallState,
  running: Running,
  returned: Promise<ToolResult>,
): Promise<Next> {
  try {
    return finish(state, await running.race(returned));
  } catch (cause) {
    throw state.undeclared ?? toToolError(toolOf(state).name, cause);
  } finally {
    running.end();
    const account = running.account();
    if (account !== undefined) await account;
  }
}

function finish(state: CallState, returned: ToolResult): Next {
  if (state.undeclared !== undefined) throw state.undeclared;
  state.result = takeResult(toolOf(state).name, returned);
  return undefined;
}

/**
 * What the tool holds while it runs. Nothing is made before it is asked for: the narrowed host, the signal and
 * the timer exist only for tools that use them or take time.
 */
class Running implements ToolContext {
  readonly #state: CallState;
  readonly #environment: PipelineEnvironment;
  #narrowed: NarrowedHost | undefined;
  #controller: AbortController | undefined;
  #isOver = false;
  #written = 0;
  #live: Map<"stdout" | "stderr", RedactedStream> | undefined;
  #confining: Promise<CallConfinement> | undefined;
  #ended: EndedProgram[] | undefined;
  #onStop: ((error: ToolError) => void) | undefined;
  #stopped: ToolError | undefined;

  constructor(state: CallState, environment: PipelineEnvironment) {
    this.#state = state;
    this.#environment = environment;
  }

  get host(): Host {
    const { grant } = this.#state;
    if (grant === undefined)
      throw new ToolError("UNDECLARED_EFFECT", "This call was granted nothing.");
    const narrowed = (this.#narrowed ??= this.#narrow(grant));
    if (this.#isOver) narrowed.revoke();
    return narrowed.host;
  }

  #narrow(grant: Grant): NarrowedHost {
    const { kept, keptHashes } = this.#state;
    return narrowHost(this.#environment.host, {
      grant,
      cwd: this.#environment.cwd,
      resolved: this.#state.resolved,
      beforeChange: this.#state.flushImages,
      // All three only where nothing else than this host changes something for the call.
      kept: kept === undefined ? undefined : (path) => kept.get(path),
      keptHash: keptHashes === undefined ? undefined : (path) => keptHashes.get(path),
      onLeft: kept === undefined ? undefined : (left) => void (this.#state.left = left),
      // What the tool forgets to pass the signal to is stopped all the same.
      signal: () => this.signal,
      onUndeclared: (error) => {
        this.#state.undeclared ??= error;
      },
      confineSearch: this.#environment.confineSearch,
      confine: async (program) => await this.#confinement(grant, program),
      onProgramEnd: (program) => (this.#ended ??= []).push(program),
    });
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stopped !== undefined) this.#controller.abort(this.#stopped);
    }
    return this.#controller.signal;
  }

  get workspace(): string {
    return this.#environment.workspace;
  }

  get cwd(): string {
    return this.#environment.cwd;
  }

  get callId(): string {
    return this.#state.key;
  }

  get toolName(): string {
    return toolOf(this.#state).name;
  }

  get sessionId(): string | undefined {
    return this.#state.options.sessionId;
  }

  get agentId(): string | undefined {
    return this.#state.options.agentId;
  }

  get output(): ToolContext["output"] {
    return { write: (text, stream = "stdout") => this.#write(text, stream) };
  }

  // Handed out as functions of their own, because a tool may take them out of the context.
  get excludes(): ToolContext["excludes"] {
    return (path) => this.#state.grant?.excludes(path, "read");
  }

  get progress(): ToolContext["progress"] {
    return (update) => this.#progress(this.#hiddenFacts(update));
  }

  get metadata(): ToolContext["metadata"] {
    return (patch) => {
      if (this.#isOver) return;
      this.#state.liveMetadata = { ...this.#state.liveMetadata, ...patch };
      const { title } = patch;
      const update = { ...(typeof title === "string" ? { title } : {}), metadata: patch };
      this.#progress(this.#hiddenFacts(update));
    };
  }

  get service(): ToolContext["service"] {
    return (token) =>
      this.#state.options.services?.get(token) ??
      requireService(this.#environment.services(this.sessionId), token);
  }

  #hiddenFacts(update: ProgressUpdate): ProgressUpdate {
    return this.#environment.redactSecrets ? hiddenUpdate(update) : update;
  }

  #progress(update: ProgressUpdate): void {
    if (this.#isOver) return;
    const { id, options } = this.#state;
    quietly(options.onProgress, update);
    this.#environment.emit({
      type: "call-progress",
      callId: id,
      update,
      sessionId: options.sessionId,
      agentId: options.agentId,
    });
  }

  /** The tool's answer, or the error of whoever stops it first. */
  race(returned: Promise<ToolResult>): Promise<ToolResult> {
    const tool = toolOf(this.#state);
    const timeoutMs = tool.timeoutMs ?? defaultTimeoutMs;
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settled = (): void => {
        isSettled = true;
        cancelTimer();
        forget();
      };
      // Before anybody is listened to, who may stop it at once.
      this.#onStop = (error) =>
        this.#giveUp(returned, () => {
          settled();
          reject(error);
        });
      const cancelTimer = this.#environment.host.clock.timer(timeoutMs, () =>
        this.#stop(timedOut(tool, timeoutMs)),
      );
      const forget = this.#state.stops.add(() => this.#stop(aborted()));
      returned.then(
        (result) => {
          if (isSettled) return undefined;
          settled();
          // A tool that came back because it was stopped has its answer kept, but the call was not a success.
          return this.#stopped === undefined
            ? resolve(result)
            : reject(this.#withPartial(this.#stopped, result));
        },
        (cause: unknown) => {
          if (isSettled) return;
          settled();
          reject(this.#stopped ?? cause);
        },
      );
    });
  }

  async #confinement(
    grant: Grant,
    program: Pick<ProcessSpec, "live">,
  ): Promise<Confinement | undefined> {
    const { confine } = this.#environment;
    if (confine === undefined) return undefined;
    const { sessionId, agentId, signal } = this.#state.options;
    this.#confining ??= confine({
      callId: this.callId,
      tool: this.toolName,
      grant,
      sessionId,
      agentId,
      signal,
      approve: async (staged, about) =>
        await approveChanges({ state: this.#state, environment: this.#environment }, staged, about),
    });
    return await (await this.#confining).confinement(program);
  }

  /** Takes down how the call's programs ran; undefined where it started none. */
  account(): Promise<void> | undefined {
    return this.#confining && this.#takeAccount(this.#confining);
  }

  async #takeAccount(confining: Promise<CallConfinement>): Promise<void> {
    try {
      const account = await (await confining).close(this.#ended ?? []);
      this.#state.confined = account;
      this.#state.error ??= account.failure;
    } catch {
      // What could not be confined was not started, and the tool has been told why; what was is over, too.
      this.#state.confined ??= { notes: [], metadata: {} };
    }
  }

  end(): void {
    this.#isOver = true;
    this.#endLive();
    this.#narrowed?.revoke();
  }

  #stop(error: ToolError): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = error;
    this.#controller?.abort(error);
    this.#onStop?.(error);
  }

  #giveUp(returned: Promise<ToolResult>, reject: () => void): void {
    const { touches } = toolOf(this.#state);
    const hasProcesses =
      this.#narrowed !== undefined && (touches.includes("execute") || touches.includes("unknown"));
    const { clock } = this.#environment.host;
    let hasReturned = false;
    let cancel = clock.timer(hasProcesses ? settleProcessesMs : settleMs, () => void giveUp(0));
    const giveUp = async (waitedMs: number): Promise<void> => {
      const isBusy = waitedMs < maxBusyMs && (await this.#isBusy());
      if (hasReturned) return;
      if (isBusy) cancel = clock.timer(busyLookMs, () => void giveUp(waitedMs + busyLookMs));
      else reject();
    };
    const back = (): void => {
      hasReturned = true;
      cancel();
    };
    returned.then(back, back);
  }

  /** A call is not over while its programs end and what they changed is brought to its place. */
  async #isBusy(): Promise<boolean> {
    try {
      return (await this.#narrowed?.isBusy()) === true;
    } catch {
      // A host that cannot say so is not waited for.
      return false;
    }
  }

  #withPartial(error: ToolError, result: ToolResult): ToolError {
    try {
      this.#state.result = takeResult(toolOf(this.#state).name, result);
    } catch {
      // It has no answer; why it was stopped is what counts.
    }
    return error;
  }

  #write(text: string, stream: "stdout" | "stderr"): void {
    if (this.#isOver) return;
    const { options } = this.#state;
    this.#written += text.length;
    const kept = this.#state.streamed + text;
    this.#state.streamed = kept.length > streamedLimit ? kept.slice(-streamedLimit) : kept;
    this.#state.isStreamedCut ||= kept.length > streamedLimit;
    // A flood is not worth watching whole: from then on its latest lines stand for it.
    if (this.#written <= watchedChars) {
      this.#show(this.#hidden(text, stream), stream);
      return;
    }
    this.#endLive();
    if (options.onOutput === undefined) return;
    const latest = fromNextLine(text.slice(-floodChars));
    quietly(options.onOutput, this.#environment.redactSecrets ? redact(latest) : latest, stream);
  }

  /** Whoever watches sees it before the answer is bounded, so secrets are taken out here too, also those that come in pieces. */
  #hidden(text: string, stream: "stdout" | "stderr"): string {
    if (!this.#environment.redactSecrets) return text;
    const all = (this.#live ??= new Map());
    const live = all.get(stream) ?? new RedactedStream();
    all.set(stream, live);
    return live.push(text);
  }

  /** Shows what was waiting to be decided. */
  #endLive(): void {
    if (this.#live === undefined) return;
    for (const [stream, live] of this.#live) this.#show(live.end(), stream);
    this.#live.clear();
  }

  #show(text: string, stream: "stdout" | "stderr"): void {
    if (text === "") return;
    const { id, options } = this.#state;
    quietly(options.onOutput, text, stream);
    this.#environment.emit({
      type: "call-output",
      callId: id,
      text,
      stream,
      sessionId: options.sessionId,
      agentId: options.agentId,
    });
  }
}

function aborted(): ToolError {
  return new ToolError("ABORTED", "The call was aborted.", {
    hint: "What it had done until then stays done; look before repeating it.",
  });
}

function timedOut(tool: Tool, timeoutMs: number): ToolError {
  return new ToolError(
    "TIMEOUT",
    `${tool.name} did not finish within ${timeoutMs / 1000} s and was stopped.`,
    {
      hint: "Do less in one call; what it had done until then stays done.",
      data: { timeoutMs },
    },
  );
}

function toToolError(tool: string, cause: unknown): ToolError {
  if (ToolError.is(cause)) return cause;
  return new ToolError("INTERNAL", `${tool} failed unexpectedly: ${sentenceOf(cause)}`, {
    hint: "This is a fault in the tool, not in the call; try another way.",
    cause,
  });
}
