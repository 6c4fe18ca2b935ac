import {
  commandPreview,
  ToolError,
  type Call,
  type CallOptions,
  type DefinitionFormat,
  type DefinitionOptions,
  type Explanation,
  type Definitions,
  type HaftEvent,
  type Mode,
  type NewEvent,
  type Outcome,
  type Toolkit,
  type ToolListing,
} from "../core/index.ts";
import { ceilingsBelow, type Ceiling, type RuleProblem } from "../policy/index.ts";
import type { Journal, PathDifference, UndoOptions, UndoTarget } from "../journal/index.ts";
import type { Registry } from "../registry/index.ts";
import type { AgentRun, KitRunOptions } from "./agent-run.ts";
import { startAgentRun } from "./agent-run.ts";
import type { DoctorReport } from "./doctor.ts";
import type { SettingsProblem } from "../workspace/index.ts";
import { IdSource } from "./id-source.ts";
import type { CallPreview, Engine } from "./engine.ts";
import type { KitParts } from "./kit-parts.ts";
import { checkDeriveOptions } from "./check-derive-options.ts";
import { checkMode, type DeriveOptions, refuseDisabledBypass } from "./options.ts";
import type { Permissions } from "./permissions.ts";
import type { ConfinedRun, RunConfinedOptions } from "./run-confined.ts";
import type { KitTasks } from "./tasks.ts";
import type { CallsUndone, PastCall } from "./undo-calls.ts";
import type { WorkspaceTrust } from "./workspace-trust.ts";

/** Whose call it is, as for `call`. */
export interface PreviewCallOptions extends Pick<
  CallOptions,
  "signal" | "sessionId" | "agentId" | "services"
> {
  /** Somebody has said yes to this very call. Default false. */
  readonly approved?: boolean;
}

/** What was taken away of what a toolkit keeps. */
export interface Garbage {
  readonly artefacts: { readonly files: number; readonly bytes: number };
  readonly journal: { readonly calls: number; readonly blobs: number; readonly bytes: number };
  /** What tools needed to take back calls of their own. */
  readonly undo: { readonly calls: number; readonly bytes: number };
}

/** Tools, rules and a host, wired: takes calls. Made by `createToolkit`. */
export class Kit implements Toolkit {
  readonly registry: Registry;
  /** The folder the tools work in, canonical. */
  readonly workspace: string;
  readonly #parts: KitParts;
  readonly #ids: IdSource;
  readonly #ending = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  readonly #children = new Set<Kit>();
  #engine: Engine | undefined;
  #disposed: Promise<void> | undefined;

