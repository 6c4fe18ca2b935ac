import {
  commandPreview,
  type Call,
  type CallAllOptions,
  type CallOptions,
  type DefinitionByFormat,
  type DefinitionFormat,
  type DefinitionOptions,
  type Explanation,
  type FoundTools,
  type ModelDefinitionOptions,
  type Definitions,
  type HaftEvent,
  type Mode,
  type ModelSettings,
  type NewEvent,
  type Outcome,
  type Reconciliation,
  type RunWork,
  type Toolkit,
  type ToolListing,
} from "../core/index.ts";
import type { RuleProblem } from "../policy/index.ts";
import type { Journal, PathDifference, UndoOptions, UndoTarget } from "../journal/index.ts";
import { Deferral, type Registry } from "../registry/index.ts";
import { withOwnTools } from "./services.ts";
import { runOfKit, type AgentRun } from "./runs/agent-run.ts";
import type { KitRunOptions } from "./runs/run-options.ts";
import type { DoctorReport } from "./doctor.ts";
import type { SettingsProblem } from "../workspace/index.ts";
import type { KitSkillHubs } from "./skills/skill-hubs.ts";
import type { KitSkillList } from "./skills/skill-list.ts";
import type { KitHookList } from "./hooks/hook-list.ts";
import {
  delegateTask,
  kitAgents,
  lazyAgents,
  lazyDelegation,
  lazySessions,
  withAgents,
  type DelegateTask,
  type KitAgents,
} from "./agents/bound-agents.ts";
import { lazyCreated, lazyCreatedList, type KitCreatedTools } from "./created/lazy-created.ts";
import { IdSource } from "./id-source.ts";
import type { CallPreview, Engine } from "./call-engine.ts";
import * as lists from "./plugins/extension-lists.ts";
import { KitLifetime } from "./kit-lifetime.ts";
import {
  allProblems,
  collectParts,
  derivedParts,
  releaseParts,
  type CollectionReport,
  type KitParts,
} from "./kit-parts.ts";
import {
  checkCallId,
  checkCallAllOptions,
  checkCalls,
  checkDefinitionOptions,
  checkModelDefinitionOptions,
  checkSession,
  checkToolText,
  checkDeriveOptions,
  checkGarbageOptions,
  checkEvent,
  checkListener,
  checkPreviewOptions,
  checkRedoOptions,
  checkRunConfined,
  checkRunOptions,
  checkUndoOptions,
  checkUndoTarget,
} from "./options/check-arguments.ts";
import {
  checkMode,
  type DeriveOptions,
  type PreviewCallOptions,
  refuseDisabledBypass,
  type RunConfinedOptions,
} from "./options/options.ts";
import type { KitMcp } from "./mcp/kit-mcp.ts";
import { noMcpServers } from "./mcp/no-servers.ts";
import type { KitInstructions } from "./instructions/kit-instructions.ts";
import type { KitCommands } from "./commands/kit-commands.ts";
import type { KitPlugins } from "./plugins/kit-plugins.ts";
import type { KitSettings } from "./settings/kit-settings.ts";
import type { Permissions } from "./rules/permissions.ts";
import type { ConfinedRun } from "./confinement/run-confined.ts";
import { kitSessions, type KitSessions } from "./sessions/kit-sessions.ts";
import type { KitTasks } from "./tasks.ts";
import type { UndoReport, HistoryEntry } from "../pipeline/index.ts";
import type { WorkspaceTrust } from "./rules/workspace-trust.ts";

