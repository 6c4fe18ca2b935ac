import { joinPath } from "../text/index.ts";
import {
  type Call,
  type CallAllOptions,
  type CallOptions,
  type Explanation,
  type Host,
  type Outcome,
  type PreviewResult,
  type Reconciliation,
  type Limits,
} from "../core/index.ts";
import {
  directoryOn,
  draftMarkOf,
  isRunningProcess,
  localPathTurns,
  ownProcess,
} from "../host/index.ts";
import {
  createCompensations,
  createJournal,
  type Compensations,
  type Journal,
  type UndoOptions,
  type UndoTarget,
} from "../journal/index.ts";
import {
  QuestionQueue,
  declaredPreview,
  explainCall,
  FailureStreaks,
  previewCall,
  reconcileCall,
  resolved,
  runCall,
  shareStops,
  shownPreview,
  toolErrorOf,
  type CallState,
  type PipelineEnvironment,
  type PreviewOptions,
} from "../pipeline/index.ts";
import { createScheduler, runCalls, withinTurn, type Scheduler } from "../schedule/index.ts";
import { decodeLegacyTexts } from "../tools/index.ts";
import { kitEnvironment, type EnvironmentParts } from "./kit-environment.ts";
import type { OpenHosts } from "./hosts/open-hosts.ts";
import {
  watchSettings,
  type SettingsWatch,
  type SettingsWatchOptions,
} from "./settings/settings-watch.ts";
import type { RuleBook } from "./rules/rule-book.ts";
import { Turns } from "../pipeline/index.ts";
import {
  pastCalls,
  redoPast,
  undoPast,
  type UndoReport,
  type HistoryEntry,
  type PastParts,
} from "../pipeline/index.ts";

/** Explanation of a call and, if its tool can predict them, its changes. */
export interface CallPreview extends Explanation {
  /** Predicted changes; absent if the call is denied or cannot be previewed. */
  readonly preview?: PreviewResult;
}

/** State that a kit and the kits derived from it share once one of them has run a call. */
export interface SharedState {
  /** Creates the engine of one of them, with the signal that aborts its calls. */
  open(parts: EnvironmentParts, newId: (prefix: string) => string, ending: AbortSignal): Engine;
}

export interface EngineFamilyOptions {
  readonly limits: Pick<Limits, "undo">;
  /** Settings files to watch; undefined where none are read. */
  readonly watching: SettingsWatchOptions | undefined;
}

export function engineFamily(
  dataDirectory: string,
  hosts: Pick<OpenHosts, "journalOn">,
  { limits: { undo: quota }, watching }: EngineFamilyOptions,
): SharedState {
  const shared = {
    askQueue: new QuestionQueue(),
    streaks: new FailureStreaks(),
    activeCallKeys: new Set<string>(),
  };
  const settings = watching && watchSettings(watching, shared.askQueue);
  const newJournal = (host: Host): Journal => {
    const own = ownProcess();
    return createJournal({
      host,
      directory: directoryOn(host, joinPath(dataDirectory, "journal")),
      decodeOlder: decodeLegacyTexts,
      quota: { bytes: quota.totalBytes, calls: quota.calls, days: quota.days },
      processes: own === undefined ? undefined : { own, isRunning: isRunningProcess, draftMarkOf },
      turns: host.info.capabilities.confinement === true ? localPathTurns() : undefined,
    });
  };
  return {
    open(parts, newId, ending) {
      shareStops(ending);
      const journal = hosts.journalOn(parts.host, () => newJournal(parts.host));
      const compensations = createCompensations({
        fs: parts.host.fs,
        clock: parts.host.clock,
        directory: directoryOn(parts.host, joinPath(dataDirectory, "undo")),
        quota,
      });
      const own = { ...parts, ...shared, journal, compensations };
      const environment = kitEnvironment(own, newId);
      return new Engine(
        { journal, compensations, environment, maxCalls: quota.calls },
        parts.rules,
        settings,
      );
    },
  };
}

/** Runs a kit's calls. Loaded with the first call, so that a kit that is only asked what it offers does not load it. */
export class Engine {
  readonly journal: Journal;
  readonly compensations: Compensations;
  readonly #past: PastParts;
  readonly #environment: PipelineEnvironment;
  readonly #rules: RuleBook;
  readonly #settings: SettingsWatch | undefined;
  readonly #turns = new Turns();
  #ordered: Scheduler | undefined;

