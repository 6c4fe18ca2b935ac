import {
  agents,
  delegation,
  otherSessions,
  type AgentCaller,
  type AgentInfo,
  type AgentRequest,
  type Agents,
  type DelegateRequest,
  type Mode,
  type DelegateResult,
  type Delegation,
  type OtherSessions,
  type AgentDefinitions,
  type Services,
  type ServiceToken,
  type Toolkit,
} from "../../core/index.ts";
import type { Registry } from "../../registry/index.ts";
import { checkDelegate } from "../options/check-arguments.ts";
import type { DelegateOptions, DeriveOptions } from "../options/options.ts";
import type { AgentRun } from "../../agent/index.ts";
import type { KitRunOptions } from "../runs/run-options.ts";
import type { KitLifetime } from "../kit-lifetime.ts";
import type { KitServices } from "../services.ts";

/** Part of a kit that agents use: it derives the kit of each agent, which runs it. */
export interface AgentKit extends Toolkit {
  readonly registry: Registry;
  readonly workspace: { readonly path: string };
  readonly mode: Mode;
  derive(options: DeriveOptions): AgentKit;
  run(options: KitRunOptions): AgentRun;
  dispose(): Promise<void>;
}

/** Agents of kits, as opposed to those that a program provides. */
const ofKits = new WeakSet<object>();

/** Agents of a kit, loaded with the first use. */
export function lazyAgents(load: () => Promise<Agents>): Agents {
  const own: Agents = {
    definitions: async () => await (await load()).definitions(),
    start: async (request, caller) => await (await load()).start(request, caller),
    list: async (caller) => await (await load()).list(caller),
    get: async (id, caller) => await (await load()).get(id, caller),
    wait: async (id, caller, ms) => await (await load()).wait(id, caller, ms),
    send: async (id, message, caller) => await (await load()).send(id, message, caller),
    stop: async (id, caller) => await (await load()).stop(id, caller),
  };
  ofKits.add(own);
  return own;
}

/** Delegation of a kit, loaded with the first use. */
export function lazyDelegation(load: () => Promise<Delegation>): Delegation {
  const own: Delegation = {
    delegate: async (...given) => await (await load()).delegate(...given),
  };
  ofKits.add(own);
  return own;
}

/** Other sessions of a kit, loaded with the first use. */
export function lazySessions(load: () => Promise<OtherSessions>): OtherSessions {
  const own: OtherSessions = {
    spawn: async (...given) => await (await load()).spawn(...given),
    list: async (page) => await (await load()).list(page),
    get: async (id) => await (await load()).get(id),
    send: async (...given) => await (await load()).send(...given),
    history: async (...given) => await (await load()).history(...given),
    yield: async (...given) => await (await load()).yield(...given),
  };
  ofKits.add(own);
  return own;
}

/** Services that each kit provides itself, because what they do is limited by that kit. */
export interface BoundServices {
  readonly agents: Agents;
  readonly delegation: Delegation;
  readonly sessions: OtherSessions;
}

/**
 * Services of a kit with its own agents: an agent is limited by the kit whose call starts it. A service that the program
 * provides takes precedence.
 */
export function withAgents(services: KitServices, own: BoundServices): KitServices {
  const bound = new Map<string, unknown>([
    [agents.id, own.agents],
    [delegation.id, own.delegation],
    [otherSessions.id, own.sessions],
  ]);
  return {
    of(sessionId): Services {
      const rest = services.of(sessionId);
      return {
        get: <T>(token: ServiceToken<T>): T | undefined => {
          const found = rest.get(token);
          const mine = bound.get(token.id);
          return isBound(token, found, mine) ? mine : found;
        },
      };
    },
    provides: (token) => services.provides(token),
  };
}

const ofEachKit = async (): Promise<never> => {
  throw new TypeError("Each kit has agents of its own.");
};

/** Stands for the services of each kit where a model is known. */
export const boundServices: BoundServices = {
  agents: lazyAgents(ofEachKit),
  delegation: lazyDelegation(ofEachKit),
  sessions: lazySessions(ofEachKit),
};

/** Where no model is known, no agents run. */
export const noBoundServices: { readonly [K in keyof BoundServices]: undefined } = {
  agents: undefined,
  delegation: undefined,
  sessions: undefined,
};

/** Whether `own` is what the token asks for: a service of kits was found under its id. */
function isBound<T>(_token: ServiceToken<T>, found: unknown, own: unknown): own is T {
  return own !== undefined && typeof found === "object" && found !== null && ofKits.has(found);
}

/** Agents of a kit, running and ended, for the program. */
export interface KitAgents {
  /** Definitions that can be started, and those that cannot, with the reason. */
  definitions(): Promise<AgentDefinitions>;
  /** Agents of every session, the latest first. */
  list(): Promise<readonly AgentInfo[]>;
  /**
   * Agents of this and of other processes that use the data directory, the latest first, where sessions are stored.
   * `lost`: the process ended before the agent did.
   */
  stored(): Promise<readonly AgentInfo[]>;
  /** Rejects with NOT_FOUND for an unknown id. */
  get(id: string): Promise<AgentInfo>;
  /** Resolves when the agent has ended, or after `ms` milliseconds. */
  wait(id: string, ms?: number): Promise<AgentInfo>;
  /** Starts or continues an agent; no rule is checked, because the program itself asks for it. */
  start(request: AgentRequest, options?: StartAgentOptions): Promise<AgentInfo>;
  /** Sends a message to a running agent. Rejects with UNAVAILABLE if it has ended. */
  send(id: string, message: string): Promise<AgentInfo>;
  /** Ends an agent and those below it. */
  stop(id: string): Promise<AgentInfo>;
}

/** Options for an agent that a program starts. */
export interface StartAgentOptions {
  /** Session of the agent. Default: a new one. */
  readonly sessionId?: string;
  /** Ends an agent that is not in the background. */
  readonly signal?: AbortSignal;
}

/** Agents of a kit for the program, which sees those of every session. */
export function kitAgents(
  own: Agents,
  ending: AbortSignal,
  stored: () => Promise<readonly AgentInfo[]>,
): KitAgents {
  const caller: AgentCaller = { callId: "program", signal: ending };
  return {
    definitions: async () => await own.definitions(),
    list: async () => await own.list(caller),
    stored,
    get: async (id) => await own.get(id, caller),
    wait: async (id, ms) => await own.wait(id, caller, ms),
    start: async (request, { sessionId, signal } = {}) =>
      await own.start(request, {
        ...caller,
        sessionId,
        signal: signal === undefined ? ending : AbortSignal.any([signal, ending]),
      }),
    send: async (id, message) => await own.send(id, message, caller),
    stop: async (id) => await own.stop(id, caller),
  };
}

/** Delegates a task for the program. */
export type DelegateTask = (
  task: DelegateRequest,
  options?: DelegateOptions,
) => Promise<DelegateResult>;

/** Delegated tasks of a kit for the program, which end with the kit. */
export function delegateTask(own: Delegation, lifetime: KitLifetime): DelegateTask {
  return async (task, given = {}) => {
    lifetime.open(undefined);
    const { request, sessionId, signal, ...options } = checkDelegate(task, given);
    const ending = lifetime.signal;
    const stops = signal === undefined ? ending : AbortSignal.any([signal, ending]);
    const caller = { callId: "program", sessionId, signal: stops };
    return await lifetime.track(own.delegate(request, caller, options));
  };
}
