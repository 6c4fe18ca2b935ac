import type { Model } from "../../agent/index.ts";
import type { AgentKit } from "../agents/bound-agents.ts";
import type { KitRunOptions } from "../runs/run-options.ts";
import type { Explanation, Host, Mode, NewEvent, OnAsk } from "../../core/index.ts";
import type { Hooks } from "../../pipeline/index.ts";
import type { Boundary, RuleSource } from "../../policy/index.ts";
import type { Registry } from "../../registry/index.ts";
import {
  hookInput,
  hookName,
  hookVariables,
  type HookContext,
  type HookEventName,
  type HookSet,
  type HookVerdicts,
} from "../../workspace/index.ts";

/** Session, agent and run that an event belongs to. */
export interface HookSource {
  readonly sessionId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly runId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An event for which hooks may run. */
export interface KitOccasion {
  readonly event: HookEventName;
  readonly names: readonly string[];
  /** Fields of the event in addition to those that every event has. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly source: HookSource;
  readonly callId?: string;
  readonly meets?: (rule: string) => Promise<boolean>;
  readonly onProgramStart?: HookContext["onProgramStart"];
}

export interface KitHooksParts {
  readonly host: Host;
  readonly place: {
    readonly workspace: string;
    readonly boundary: Boundary;
    readonly trusted: boolean;
    readonly anchors: Pick<RuleSource, "base" | "cwd" | "home">;
  };
  readonly registry: Registry;
  readonly set: HookSet;
  readonly sessions: HookSessions;
  /** Hooks of the program, which run before those of the settings. */
  readonly given: Hooks;
  readonly onAsk: OnAsk | undefined;
  readonly getMode: () => Mode;
  readonly emit: (event: NewEvent) => void;
  readonly newId: () => string;
  readonly confine: HookContext["confine"];
  /** Name of the definition of an agent that is running. */
  readonly agentType: (agentId: string) => string | undefined;
  readonly explain: (call: {
    readonly name: string;
    readonly input: unknown;
  }) => Promise<Explanation>;
  /** Opens a model that a hook names. Rejects for one that cannot be used. */
  readonly openModel: (name: string) => Promise<Model>;
  /** The kit whose hooks these are; undefined until it is open. */
  readonly kit: () => AgentKit | undefined;
}

/** Hooks of a kit: those of the program and those of the settings, skills and agents. */
export interface KitHooks {
  readonly set: HookSet;
  /** Runs the hooks of an event and reports what they say; undefined if there are none. */
  run(occasion: KitOccasion): Promise<HookVerdicts | undefined>;
  /** Type of an agent as matchers name it: its definition, or its id where the program runs it itself. */
  typeOf(agentId: string | undefined): string | undefined;
  /** Whether the calls of this agent are those of a hook. */
  isOfHook(agentId: string | undefined): boolean;
  /** Adds a session; returns whether it is new here. */
  openSession(sessionId: string): boolean;
  /** Runs the hooks for the end of every session of the kit. */
  endSessions(): Promise<void>;
  /** Registers a run, so that a hook can end it and ask its model; the returned function removes it. */
  follow(runId: string, run: FollowedRun): () => void;
}

export interface FollowedRun {
  readonly abort: (reason: string) => void;
  /** Model for a hook that names none. */
  readonly model?: Model;
  /** Model and budget for an agent that a hook asks. */
  readonly agentModel?: () => Pick<KitRunOptions, "model" | "budget">;
}

/** Sessions that hooks have seen start, and the runs that they follow. */
export interface HookSessions {
  readonly opened: Set<string>;
  /** Each run, and how the hooks of its kit are run. */
  readonly runs: Map<string, FollowedRun & Pick<KitHooks, "run">>;
  /** Ids of hooks whose calls are in progress, given as those of agents. */
  readonly callers: Set<string>;
}

/** Sessions and runs of a kit whose hooks have not run yet. */
export function noHookSessions(): HookSessions {
  return { opened: new Set(), runs: new Map(), callers: new Set() };
}

export function kitHooks(parts: KitHooksParts): KitHooks {
  const { host, place, set, emit, getMode, newId, confine } = parts;
  const { opened: sessions, runs, callers } = parts.sessions;
  const env = hookVariables(place.workspace);
  /** Makes calls of a hook, under an id of their own. */
  const asHook = async <T>(work: (callerId: string, kit: AgentKit) => Promise<T>): Promise<T> => {
    const kit = parts.kit();
    if (kit === undefined) throw new TypeError("The kit is not open yet.");
    const callerId = newId();
    callers.add(callerId);
    try {
      return await work(callerId, kit);
    } finally {
      callers.delete(callerId);
    }
  };
  const context = ({ runId, sessionId }: HookSource): HookContext => ({
    askAgent: async (question, signal) =>
      await asHook(async (agentId, kit) => {
        const { askHookAgent } = await import("./hook-calls.ts");
        const models = runs.get(runId ?? "")?.agentModel?.();
        return await askHookAgent(question, { kit, agentId, models, signal });
      }),
    callTool: async (call, signal) =>
      await asHook(async (agentId, kit) => {
        const { callHookTool } = await import("./hook-calls.ts");
        return await callHookTool(call, { kit, agentId, sessionId, signal });
      }),
    host,
    cwd: place.workspace,
    newId,
    confine,
    variable: (name) => process.env[name],
    askModel: async ({ prompt, model: name }, signal) => {
      const model = name === undefined ? runs.get(runId ?? "")?.model : await parts.openModel(name);
      if (model === undefined) throw new Error("no model is known that it could ask");
      const { askHookModel } = await import("./hook-calls.ts");
      return await askHookModel(prompt, model, signal);
    },
  });
  const typeOf: KitHooks["typeOf"] = (agentId) =>
    agentId === undefined ? undefined : (parts.agentType(agentId) ?? agentId);
  const run: KitHooks["run"] = async ({ event, names, fields, source, callId, ...more }) => {
    const { meets, onProgramStart } = more;
    if (!set.has(event)) return undefined;
    const { sessionId, agentId, runId, signal } = source;
    const isOfHook = callers.has(agentId ?? "");
    // Only its calls are events, not its start and its end.
    if (isOfHook && callId === undefined) return undefined;
    const agentType = typeOf(agentId);
    const facts = { event, sessionId, agentId, agentType, mode: getMode() };
    const verdicts = await set.run(
      {
        event,
        names,
        input: hookInput({ ...facts, workspace: place.workspace }, fields),
        env,
        signal,
        sessionId,
        runId,
        agentId,
        isOfHook,
        ...(meets === undefined ? {} : { meets }),
      },
      { ...context(source), onProgramStart },
    );
    const about = { sessionId, agentId, ...(runId === undefined ? {} : { runId }) };
    report(verdicts, { event, emit, about: { ...about, ...(callId && { callId }) } });
    if (verdicts.stop !== undefined && runId !== undefined) runs.get(runId)?.abort(verdicts.stop);
    return verdicts;
  };
  return {
    isOfHook: (agentId) => callers.has(agentId ?? ""),
    openSession(sessionId) {
      const isNew = !sessions.has(sessionId);
      sessions.add(sessionId);
      return isNew;
    },
    async endSessions() {
      const ended = [...sessions];
      sessions.clear();
      const reason = "other";
      await Promise.all(
        ended.map(async (sessionId) => {
          const source = { sessionId };
          await run({ event: "SessionEnd", names: [reason], fields: { reason }, source });
        }),
      );
    },
    set,
    run,
    typeOf,
    follow(runId, followed) {
      runs.set(runId, { ...followed, run });
      return () => runs.delete(runId);
    },
  };
}

/** Emits an event for each hook that had something to say, so that none fails silently. */
function report(
  { runs }: HookVerdicts,
  {
    event,
    emit,
    about,
  }: {
    readonly event: HookEventName;
    readonly emit: (event: NewEvent) => void;
    readonly about: {
      readonly sessionId?: string | undefined;
      readonly agentId?: string | undefined;
    };
  },
): void {
  for (const each of runs) {
    const hook = hookName(each.hook);
    const base = { type: "hook", event, hook, ...about } as const;
    if (each.kind === "failure") {
      const isBlocking = each.hook.onFailure === "block";
      emit({ ...base, result: isBlocking ? "block" : "failure", text: each.why });
      continue;
    }
    const { decision, reason, message, input } = each.answer;
    if (decision === "deny") emit({ ...base, result: "block", text: reason ?? "" });
    else if (input !== undefined) emit({ ...base, result: "rewrite", text: "" });
    if (message !== undefined) emit({ ...base, result: "message", text: message });
  }
}
