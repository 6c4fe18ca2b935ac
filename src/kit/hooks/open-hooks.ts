import { ToolError, type Host, type Mode, type OnAsk } from "../../core/index.ts";
import type { AgentKit } from "../agents/bound-agents.ts";
import type { Hooks, KnownHooks } from "../../pipeline/index.ts";
import type { Ceiling } from "../../policy/index.ts";
import type { Registry } from "../../registry/index.ts";
import type { EventBus } from "../../session/index.ts";
import type { HookSet } from "../../workspace/index.ts";
import { confinePrograms } from "../confinement/confine-programs.ts";
import type { KitSandboxes } from "../confinement/kit-sandboxes.ts";
import { IdSource } from "../../text/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { RunCallers } from "../runs/run-callers.ts";
import type { Place } from "../workspace-context.ts";
import { addedHooks, type AddedHooksOfKit } from "./added-hooks.ts";
import { callHooks } from "./call-hooks.ts";
import {
  kitHooks,
  noHookSessions,
  type HookSessions,
  type KitHooks,
  type KitHooksParts,
} from "./kit-hooks.ts";

/** Decides where hooks run and what they may change there. */
export interface HookPlace {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly sandboxes: KitSandboxes;
  readonly mode: () => Mode;
}

export interface KitHooksOptions extends HookPlace {
  readonly bus: EventBus;
  readonly set: HookSet;
  readonly given: Hooks;
  readonly onAsk: OnAsk | undefined;
  readonly openModel: KitHooksParts["openModel"];
  readonly callers: RunCallers;
}

export interface OpenedHooks extends KitHooks {
  /** For the pipeline. The lists change as hooks come and go. */
  readonly hooks: KnownHooks;
  /** Sets the kit that makes the calls of hooks and lists the effects of calls for their conditions. */
  attach(kit: AgentKit): void;
  /** Adds the hooks of skills and agents while these are in use. */
  readonly added: AddedHooksOfKit;
  /** The same hooks for a derived kit in another workspace: they run there, under its ceilings. */
  moved(to: HookPlace & { readonly ceilings: readonly Ceiling[] }): OpenedHooks;
}

/** State that the hooks of a kit share with those of the kits derived from it. */
interface HookFamily {
  readonly ids: IdSource;
  readonly types: ReadonlyMap<string, string>;
  readonly sessions: HookSessions;
  readonly added: AddedHooksOfKit;
}

/** Connects hooks of settings with a kit: they run like commands of its tools. */
export function openKitHooks(options: KitHooksOptions): OpenedHooks {
  const { bus } = options;
  const types = new Map<string, string>();
  const sessions = noHookSessions();
  const added = addedHooks(options);
  const family = { ids: new IdSource(), types, sessions, added };
  const opened = hooksAt({ ...options, ceilings: [] }, family);
  bus.subscribe((event) => {
    if (event.type === "agent-start") types.set(event.agent.agentId, event.agent.agent);
    if (event.type === "agent-end") types.delete(event.agent.agentId);
    if (event.type !== "compaction") return;
    const { runId, sessionId, agentId, cause, tokensBefore, tokensAfter } = event;
    const trigger = cause === "requested" ? "manual" : "auto";
    const fields = { trigger, tokens_before: tokensBefore, tokens_after: tokensAfter };
    const source = { runId, sessionId, agentId };
    const followed = runId === undefined ? undefined : sessions.runs.get(runId);
    void (followed ?? opened).run({ event: "PostCompact", names: [trigger], fields, source });
  });
  return opened;
}

function hooksAt(
  options: KitHooksOptions & { readonly ceilings: readonly Ceiling[] },
  family: HookFamily,
): OpenedHooks {
  const { bus, mode } = options;
  let attached: AgentKit | undefined;
  const parts: KitHooksParts = {
    ...options,
    sessions: family.sessions,
    getMode: mode,
    confine: confinePrograms({ ...options, getMode: options.mode }),
    agentType: (agentId: string) => family.types.get(agentId),
    kit: () => attached,
    emit: (event) => bus.emit(event),
    newId: () => family.ids.next("hook"),
    explain: async (call) => {
      if (attached !== undefined) return await attached.explain(call);
      throw new ToolError("UNAVAILABLE", "The kit is not open yet.", { hint: "Call it later." });
    },
  };
  const hooks = kitHooks(parts);
  return {
    ...hooks,
    added: family.added,
    hooks: callHooks({ ...parts, run: async (occasion) => await hooks.run(occasion) }),
    attach(kit) {
      attached = kit;
    },
    moved: (to) => hooksAt({ ...options, ...to }, family),
  };
}
