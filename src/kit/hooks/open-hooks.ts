import { ToolError, type Host, type Mode, type OnAsk, type Toolkit } from "../../core/index.ts";
import { openConfined } from "../../changes/index.ts";
import type { Hooks } from "../../pipeline/index.ts";
import type { Registry } from "../../registry/index.ts";
import type { EventBus } from "../../session/index.ts";
import type { HookContext, HookSet } from "../../workspace/index.ts";
import type { KitSandboxes } from "../confinement/kit-sandboxes.ts";
import { IdSource } from "../id-source.ts";
import { judging } from "../rules/agent-rules.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";
import { callHooks } from "./call-hooks.ts";
import { kitHooks, type KitHooks, type KitHooksParts } from "./kit-hooks.ts";

export interface KitHooksOptions {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly sandboxes: KitSandboxes;
  readonly bus: EventBus;
  readonly mode: () => Mode;
  readonly set: HookSet;
  readonly given: Hooks;
  readonly onAsk: OnAsk | undefined;
}

export interface OpenedHooks extends KitHooks {
  /** For the pipeline. The lists change as hooks come and go. */
  readonly hooks: Hooks;
  /** Sets the kit that lists the effects of calls for the conditions of hooks. */
  attach(kit: Pick<Toolkit, "explain">): void;
}

/** Connects hooks of settings with a kit: they run like commands of its tools. */
export function openKitHooks(options: KitHooksOptions): OpenedHooks {
  const { host, place, rules, sandboxes, bus, mode } = options;
  const ids = new IdSource();
  let attached: Pick<Toolkit, "explain"> | undefined;
  const types = new Map<string, string>();
  const judge = judging({ host, place, rules, ceilings: [], getMode: mode });
  const open = openConfined({ host, place, judge, ...sandboxes });
  const confine: HookContext["confine"] = async (argv, agentId) => {
    const span = { start: 0, end: 0 };
    const effect = {
      kind: "execute",
      argv,
      assigns: [],
      via: [],
      consequences: "open",
      span,
    } as const;
    return await open({ effects: [effect] }, agentId);
  };
  const parts: KitHooksParts = {
    ...options,
    getMode: mode,
    confine,
    agentType: (agentId: string) => types.get(agentId),
    emit: (event) => bus.emit(event),
    newId: () => ids.next("hook"),
    explain: async (call) => {
      if (attached !== undefined) return await attached.explain(call);
      throw new ToolError("UNAVAILABLE", "The kit is not open yet.", { hint: "Call it later." });
    },
  };
  const hooks = kitHooks(parts);
  bus.subscribe((event) => {
    if (event.type === "agent-start") types.set(event.agent.agentId, event.agent.agent);
    if (event.type === "agent-end") types.delete(event.agent.agentId);
    if (event.type !== "compaction") return;
    const { runId, sessionId, agentId, cause, tokensBefore, tokensAfter } = event;
    const trigger = cause === "requested" ? "manual" : "auto";
    const fields = { trigger, tokens_before: tokensBefore, tokens_after: tokensAfter };
    const source = { runId, sessionId, agentId };
    void hooks.run({ event: "PostCompact", names: [trigger], fields, source });
  });
  return {
    ...hooks,
    hooks: callHooks({ ...parts, run: async (occasion) => await hooks.run(occasion) }),
    attach(kit) {
      attached = kit;
    },
  };
}