  constructor(past: PastParts, rules: RuleBook, settings: SettingsWatch | undefined) {
    this.journal = past.journal;
    this.compensations = past.compensations;
    this.#past = past;
    this.#environment = past.environment;
    this.#rules = rules;
    this.#settings = settings;
  }

  call(call: Call, options: CallOptions): Promise<Outcome> {
    if (this.#settings === undefined) return this.#follow(call, options);
    return this.#settings.check(options).then(() => this.#follow(call, options));
  }

  #follow(call: Call, options: CallOptions): Promise<Outcome> {
    const following = this.#rules.followLinks();
    if (following === undefined) return this.#start(call, options);
    return following.then(() => this.#start(call, options));
  }

  #start(call: Call, options: CallOptions): Promise<Outcome> {
    if (options.turn === undefined && options.inOrder !== true) {
      return runCall(call, this.#environment, { options });
    }
    const turn = this.#turns.of(options);
    const within = options.turn === undefined ? options : withinTurn(options, turn);
    if (options.inOrder !== true)
      return runCall(call, this.#environment, { options: within, turn });
    this.#ordered ??= createScheduler(this.#environment);
    return this.#ordered.submit(call, within, turn);
  }

  async callAll(calls: readonly Call[], options: CallAllOptions): Promise<readonly Outcome[]> {
    await this.#settings?.check(options);
    const following = this.#rules.followLinks();
    if (following !== undefined) await following;
    return await runCalls(calls, this.#environment, { options, turn: this.#turns.begin(options) });
  }

  async history(): Promise<readonly HistoryEntry[]> {
    return await pastCalls(this.#past);
  }

  async undo(
    target: UndoTarget,
    options: UndoOptions & Pick<CallOptions, "signal" | "onAsk">,
  ): Promise<UndoReport> {
    await this.#readRules();
    return await undoPast(this.#past, target, options);
  }

  async redo(options: Pick<UndoOptions, "force">): Promise<UndoReport> {
    return await redoPast(this.#past, options);
  }

  /** Brings the rules up to date where no question may be asked. */
  async #readRules(): Promise<void> {
    await this.#settings?.checkTrust();
    await this.#rules.followLinks();
  }

  /**
   * Finds out whether an interrupted call took effect: its tool looks, or the journal knows. A call that makes all its
   * changes through its host changed nothing before the journal had its before-images.
   */
  async reconcile(call: Call, options: CallOptions): Promise<Reconciliation> {
    const found = await reconcileCall(call, this.#environment, options);
    if (found !== undefined) return found;
    if (call.id === undefined) return "unknown";
    const history = await this.journal.history();
    // Another session may have given a call of its own the same id.
    const entry = history.find(
      ({ callId, sessionId }) => callId === call.id && sessionId === options.sessionId,
    );
    if (entry?.state === "done") return "done";
    const tool = this.#environment.registry.resolve(call.name);
    if (tool?.traits.staged !== "files") return "unknown";
    const isUnchanged = entry === undefined || (await this.journal.diff(entry.callId)).length === 0;
    return isUnchanged ? "not-done" : "unknown";
  }

  async explain(call: Call): Promise<CallPreview> {
    await this.#readRules();
    return explanationOf(await explainCall(call, this.#environment));
  }

  async preview(call: Call, options: CallOptions & PreviewOptions): Promise<CallPreview> {
    await this.#readRules();
    const state = await explainCall(call, this.#environment, { options });
    const explanation = explanationOf(state);
    // A refused call gets no preview either: a preview reads what the call would have read.
    if (state.error !== undefined || state.decision?.kind === "deny") return explanation;
    try {
      const preview =
        (await previewCall(resolved(state), this.#environment, options)) ??
        declaredPreview(state, this.#environment);
      return { ...explanation, preview: shownPreview(preview, this.#environment) };
    } catch (error) {
      // If the call would fail, its error is the answer.
      return { ...explanation, error: toolErrorOf(error).toJSON() };
    }
  }
}

function explanationOf(state: CallState): CallPreview {
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