/** Runs tool calls with one set of tools, rules and a host. Created by `createToolkit`. */
export class Kit implements Toolkit {
  /**
   * Tools of the kit; tools can be added and removed.
   *
   * @group Tools
   */
  readonly registry: Registry;
  /**
   * Directory the tools work in, canonical.
   *
   * @group Workspace and storage
   */
  readonly workspace: string;
  /**
   * Models of the settings: default model, short names, sizes and prices. Empty unless settings are loaded.
   *
   * @group Workspace and storage
   */
  readonly models: ModelSettings;
  /** Background work of runs, for tools that start some. */
  readonly work: RunWork;
  /** Agents that agents of this kit, or the program, have started. */
  readonly agents: KitAgents;
  /**
   * Gives a task to an agent with every tool and reports what it did. No rule is checked for starting it, because the
   * program asks for it; its calls are decided like all others. Rejects with a ToolError if it cannot start; a task that
   * fails is a result.
   *
   * @group Agents, tasks and sessions
   */
  readonly delegate: DelegateTask;
  readonly #parts: KitParts;
  readonly #ids: IdSource;
  readonly #lifetime: KitLifetime;
  readonly #deferral: Deferral;
  readonly #children = new Set<Kit>();
  #engine: Engine | undefined;
  #sessions: KitSessions | undefined;

