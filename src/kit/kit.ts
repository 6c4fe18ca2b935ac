import {
  ToolError,
  type Call,
  type CallOptions,
  type DefinitionFormat,
  type DefinitionOptions,
  type Definitions,
  type Explanation,
  type HaftEvent,
  type Mode,
  type NewEvent,
  type Outcome,
  type PreviewResult,
  type Toolkit,
  type ToolListing,
} from "../core/index.ts";
import { ceilingsBelow, type RuleProblem } from "../policy/index.ts";
import {
  explainCall,
  previewCall,
  runCall,
  type CallState,
  type PipelineEnvironment,
} from "../pipeline/index.ts";
import type { HistoryEntry, UndoOptions, UndoResult, UndoTarget } from "../journal/index.ts";
import type { Registry } from "../registry/index.ts";
import { createScheduler, runCalls, type Scheduler } from "../schedule/index.ts";
import type { AgentRun, KitRunOptions } from "./agent-run.ts";
import { startAgentRun } from "./agent-run.ts";
import { examine, type DoctorReport } from "./doctor.ts";
import type { SettingsProblem } from "../workspace/index.ts";
import type { KeptEvents } from "./kept-events.ts";
import { keptOn } from "./kept-on.ts";
import { kitEnvironment, type EnvironmentParts } from "./kit-environment.ts";
import type { DeriveOptions, SandboxOption } from "./options.ts";
import { refuseDisabledBypass } from "./place.ts";

export interface KitParts extends EnvironmentParts {
  readonly ownsHost: boolean;
  readonly log: KeptEvents;
  /** Among whose children a derived kit is. */
  readonly parent: Set<Kit> | undefined;
  readonly setMode: (mode: Mode) => void;
  readonly signal: AbortSignal | undefined;
  readonly sandbox: SandboxOption | undefined;
}

/** What a call would mean and, where its tool can tell, what it would change. */
export interface CallPreview extends Explanation {
  readonly preview?: PreviewResult;
}

