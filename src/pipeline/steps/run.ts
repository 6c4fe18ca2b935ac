import { narrowHost, type NarrowedHost } from "../../grant/index.ts";
import { isThenable, quietly } from "../../text/index.ts";
import {
  requireService,
  type ToolError,
  type Confinement,
  type EndedProgram,
  type Grant,
  type Host,
  type ProcessSpec,
  type ProgressUpdate,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { approveChanges } from "../approval/approve-changes.ts";
import { eventSource } from "../event-source.ts";
import type { CallConfinement } from "../environment/confinement.ts";
import type { PipelineEnvironment } from "../environment/environment.ts";
import { hiddenUpdate } from "../../redact/index.ts";
import type { Next, StateOf, Step } from "../step.ts";
import { aborted, errorOfTool, timedOut } from "../run/call-errors.ts";
import { StreamedOutput } from "../run/streamed-output.ts";
import { takeResult } from "../outcome/validate-result.ts";

/** Milliseconds for one run where the tool does not say. */
const defaultTimeoutMs = 60_000;
/** Milliseconds that a stopped tool has to return by itself, so that its partial answer is used. */
const settleMs = 250;
/** The same for a tool that started processes: the host needs TERM, 5 s, KILL, 2 s to end them. */
const settleProcessesMs = 8_000;
/** Maximum further wait, in milliseconds, for the programs of a stopped call, which the host ends itself. */
const maxBusyMs = 60_000;
/** Milliseconds between two checks whether they still run. */
const busyLookMs = 100;

type Sets =
  | "hasRun"
  | "result"
  | "error"
  | "streamed"
  | "isStreamedCut"
  | "liveMetadata"
  | "undeclared"
  | "confined";
type Needs = "tool" | "valid" | "hooked" | "effects" | "approval" | "checkpoint" | "beforeEdit";
type State = StateOf<Sets, Needs>;

/**
 * Runs the tool on a host narrowed to the grant, with a deadline and a signal.
 *
 * The only step with effects. Whatever the tool does, the call completes: a tool that hangs is abandoned with a
 * host that refuses everything.
 */
export const run: Step<Sets, Needs, "result"> = (state, environment) => {
  if (state.stops.isAborted) throw aborted();
  const running = new Running(state, environment);
  state.hasRun = true;
  let returned: PromiseLike<ToolResult> | ToolResult;
  try {
    returned = runTool(state, environment, running);
  } catch (cause) {
    running.end();
    throw errorOfTool(state.tool.name, cause);
  }
  if (isThenable(returned)) return settle(state, running, Promise.resolve(returned));
  running.end();
  return finish(state, returned);
};

function runTool(
  state: State,
  { checkpoints }: PipelineEnvironment,
  running: Running,
): PromiseLike<ToolResult> | ToolResult {
  const work = () => state.tool.run(state.input, running);
  // Only a call with a checkpoint can hold paths for which others wait.
  return state.undo === undefined || checkpoints?.inside === undefined
    ? work()
    : checkpoints.inside(state.key, work);
}

async function settle(
  state: State,
  running: Running,
  returned: Promise<ToolResult>,
): Promise<Next> {
  try {
    return finish(state, await running.race(returned));
  } catch (cause) {
    throw state.undeclared ?? errorOfTool(state.tool.name, cause);
  } finally {
    running.end();
    const account = running.account();
    if (account !== undefined) await account;
  }
}

function finish(state: State, returned: ToolResult): Next {
  if (state.undeclared !== undefined) throw state.undeclared;
  state.result = takeResult(state.tool.name, returned);
  return undefined;
}

/**
 * Context of a running tool. Everything is created on demand: the narrowed host, the signal and the timer exist
 * only for tools that use them or take time.
 */
class Running implements ToolContext {
  readonly #state: State;
  readonly #environment: PipelineEnvironment;
  #narrowed: NarrowedHost | undefined;
  #controller: AbortController | undefined;
  #isOver = false;
  #streamed: StreamedOutput | undefined;
  #confining: Promise<CallConfinement> | undefined;
  #ended: EndedProgram[] | undefined;
  #onStop: ((error: ToolError) => void) | undefined;
  #stopped: ToolError | undefined;
  /** Starts the deadline; undefined before it counts and after the end. */
  #startTimer: (() => void) | undefined;
  #cancelTimer: () => void = () => undefined;
  #openQuestions = 0;

  constructor(state: State, environment: PipelineEnvironment) {
    this.#state = state;
    this.#environment = environment;
  }

  get host(): Host {
    const narrowed = (this.#narrowed ??= this.#narrow(this.#state.grant));
    if (this.#isOver) narrowed.revoke();
    return narrowed.host;
  }

  #narrow(grant: Grant): NarrowedHost {
    return narrowHost(this.#environment.host, {
      grant,
      cwd: this.#environment.cwd,
      resolved: this.#state.resolved,
      transaction: this.#state.transaction,
      // Operations to which the tool does not pass the signal are aborted too.
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

  get runId(): string | undefined {
    return this.#state.options.runId;
  }

  get toolName(): string {
    return this.#state.tool.name;
  }

  get sessionId(): string | undefined {
    return this.#state.options.sessionId;
  }

  get agentId(): string | undefined {
    return this.#state.options.agentId;
  }

  get output(): ToolContext["output"] {
    return {
      write: (text, stream = "stdout") => {
        if (this.#isOver) return;
        this.#streamed ??= new StreamedOutput(this.#state, this.#environment);
        this.#streamed.write(text, stream);
      },
    };
  }

  // Returned as standalone functions, because a tool may destructure the context.
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

  get ask(): ToolContext["ask"] {
    return async (question) =>
      await this.#outsideDeadline(async () => {
        const { askUser } = await import("../approval/ask-user.ts");
        return await askUser({ state: this.#state, environment: this.#environment }, question);
      });
  }

  /** The time of a tool does not run while a user reads its question. */
  async #outsideDeadline<T>(ask: () => Promise<T>): Promise<T> {
    this.#openQuestions += 1;
    this.#cancelTimer();
    try {
      return await ask();
    } finally {
      this.#openQuestions -= 1;
      if (this.#openQuestions === 0) this.#startTimer?.();
    }
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
      ...eventSource(options),
    });
  }

  /** Resolves to the tool's answer, or rejects with the error of the first stop. */
  race(returned: Promise<ToolResult>): Promise<ToolResult> {
    const { tool } = this.#state;
    const timeoutMs = tool.timeoutMs ?? defaultTimeoutMs;
    return new Promise((resolve, reject) => {
      let isSettled = false;
      const settled = (): void => {
        isSettled = true;
        this.#startTimer = undefined;
        this.#cancelTimer();
        forget();
      };
      // Set before any listener is added, because a listener may stop the tool at once.
      this.#onStop = (error) =>
        this.#giveUp(returned, () => {
          settled();
          reject(error);
        });
      this.#startTimer = () => {
        this.#cancelTimer = this.#environment.host.clock.timer(timeoutMs, () =>
          this.#stop(timedOut(tool, timeoutMs)),
        );
      };
      if (this.#openQuestions === 0) this.#startTimer();
      const forget = this.#state.stops.add(() => this.#stop(aborted()));
      returned.then(
        (result) => {
          if (isSettled) return undefined;
          settled();
          // The answer of a tool that returned because it was stopped is used, but the call failed.
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
    const { confine, writtenByKit } = this.#environment;
    if (confine === undefined) return undefined;
    const { sessionId, agentId, signal } = this.#state.options;
    this.#confining ??= confine({
      callId: this.callId,
      tool: this.toolName,
      grant,
      sessionId,
      agentId,
      signal,
      writesItself: (writtenByKit?.(this.toolName, this.#state.input) ?? []).length > 0,
      approve: async (staged, about) =>
        await this.#outsideDeadline(
          async () =>
            await approveChanges(
              { state: this.#state, environment: this.#environment },
              staged,
              about,
            ),
        ),
    });
    return await (await this.#confining).confinement(program);
  }

  /** Records how the call's programs ran; undefined where it started none. */
  account(): Promise<void> | undefined {
    return this.#confining && this.#takeAccount(this.#confining);
  }

  async #takeAccount(confining: Promise<CallConfinement>): Promise<void> {
    try {
      const account = await (await confining).close(this.#ended ?? []);
      this.#state.confined = account;
      this.#state.error ??= account.failure;
    } catch {
      // A program that could not be confined was not started, and the tool got the error; started ones have ended.
      this.#state.confined ??= { notes: [], metadata: {} };
    }
  }

  end(): void {
    this.#isOver = true;
    this.#streamed?.end();
    this.#narrowed?.revoke();
  }

  #stop(error: ToolError): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = error;
    this.#controller?.abort(error);
    this.#onStop?.(error);
  }

  #giveUp(returned: Promise<ToolResult>, reject: () => void): void {
    const { touches } = this.#state.tool;
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

  /** A call is not complete while its programs are ending or their changes are being applied. */
  async #isBusy(): Promise<boolean> {
    try {
      return (await this.#narrowed?.isBusy()) === true;
    } catch {
      // Do not wait for a host that cannot report this.
      return false;
    }
  }

  #withPartial(error: ToolError, result: ToolResult): ToolError {
    try {
      this.#state.result = takeResult(this.#state.tool.name, result);
    } catch {
      // The result is invalid; the reason for the stop is what the call reports.
    }
    return error;
  }
}