  /** @internal */
  constructor(given: KitParts) {
    const own = lazyAgents(async () => (await given.agents()).of(this));
    this.#deferral = new Deferral({
      registry: given.registry,
      threshold: given.toolThreshold,
      maxTokens: given.maxToolTokens,
      hasEnvelope: given.openEnvelope !== undefined,
      mode: given.getMode,
      notes: (query, isFound) => given.servers?.notes(query, isFound) ?? [],
      onChange: (activated, sessionId) =>
        given.bus.emit({ type: "tools-change", added: [], removed: [], activated, sessionId }),
    });
    const delegation = lazyDelegation(async () =>
      (await import("./agents/kit-delegation.ts")).kitDelegation(this, own, given),
    );
    const sessions = lazySessions(async () =>
      (await import("./sessions/other-sessions.ts")).sessionsOfKit(this, given),
    );
    const bound = withAgents(given.services, { agents: own, delegation, sessions });
    const created = lazyCreated(given, this.#deferral);
    const parts = { ...given, services: withOwnTools(bound, { search: this.#deferral, created }) };
    this.#parts = parts;
    this.registry = parts.registry;
    this.workspace = parts.place.workspace;
    this.models = parts.place.models;
    this.#ids = new IdSource();
    this.work = parts.work;
    this.#lifetime = new KitLifetime(parts.host, parts.signal);
    this.delegate = delegateTask(delegation, this.#lifetime);
    this.agents = kitAgents(
      own,
      this.#lifetime.signal,
      async () => (await (await parts.agentFiles?.())?.list()) ?? [],
    );
  }

  /**
   * Current mode.
   *
   * @group Permissions
   */
  get mode(): Mode {
    return this.#parts.getMode();
  }

  /**
   * Sets the mode from the next call on. Derived kits keep their own mode. Throws PERMISSION_DENIED if the settings
   * disable the mode.
   *
   * @group Permissions
   */
  setMode(mode: Mode): void {
    checkMode(mode);
    refuseDisabledBypass(mode, this.#parts.place.isBypassDisabled);
    this.#parts.setMode(mode);
  }

  /**
   * Problems in the settings, rules and tools of the kit, and of its event log while it cannot store events.
   *
   * @group Workspace and storage
   */
  get problems(): readonly (SettingsProblem | RuleProblem)[] {
    return allProblems(this.#parts);
  }

  /**
   * Current rules, with methods to add rules and to remove those stored in files.
   *
   * @group Permissions
   */
  get permissions(): Permissions {
    return this.#parts.permissions;
  }

  /**
   * Skills of the workspace and of the user: their list, their text, a check of one, and the hubs that have more.
   *
   * @group Workspace and storage
   */
  get skills(): KitSkillList & KitSkillHubs {
    return lists.lazySkillList(this.#parts, async (call) => await this.explain(call));
  }

  /**
   * MCP servers of the settings: their state, their tools, and a check of one.
   *
   * @group Tools
   */
  get mcp(): KitMcp {
    return this.#parts.servers?.listed ?? noMcpServers;
  }

  /**
   * Instructions that runs get from AGENTS.md and CLAUDE.md; undefined where no files are read.
   *
   * @group Workspace and storage
   */
  get instructions(): KitInstructions | undefined {
    return lists.instructionsOf(this.#parts);
  }

  /**
   * Slash commands of the project and the user.
   *
   * @group Workspace and storage
   */
  get commands(): KitCommands {
    return lists.lazyCommands(this.#parts, async (call, options) => await this.call(call, options));
  }

  /**
   * Plugins of the project and the user: their list, and ways to install and remove one.
   *
   * @group Workspace and storage
   */
  get plugins(): KitPlugins {
    return lists.lazyPlugins(this.#parts, async (call) => await this.explain(call));
  }

  /**
   * Tools that models or users wrote and that are stored in the workspace: their list, a check of one, a new one.
   *
   * @group Tools
   */
  get createdTools(): KitCreatedTools {
    return lazyCreatedList(this.#parts, async (call) => await this.call(call));
  }

  /**
   * Hooks of the settings: their list, and a way to try them.
   *
   * @group Workspace and storage
   */
  get hooks(): KitHookList {
    return lists.lazyHookList(this.#parts);
  }

  /**
   * Settings with their origins, as they were when the kit was opened.
   *
   * @group Workspace and storage
   */
  get settings(): KitSettings {
    return lists.lazySettings(this.#parts);
  }

  /**
   * File that events are written to; undefined when they are only stored in memory or the file cannot be opened.
   *
   * @group Workspace and storage
   */
  get logFile(): string | undefined {
    return this.#parts.log.file;
  }

  /**
   * Directory of artifacts, journal and logs.
   *
   * @group Workspace and storage
   */
  get dataDirectory(): string {
    return this.#parts.place.dataDirectory;
  }

  /**
   * Background tasks, running and ended: of every session, including those of earlier processes.
   *
   * @group Agents, tasks and sessions
   */
  get tasks(): KitTasks {
    return this.#parts.tasks;
  }

  /**
   * Stored sessions of the data directory, running and ended, including those of earlier processes.
   *
   * @group Agents, tasks and sessions
   */
  get sessions(): KitSessions {
    return (this.#sessions ??= kitSessions(
      async () => {
        this.#lifetime.open(undefined);
        return await this.#parts.sessionFile.open();
      },
      (prefix) => this.#ids.next(prefix),
    ));
  }

  /**
   * Runs one call through every step. Never rejects because of what the call does; rejects with a TypeError if the kit
   * is disposed.
   *
   * @group Calls
   */
  async call(call: Call, options?: CallOptions): Promise<Outcome> {
    const opened = this.#opened(call);
    const linked = this.#lifetime.open(options);
    const engine = this.#engine ?? (await this.#load());
    if (this.#parts.servers !== undefined) await this.#parts.servers.learn([opened]);
    const running = engine.call(opened, linked);
    this.#lifetime.running.add(running);
    try {
      const outcome = await running;
      // A tool that was called by name needs no search any more.
      this.#deferral.join(outcome.tool, linked?.sessionId);
      return outcome;
    } finally {
      this.#lifetime.running.delete(running);
    }
  }

  /**
   * Runs the calls of one turn: conflicting ones in order, the rest together. Outcomes come in call order.
   *
   * @group Calls
   */
  async callAll(calls: readonly Call[], given?: CallAllOptions): Promise<readonly Outcome[]> {
    const { onOutcome, ...options } = given === undefined ? {} : checkCallAllOptions(given);
    const linked = this.#lifetime.open(given === undefined ? undefined : options);
    const turn = checkCalls(calls).map((call) => this.#opened(call));
    const engine = await this.#load(turn);
    const outcomes = await this.#lifetime.track(engine.callAll(turn, { ...linked, onOutcome }));
    for (const { tool } of outcomes) this.#deferral.join(tool, linked?.sessionId);
    return outcomes;
  }

  /**
   * Finds out whether a call that was interrupted took effect, so that it is not repeated by mistake. Runs nothing and
   * asks no one; `repeatable` for a call that changes nothing.
   *
   * @group Calls
   */
  async reconcile(call: Call, options?: CallOptions): Promise<Reconciliation> {
    const linked = this.#lifetime.open(options);
    return await this.#lifetime.track((await this.#load()).reconcile(this.#opened(call), linked));
  }

  /**
   * Lists what a call would touch and what the rules decide about it. Runs nothing and asks no one.
   *
   * @group Calls
   */
  async explain(call: Call): Promise<Explanation> {
    this.#lifetime.open(undefined);
    const opened = this.#opened(call);
    return await (await this.#load([opened])).explain(opened);
  }

  /**
   * Predicts what a call would change, exactly where that can be known, and what it would return. Nothing outside the
   * preview changes. A denied call is not previewed; a program that needs approval is run only if `approved` is true.
   *
   * @group Calls
   */
  async preview(call: Call, given: PreviewCallOptions = {}): Promise<CallPreview> {
    const { approved = false, ...options } = checkPreviewOptions(given);
    const opened = this.#opened(call);
    const linked = this.#lifetime.open(options);
    const engine = await this.#load([opened]);
    return await this.#lifetime.track(engine.preview(opened, { ...linked, approved }));
  }

  /**
   * Returns the tools that a model sees now, in a provider's format: all of them, or the core tools and those that the
   * session has found or called where there are many. `names` and `all` also return deferred ones.
   *
   * @group Tools
   */
  async definitions<F extends DefinitionFormat>(
    format: F,
    options: ModelDefinitionOptions = {},
  ): Promise<Definitions<DefinitionByFormat[F]>> {
    const { all, sessionId, ...given } = checkModelDefinitionOptions(options);
    const offer = { mode: this.mode, ...given };
    this.#parts.servers?.begin();
    if (offer.names !== undefined) return await this.registry.getDefinitions(format, offer);
    const shown = this.#deferral.shown(this.registry.getOffered(offer), { all, sessionId });
    return await this.registry.getDefinitions(format, {
      ...offer,
      names: shown.map(({ name }) => name),
    });
  }

  /**
   * Names of the tools that the model of a session sees now.
   *
   * @group Tools
   */
  activeTools(sessionId?: string): readonly string[] {
    checkSession(sessionId);
    const offered = this.registry.getOffered({ mode: this.mode });
    return this.#deferral.shown(offered, { sessionId }).map(({ name }) => name);
  }

  /**
   * Finds tools as ToolSearch does, and activates none.
   *
   * @group Tools
   */
  async searchTools(query: string, sessionId?: string): Promise<FoundTools> {
    checkToolText("query of searchTools", query, sessionId);
    return await this.#deferral.search(query, sessionId);
  }

  /**
   * Shows a deferred tool to the model of a session from now on; false if nothing changed.
   *
   * @group Tools
   */
  activateTool(name: string, sessionId?: string): boolean {
    checkToolText("name of activateTool", name, sessionId);
    return this.#deferral.activate(name, sessionId);
  }

  /**
   * Whether a tool is offered but the model of a session does not see it yet.
   *
   * @group Tools
   */
  isDeferred(name: string, sessionId?: string): boolean {
    checkToolText("name of isDeferred", name, sessionId);
    return this.#deferral.isDeferred(name, sessionId);
  }

  /**
   * Defers again what a session has found and called. A new session begins without activated tools.
   *
   * @group Tools
   */
  resetActivations(sessionId?: string): void {
    checkSession(sessionId);
    this.#deferral.reset(sessionId);
  }

  /**
   * Tools that are offered now, sorted by name. Loads no tool.
   *
   * @group Tools
   */
  listings(options: DefinitionOptions = {}): readonly ToolListing[] {
    const all = this.registry.listings({
      mode: this.mode,
      ...checkDefinitionOptions("listings", options),
    });
    const listings = this.#deferral.isOn ? all : this.#deferral.withoutFinders(all);
    if (!this.#parts.services.provides(commandPreview)) return listings;
    // Commands run on an overlay here, so any of them can be previewed and undone.
    return listings.map((each) => (each.staged === "commands" ? { ...each, level: 2 } : each));
  }

  /**
   * Whether commands run so that all their changes can be previewed and undone. Probes on the first call.
   *
   * @group System
   */
  async stagesCommands(): Promise<boolean> {
    this.#lifetime.open(undefined);
    if (this.#parts.services.provides(commandPreview)) return true;
    return (await this.#parts.sandboxes.overlays.unavailable()) === undefined;
  }

  /**
   * Calls the listener for every event from now on; the returned function ends that.
   *
   * @group Events
   */
  subscribe(listener: (event: HaftEvent) => void): () => void {
    return this.#parts.bus.subscribe(checkListener(listener));
  }

  /**
   * Emits an event, numbered and dated by the kit. Throws a TypeError if it is not an event.
   *
   * @group Events
   */
  emit(event: NewEvent): void {
    this.#parts.bus.emit(checkEvent(event));
  }

  /**
   * Current time of the host's clock, in milliseconds since the epoch.
   *
   * @group Events
   */
  now(): number {
    return this.#parts.host.clock.now();
  }

  /**
   * Returns a new id with this prefix, unique within the kit.
   *
   * @group Events
   */
  newId(prefix: string): string {
    return this.#ids.next(prefix);
  }

  /**
   * Lists the calls that changed files, or that their tools can undo, newest first.
   *
   * @group History
   */
  async history(): Promise<readonly HistoryEntry[]> {
    this.#lifetime.open(undefined);
    const engine = await this.#load();
    return await this.#lifetime.track(engine.history());
  }

  /**
   * Lists what one call changed, path by path. Rejects with NOT_FOUND if it is not in the history.
   *
   * @group History
   */
  async diff(callId: string): Promise<readonly PathDifference[]> {
    this.#lifetime.open(undefined);
    const id = checkCallId(callId);
    const { journal } = await this.#load();
    return await this.#lifetime.track(journal.diff(id));
  }

  /**
   * Undoes the changes of calls; refuses, per path, what has changed since the call. A call whose tool defines its own
   * undo is undone by that, under the rules that apply to the call now.
   *
   * @group History
   */
  async undo(target: UndoTarget = { last: 1 }, options: UndoOptions = {}): Promise<UndoReport> {
    const calls = checkUndoTarget(target);
    const { signal: given, ...how } = checkUndoOptions(options);
    const { signal } = this.#lifetime.open(given === undefined ? undefined : { signal: given });
    const engine = await this.#load();
    return await this.#lifetime.track(engine.undo(calls, { ...how, signal }));
  }

  /**
   * Redoes the last undo. Rejects with NOT_FOUND if a call has changed something since.
   *
   * @group History
   */
  async redo(options: Pick<UndoOptions, "force"> = {}): Promise<UndoReport> {
    this.#lifetime.open(undefined);
    const how = checkRedoOptions(options);
    const engine = await this.#load();
    return await this.#lifetime.track(engine.redo(how));
  }

  /**
   * Deletes old artifacts and events, and what the journal stores beyond its quota; a dry run reports what would be deleted.
   *
   * @group Workspace and storage
   */
  async collectGarbage(given: { readonly dryRun?: boolean } = {}): Promise<CollectionReport> {
    this.#lifetime.open(undefined);
    const options = checkGarbageOptions(given);
    const engine = await this.#load();
    return await this.#lifetime.track(collectParts(this.#parts, engine, options));
  }

  /**
   * Checks by trying what works on this system and what does not.
   *
   * @group System
   */
  async doctor(): Promise<DoctorReport> {
    this.#lifetime.open(undefined);
    const { examine } = await import("./doctor.ts");
    const journal = async (): Promise<Journal> => (this.#engine ?? (await this.#load())).journal;
    return await this.#lifetime.track(examine({ ...this.#parts, journal }, this.problems));
  }

  /**
   * Reports whether the workspace is recorded as trusted, what there is to trust, and what trust permits; the result
   * can record it.
   *
   * @group Permissions
   */
  async workspaceTrust(): Promise<WorkspaceTrust> {
    this.#lifetime.open(undefined);
    const { workspaceTrust } = await import("./rules/workspace-trust.ts");
    return await this.#lifetime.track(workspaceTrust(this.#parts));
  }

  /**
   * Runs a program of the user's in the sandbox that commands of this kit get; no rule is checked and nothing is
   * journaled. Rejects with UNAVAILABLE if no sandbox works here.
   *
   * @group System
   */
  async runConfined(
    program: readonly string[],
    given: RunConfinedOptions = {},
  ): Promise<ConfinedRun> {
    const { argv, options } = checkRunConfined(program, given);
    const { signal = this.#lifetime.signal } = this.#lifetime.open({ signal: options.signal });
    const { runConfined } = await import("./confinement/run-confined.ts");
    const parts = { ...this.#parts, id: this.#ids.next("confined") };
    return await this.#lifetime.track(runConfined(parts, argv, { ...options, signal }));
  }

  /**
   * Starts an agent with these tools on a task. Where sessions are stored, a run with the `sessionId` of a stored one
   * continues its conversation, also without a `task`; calls that were interrupted are settled first. Invalid options
   * throw a TypeError; every other failure, such as a model that cannot be opened, is in the result.
   *
   * @group Agents, tasks and sessions
   */
  run(given: KitRunOptions): AgentRun {
    this.#lifetime.open(undefined);
    const options = checkRunOptions(given);
    const run = runOfKit(this, {
      given: options,
      parts: this.#parts,
      ending: this.#lifetime.signal,
    });
    this.#lifetime.track(run.result).catch(() => undefined);
    return run;
  }

  /**
   * Creates a toolkit that can do no more than this one, and less where the options say so. Dispose it separately;
   * disposing the parent also disposes it.
   *
   * @group Lifecycle
   */
  derive(given: DeriveOptions = {}): Kit {
    this.#lifetime.open(undefined);
    const parts = derivedParts(this.#parts, checkDeriveOptions(given), this.#lifetime.signal);
    const child = new Kit(parts);
    if (parts.hooks !== this.#parts.hooks) parts.hooks?.attach(child);
    this.#children.add(child);
    child.#onDisposed = () => this.#children.delete(child);
    return child;
  }

  /**
   * Aborts running calls, waits for them, and leaves no process, file handle or timer behind. Safe to call twice.
   *
   * @group Lifecycle
   */
  async dispose(): Promise<void> {
    await this.#lifetime.dispose(async () => await this.#close());
  }

  /**
   * Same as `dispose`, for `await using`.
   *
   * @group Lifecycle
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.dispose();
  }

  #onDisposed: () => void = () => undefined;

  async #close(): Promise<void> {
    if (!this.#parts.isDerived) await this.#parts.hooks?.endSessions();
    this.#lifetime.end();
    await Promise.all([...this.#children].map(async (child) => await child.dispose()));
    await this.#lifetime.settled();
    this.#onDisposed();
    await releaseParts(this.#parts);
  }

  /** The call inside an envelope, or the same call. Every step sees the tool that is called. */
  #opened(call: Call): Call {
    const inner = this.#parts.openEnvelope?.(call, this.registry) ?? call;
    return inner === call || this.#deferral.hasEnvelope ? inner : call;
  }

  async #load(calls: readonly Call[] = []): Promise<Engine> {
    await this.#parts.servers?.learn(calls);
    const family = await this.#parts.engines();
    return (this.#engine ??= family.open(
      this.#parts,
      (prefix) => this.#ids.next(prefix),
      this.#lifetime.signal,
    ));
  }
}
