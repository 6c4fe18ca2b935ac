import {
  type EditChecks,
  type Effect,
  type Host,
  type Limits,
  type Mode,
  type OnAsk,
} from "../core/index.ts";
import type { Compensations, Journal } from "../journal/index.ts";
import type {
  QuestionQueue,
  Checkpoints,
  FailureStreaks,
  KnownHooks,
  PipelineEnvironment,
  Tracer,
} from "../pipeline/index.ts";
import {
  classOf,
  placesBeyond,
  placesOpenedByAny,
  type Ceiling,
  type LayerRule,
} from "../policy/index.ts";
import { decodeLegacyTexts, noteHookChanges } from "../tools/index.ts";
import { actingHost } from "../host/index.ts";
import { storedFor } from "./created/lazy-created.ts";
import { judging } from "./rules/agent-rules.ts";
import type { Registry } from "../registry/index.ts";
import type { Artifacts } from "../artifacts/index.ts";
import type { CommandOverlays } from "../changes/index.ts";
import { confineCalls } from "../changes/index.ts";
import { confineSearches } from "../changes/index.ts";
import { notUndoable } from "../changes/index.ts";
import type { EventBus } from "../session/index.ts";
import type { Place } from "./workspace-context.ts";
import { tryCommands } from "../changes/index.ts";
import type { RuleBook } from "./rules/rule-book.ts";
import { wholePaths } from "../changes/index.ts";
import type { KitSandboxes } from "./confinement/kit-sandboxes.ts";
import type { KitServices } from "./services.ts";
import { taintOf, type Taints } from "./sessions/taints.ts";

/** State shared by a kit and the kits derived from it. */
export interface SharedParts {
  readonly hooks: KnownHooks;
  readonly onAsk: OnAsk | undefined;
  readonly tracer: Tracer | undefined;
  readonly whyMissing: PipelineEnvironment["whyMissing"];
  readonly maxChars: number;
  /** Undefined where the settings name no checker and no language server. */
  readonly editChecks: EditChecks | undefined;
  /** Built-in allow rules that the settings leave; undefined: all. */
  readonly builtIn: readonly LayerRule[] | undefined;
  readonly shownChars: ReadonlyMap<string, number>;
  readonly answerLimits: Limits["answer"];
  readonly redactSecrets: boolean;
  /** Ceilings of active skills; a child has those of its session too. */
  readonly activeCeilings: PipelineEnvironment["activeCeilings"];
  readonly refusals: Map<string, number>;
  readonly onBadSuggestion: (tool: string, why: string) => void;
  /** A child continues the session of its parent, including the taint of that session. */
  readonly taints: Taints;
}

export interface EnvironmentParts {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly services: KitServices;
  readonly artifacts: Artifacts;
  readonly bus: EventBus;
  readonly getMode: () => Mode;
  readonly ceilings: readonly Ceiling[];
  readonly sandboxes: KitSandboxes;
  /** Stores a record about a call; undefined where runs are not stored. */
  readonly recordCall: PipelineEnvironment["recordCall"];
  readonly shared: SharedParts;
}

/** Created on the first call. */
interface EngineParts {
  readonly journal: Journal;
  readonly compensations: Compensations;
  readonly askQueue: QuestionQueue;
  readonly streaks: FailureStreaks;
  readonly activeCallKeys: Set<string>;
}

/** Builds the environment in which the pipeline runs calls of a kit. */
export function kitEnvironment(
  parts: EnvironmentParts & EngineParts,
  newId: (prefix: string) => string,
): PipelineEnvironment {
  const {
    place,
    registry,
    rules,
    services,
    artifacts,
    bus,
    journal,
    compensations,
    askQueue,
    streaks,
    activeCallKeys,
    shared,
  } = parts;
  const judge = judging(parts);
  const host = actingHost(parts.host, place.artifactDirectory);
  parts.sandboxes.overlays.recoverBy(parts.host, async () => await journal.recover());
  return {
    ...shared,
    askQueue,
    streaks,
    activeCallKeys,
    host,
    stage: async () => await (await import("../host/index.ts")).openStagedHost(host),
    registry,
    workspace: place.workspace,
    cwd: place.workspace,
    services: (sessionId) => services.of(sessionId),
    keepArtifact: async (callId, text, sessionId) =>
      await artifacts.of(sessionId).keep(callId, text),
    artifactOf: (callId) => artifacts.taken(callId),
    checkpoints: checkpointsOf(journal, parts.sandboxes.overlays, {
      roots: place.boundary.roots,
      opened: () =>
        wholePaths(placesOpenedByAny({ rules: rules.current(), trusted: place.trusted })),
    }),
    compensations,
    writtenByKit: (tool, input) => (place.store === undefined ? [] : storedFor(tool, input, place)),
    noteHookChanges,
    recordCall: parts.recordCall,
    decodeOlder: decodeLegacyTexts,
    tryCommand: tryCommands({
      host,
      newId,
      judge,
      ...parts.sandboxes,
    }),
    confineSearch: confineSearches({ host, ...parts.sandboxes }),
    confine: confineCalls({
      host,
      journal,
      judge,
      roots: place.boundary.roots,
      cwd: place.workspace,
      ...parts.sandboxes,
    }),
    rules: () => rules.current(),
    mode: parts.getMode,
    boundary: () => place.boundary,
    builtIn: shared.builtIn,
    ceilings: parts.ceilings.length === 0 ? undefined : parts.ceilings,
    trusted: place.trusted,
    taint: (sessionId) => taintOf(shared.taints, sessionId),
    saveRule: async (rule, scope) => await rules.save(rule, scope),
    emit: (event) => bus.emit(event),
    now: () => host.clock.now(),
    newId,
    isInside: (effect: Effect) =>
      effect.kind === "execute"
        ? placesBeyond(effect, place.boundary).length === 0
        : effect.kind === "read" && classOf(effect, place.boundary) === "read-inside",
  };
}

function checkpointsOf(
  journal: Journal,
  overlays: CommandOverlays,
  { roots, opened }: { roots: readonly string[]; opened: () => readonly string[] },
): Checkpoints {
  // Where an overlay only fails this time, no program that needs one starts.
  const whyRealFiles = async (): Promise<string | undefined> =>
    await overlays.unavailable().catch(() => undefined);
  return {
    async assessPrograms() {
      const because = await whyRealFiles();
      return because === undefined
        ? undefined
        : `What it changes beyond its declared writes cannot be undone. ${because}`;
    },
    assess: async (writes) => {
      const { level, skipped } = await journal.assess(writes);
      if (level === "full") return undefined;
      const [first] = skipped;
      return `Not all of it can be undone${first === undefined ? "" : `: ${first.path}: ${first.because}`}.`;
    },
    async watched() {
      // Paths that only rules open are under no overlay.
      const beside = opened().filter((path) => !overlays.covers(path));
      return (await whyRealFiles()) === undefined ? beside : [...roots, ...beside];
    },
    before: async (callId, writes, info) => {
      const { level, transaction } = await journal.checkpoint(callId, writes, info);
      return { undo: { callId, level }, transaction };
    },
    inside: (callId, work) => journal.inside(callId, work),
    after: async (callId) => {
      const entry = await journal.settle(callId);
      if (entry === undefined) return undefined;
      const { level, unkept, seen } = entry;
      const known = { callId, level, ...(seen === undefined ? {} : { seen }) };
      if (unkept === undefined) return known;
      const { paths, isCounted } = unkept;
      return { ...known, note: notUndoable(paths.length, paths, isCounted) };
    },
    trackHookChanges: (call) => journal.trackHookChanges(call),
    notice: () => journal.takeNotice(),
  };
}