  constructor(parts: KitParts) {
    this.#parts = parts;
    this.registry = parts.registry;
    this.workspace = parts.place.workspace;
    this.#ids = new IdSource();
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

  /** Faults of the settings, rules and tools the kit was given, and of its event log while it stores nothing. */
  get problems(): readonly (SettingsProblem | RuleProblem)[] {
    const { place, rules, log, toolProblems } = this.#parts;
    const stored = log.problem();
    const given = [...place.problems, ...rules.problems, ...toolProblems.all];
    return [...given, ...(stored === undefined ? [] : [stored])];
  }

  /** The rules that hold, and how to add and take away those kept in files. */
  get permissions(): Permissions {
    return this.#parts.permissions;
  }

  /** File that events are written to; undefined when they are only kept in memory or the file cannot be opened. */
  get logFile(): string | undefined {
    return this.#parts.log.file;
  }

  /** Where artefacts, journal and logs are kept. */
  get dataDirectory(): string {
    return this.#parts.place.dataDirectory;
  }

  /** What runs in the background, and what did: of every session, also of earlier programs. */
  get tasks(): KitTasks {
    return this.#parts.tasks;
  }

  /** Takes one call through every step. Never rejects for what the call does; a disposed kit is a TypeError. */
  async call(call: Call, options?: CallOptions): Promise<Outcome> {
    const linked = this.#open(options);
    const engine = this.#engine ?? (await this.#load());
    const running = engine.call(call, linked);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Runs the calls of one turn: conflicting ones in order, the rest together. Outcomes come in call order. */
  async callAll(calls: readonly Call[], options?: CallOptions): Promise<readonly Outcome[]> {
    const linked = this.#open(options);
    const engine = this.#engine ?? (await this.#load());
    return await this.#track(engine.callAll(calls, linked));
  }

  /** What a call would touch and what the rules make of it. Nothing runs, nobody is asked. */
  async explain(call: Call): Promise<Explanation> {
    this.#open(undefined);
    return await (await this.#load()).explain(call);
  }

  /**
   * What a call would change, exactly where that can be known, and what it would answer. Nothing outside changes. A
   * call that is denied is not looked at; a program that needs a yes is tried only where `approved` says so.
   */
  async preview(
    call: Call,
    { approved = false, ...options }: PreviewCallOptions = {},
  ): Promise<CallPreview> {
    const linked = this.#open(options);
    const engine = await this.#load();
    return await this.#track(engine.preview(call, { ...linked, approved }));
  }

  async definitions(
    format: DefinitionFormat,
    options: DefinitionOptions = {},
  ): Promise<Definitions> {
    return await this.registry.getDefinitions(format, { mode: this.mode, ...options });
  }

  listings(options: DefinitionOptions = {}): readonly ToolListing[] {
    const stagesCommands = this.#parts.services.provides(commandPreview);
    const listings = this.registry.listings({ mode: this.mode, ...options });
    if (!stagesCommands) return listings;
    // Here a command can be tried and taken back, whatever it turns out to do.
    return listings.map((each) => (each.staged === "commands" ? { ...each, level: 2 } : each));
  }

  /** Whether commands run here so that whatever they change can be shown first and taken back. Finds out once. */
  async stagesCommands(): Promise<boolean> {
    this.#open(undefined);
    if (this.#parts.services.provides(commandPreview)) return true;
    return (await this.#parts.sandboxes.overlays.unavailable()) === undefined;
  }

  subscribe(listener: (event: HaftEvent) => void): () => void {
    return this.#parts.bus.subscribe(listener);
  }

  emit(event: NewEvent): void {
    this.#parts.bus.emit(event);
  }

  now(): number {
    return this.#parts.host.clock.now();
  }

  newId(prefix: string): string {
    return this.#ids.next(prefix);
  }

  /** The calls that changed files, or that their tools can take back, newest first. */
  async history(): Promise<readonly PastCall[]> {
    this.#open(undefined);
    const engine = await this.#load();
    return await this.#track(engine.history());
  }

  /** What one call changed, path by path. NOT_FOUND where it is not in the history. */
  async diff(callId: string): Promise<readonly PathDifference[]> {
    this.#open(undefined);
    const { journal } = await this.#load();
    return await this.#track(journal.diff(callId));
  }

  /**
   * Puts back what calls changed; refuses, per path, what is no longer as the call left it. A call whose tool brings
   * its own undo is taken back by that, by the rules that hold for the call now.
   */
  async undo(target: UndoTarget = { last: 1 }, options: UndoOptions = {}): Promise<CallsUndone> {
    const { signal } = this.#open({ signal: options.signal });
    const engine = await this.#load();
    return await this.#track(engine.undo(target, { ...options, signal }));
  }

  /** Does again what the last undo took back. NOT_FOUND where a call changed something since. */
  async redo(options: Pick<UndoOptions, "force"> = {}): Promise<CallsUndone> {
    this.#open(undefined);
    const engine = await this.#load();
    return await this.#track(engine.redo(options));
  }

  /** Takes away old artefacts and what the journal keeps beyond its quota; a dry run says what would go. */
  async collectGarbage(options: { readonly dryRun?: boolean } = {}): Promise<Garbage> {
    this.#open(undefined);
    const { journal, compensations } = await this.#load();
    const collecting = async (): Promise<Garbage> => ({
      artefacts: await this.#parts.artefacts.collect(options),
      journal: await journal.gc(options),
      undo: await compensations.gc(options),
    });
    return await this.#track(collecting());
  }

  /** What works here and what does not, tried out. */
  async doctor(): Promise<DoctorReport> {
    this.#open(undefined);
    const { examine } = await import("./doctor.ts");
    const journal = async (): Promise<Journal> => (this.#engine ?? (await this.#load())).journal;
    return await this.#track(examine({ ...this.#parts, journal }, this.problems));
  }

  /** Whether the workspace is recorded as trusted, what there is to trust, and what that permits; a yes is recorded there. */
  async workspaceTrust(): Promise<WorkspaceTrust> {
    this.#open(undefined);
    const { workspaceTrust } = await import("./workspace-trust.ts");
    return await this.#track(workspaceTrust(this.#parts));
  }

  /**
   * Runs a program of a person's own in the sandbox that commands of this kit get; no rule is asked and nothing is
   * journaled. UNAVAILABLE where nothing here confines.
   */
  async runConfined(
    argv: readonly string[],
    options: RunConfinedOptions = {},
  ): Promise<ConfinedRun> {
    this.#open(undefined);
    const { host, place, rules, ceilings, getMode, sandboxes } = this.#parts;
    const parts = { host, place, rules, ceilings, getMode, ...sandboxes };
    const { signal: ending } = this.#ending;
    const signal = AbortSignal.any([
      ending,
      ...(options.signal === undefined ? [] : [options.signal]),
    ]);
    const id = this.#ids.next("confined");
    const { runConfined } = await import("./run-confined.ts");
    return await this.#track(
      runConfined({ ...parts, workspace: this.workspace, id }, argv, { ...options, signal }),
    );
  }

  /** Starts an agent with these tools on a task. Wrong options are a TypeError; everything else is in the result. */
  run(options: KitRunOptions): AgentRun {
    this.#open(undefined);
    const run = startAgentRun(
      this,
      { clock: this.#parts.host.clock, ...options },
      this.#ending.signal,
    );
    this.#track(run.result).catch(() => undefined);
    return run;
  }

  /** A toolkit that can do no more than this one, and less where the options say so. Dispose it by itself. */
  derive(options: DeriveOptions = {}): Kit {
    this.#open(undefined);
    checkDeriveOptions(options);
    let mode = checkMode(options.mode ?? this.mode);
    const { place, rules } = this.#parts;
    refuseDisabledBypass(mode, place.isBypassDisabled);
    const modeNow = (): Mode => this.mode;
    const parent = {
      get rules() {
        return rules.current();
      },
      get mode() {
        return modeNow();
      },
      boundary: place.boundary,
      trusted: place.trusted,
      ceilings: this.#parts.ceilings,
    };
    const above: readonly Ceiling[] = ceilingsBelow(parent, "the parent");
    const child = new Kit({
      ...this.#parts,
      ...(options.host === undefined ? sharedHost : this.#parts.onHost(options.host)),
      ownsHost: false,
      isDerived: true,
      // Its own, so that what a child registers is not offered to its parent.
      registry: this.registry.createFiltered(options.tools ?? this.registry.getNames()),
      getMode: () => mode,
      setMode: (next) => {
        mode = next;
      },
      ceilings: options.ceiling === undefined ? above : [...above, rules.ceiling(options.ceiling)],
      signal: this.#ending.signal,
    });
    this.#children.add(child);
    child.#onDisposed = () => this.#children.delete(child);
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

  /** Everything that runs settles by itself once aborted; only a hook of the caller's own may not. */
  async #settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#parts.host.clock.timer(settleMs, resolve);
    await Promise.race([Promise.allSettled(this.#running), promise]);
    cancel();
  }

  #onDisposed: () => void = () => undefined;

  readonly #onAbort = (): void => {
    this.#ending.abort(new ToolError("ABORTED", "The toolkit was told to stop."));
  };

  async #close(): Promise<void> {
    this.#onAbort();
    this.#parts.signal?.removeEventListener("abort", this.#onAbort);
    await Promise.all([...this.#children].map(async (child) => await child.dispose()));
    await this.#settled();
    this.#onDisposed();
    if (this.#parts.isDerived) {
      await this.#parts.releaseHost();
      return;
    }
    await this.#parts.releaseHosts();
    if (this.#parts.ownsHost) await this.#parts.host[Symbol.asyncDispose]();
    await this.#parts.sandboxes.dispose();
    await this.#parts.log.close();
  }

  async #load(): Promise<Engine> {
    const family = await this.#parts.engines();
    this.#engine ??= family.open(
      this.#parts,
      (prefix) => this.#ids.next(prefix),
      this.#ending.signal,
    );
    return this.#engine;
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

/** Of a derived kit that acts where its parent does. */
const sharedHost = { releaseHost: async (): Promise<void> => undefined };

/** Milliseconds until a kit that is disposed no longer waits: ending processes takes up to eight seconds. */
const settleMs = 15_000;