/** Tools, rules and a host, wired: takes calls. Made by `createToolkit`. */
export class Kit implements Toolkit {
  readonly registry: Registry;
  /** The folder the tools work in, canonical. */
  readonly workspace: string;
  readonly #parts: KitParts;
  readonly #environment: PipelineEnvironment;
  readonly #ids: IdSource;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #children = new Set<Kit>();
  #ordered: Scheduler | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: KitParts) {
    this.#parts = parts;
    this.registry = parts.registry;
    this.workspace = parts.place.workspace;
    this.#ids = new IdSource();
    this.#environment = kitEnvironment(parts, (prefix) => this.#ids.next(prefix));
    parts.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (parts.signal?.aborted === true) this.#onAbort();
  }

  get mode(): Mode {
    return this.#parts.getMode();
  }

  /** From the next call on. Derived kits keep their own. PERMISSION_DENIED where the settings disable the mode. */
  setMode(mode: Mode): void {
    refuseDisabledBypass(mode, this.#parts.place.isBypassDisabled);
    this.#parts.setMode(mode);
  }

  /** What is wrong with the settings and rules the kit was given. */
  get problems(): readonly (SettingsProblem | RuleProblem)[] {
    return [...this.#parts.place.problems, ...this.#parts.rules.problems];
  }

  /** Where events are written; undefined when they are only kept in memory. */
  get logFile(): string | undefined {
    return this.#parts.log.file;
  }

  /** Where artefacts, journal and logs are kept. */
  get dataDirectory(): string {
    return this.#parts.place.dataDirectory;
  }

  /** Takes one call through every step. Never rejects for what the call does; a disposed kit is a TypeError. */
  async call(call: Call, options?: CallOptions): Promise<Outcome> {
    const linked = this.#open(options);
    if (linked?.inOrder === true) {
      this.#ordered ??= createScheduler(this.#environment);
      return await this.#track(this.#ordered.submit(call, linked));
    }
    const running = runCall(
      call,
      this.#environment,
      linked === undefined ? undefined : { options: linked },
    );
    return await this.#track(running);
  }

  /** Runs the calls of one turn: conflicting ones in order, the rest together. Outcomes come in call order. */
  async callAll(calls: readonly Call[], options?: CallOptions): Promise<readonly Outcome[]> {
    const linked = this.#open(options);
    return await this.#track(runCalls(calls, this.#environment, linked));
  }

  /** What a call would touch and what the rules make of it. Nothing runs, nobody is asked. */
  async explain(call: Call): Promise<Explanation> {
    this.#open(undefined);
    return explanationOf(await explainCall(call, this.#environment));
  }

  /** What a call would change, where its tool can tell. Nothing is changed. */
  async preview(call: Call): Promise<CallPreview> {
    this.#open(undefined);
    const state = await explainCall(call, this.#environment);
    const explanation = explanationOf(state);
    // What is refused is not shown either: a preview reads what the call would have read.
    if (state.error !== undefined || state.decision?.kind === "deny") return explanation;
    const preview = await previewCall(state, this.#environment);
    return preview === undefined ? explanation : { ...explanation, preview };
  }

  async definitions(
    format: DefinitionFormat,
    options: DefinitionOptions = {},
  ): Promise<Definitions> {
    return await this.registry.getDefinitions(format, { mode: this.mode, ...options });
  }

  listings(options: DefinitionOptions = {}): readonly ToolListing[] {
    return this.registry.listings({ mode: this.mode, ...options });
  }

  subscribe(listener: (event: HaftEvent) => void): () => void {
    return this.#parts.bus.subscribe(listener);
  }

  emit(event: NewEvent): void {
    this.#parts.bus.emit(event);
  }

  now(): number {
    return this.#environment.now();
  }

  newId(prefix: string): string {
    return this.#ids.next(prefix);
  }

  /** The calls that changed files, newest first. */
  async history(): Promise<readonly HistoryEntry[]> {
    this.#open(undefined);
    return await this.#track(this.#parts.journal.history());
  }

  /** Puts back what calls changed; refuses, per path, what is no longer as the call left it. */
  async undo(target: UndoTarget = { last: 1 }, options?: UndoOptions): Promise<UndoResult> {
    this.#open(undefined);
    return await this.#track(this.#parts.journal.undo(target, options));
  }

  /** Does again what the last undo took back. */
  async redo(options?: Pick<UndoOptions, "force">): Promise<UndoResult> {
    this.#open(undefined);
    return await this.#track(this.#parts.journal.redo(options));
  }

  /** What works here and what does not, tried out. */
  async doctor(): Promise<DoctorReport> {
    this.#open(undefined);
    return await this.#track(examine(this.#parts, this.problems));
  }

  /** Starts an agent with these tools on a task. Wrong options are a TypeError; everything else is in the result. */
  run(options: KitRunOptions): AgentRun {
    this.#open(undefined);
    const run = startAgentRun(
      this,
      { clock: this.#parts.host.clock, ...options },
      this.#ending.signal,
    );
    void this.#track(run.result);
    return run;
  }

  /** A toolkit that can do no more than this one, and less where the options say so. Dispose it by itself. */
  derive(options: DeriveOptions = {}): Kit {
    this.#open(undefined);
    const { place, rules, registry, ceilings, shared } = this.#parts;
    let mode = options.mode ?? this.mode;
    refuseDisabledBypass(mode, place.isBypassDisabled);
    const modeNow = (): Mode => this.mode;
    const above = ceilingsBelow(
      {
        get rules() {
          return rules.current();
        },
        get mode() {
          return modeNow();
        },
        boundary: place.boundary,
        trusted: place.trusted,
        ceilings,
      },
      "the parent",
    );
    // Elsewhere nothing of the parent's is to be found: what is kept of a host's files is kept on that host.
    const kept = options.host === undefined ? undefined : keptOn(options.host, place.dataDirectory);
    const child = new Kit({
      ...this.#parts,
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(kept === undefined
        ? {}
        : { journal: kept.journal, shared: { ...shared, keepArtefact: kept.keepArtefact } }),
      ownsHost: false,
      parent: this.#children,
      // A registry of its own, so that what is registered here reaches nobody above.
      registry: registry.createFiltered(options.tools ?? registry.getNames()),
      getMode: () => mode,
      setMode: (next) => {
        mode = next;
      },
      ceilings: options.ceiling === undefined ? above : [...above, options.ceiling],
      signal: this.#ending.signal,
    });
    this.#children.add(child);
    return child;
  }

  /** Aborts what runs, waits for it, and leaves no process, file handle or timer behind. Safe to call twice. */
  async dispose(): Promise<void> {
    this.#disposed ??= this.#close();
    await this.#disposed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  readonly #onAbort = (): void => {
    this.#ending.abort(new ToolError("ABORTED", "The toolkit was told to stop."));
  };

  async #close(): Promise<void> {
    this.#onAbort();
    this.#parts.signal?.removeEventListener("abort", this.#onAbort);
    await Promise.allSettled([...this.#children].map(async (child) => await child.dispose()));
    await Promise.allSettled(this.#running);
    const { parent } = this.#parts;
    if (parent !== undefined) {
      parent.delete(this);
      return;
    }
    if (this.#parts.ownsHost) await this.#parts.host[Symbol.asyncDispose]();
    await this.#parts.log.close();
  }

  /** The call's options with the kit's own end among its signals; made only where the caller brings one. */
  #open(options: CallOptions | undefined): CallOptions {
    if (this.#disposed !== undefined)
      throw new TypeError("This toolkit is disposed; open another one.");
    if (options?.signal === undefined) {
      return options === undefined ? this.#plain : { ...options, signal: this.#ending.signal };
    }
    return { ...options, signal: AbortSignal.any([options.signal, this.#ending.signal]) };
  }

  readonly #plain: CallOptions = { signal: this.#ending.signal };

  async #track<T>(running: Promise<T>): Promise<T> {
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }
}

/** Ids that are unique on this machine: a random part made once, and a counter. */
class IdSource {
  readonly #base = crypto.randomUUID().slice(0, 8);
  #count = 0;

  next(prefix: string): string {
    this.#count += 1;
    return `${prefix}-${this.#base}-${this.#count}`;
  }
}

function explanationOf(state: CallState): Explanation {
  const { tool, decision, error } = state;
  return {
    ...(tool === undefined ? {} : { tool: tool.name }),
    input: state.input,
    repairs: state.repairs,
    effects: state.effects,
    ...(decision === undefined ? {} : { decision }),
    ...(error === undefined ? {} : { error: error.toJSON() }),
  };
}
