import type { Journal } from "../journal/index.ts";
import { Deferral } from "../registry/index.ts";
import {
  delegateTask,
  kitAgents,
  lazyAgents,
  lazyDelegation,
  lazySessions,
  withAgents,
} from "./agents/bound-agents.ts";
import { lazyCreated, lazyCreatedList } from "./created/lazy-created.ts";
import { callMembers, historyMembers } from "./groups/call-members.ts";
import { kitCore, type KitCore } from "./groups/kit-core.ts";
import { kitDeferral } from "./groups/kit-deferral.ts";
import { kitEvents, kitStorage, kitWorkspace } from "./groups/workspace-groups.ts";
import { toolMembers } from "./groups/tool-members.ts";
import { derivedParts, releaseParts, type KitParts } from "./kit-parts.ts";
import { sessionParts } from "./sessions/session-parts.ts";
import type { Kit } from "./kit.ts";
import {
  checkDeriveOptions,
  checkRunConfined,
  checkRunOptions,
  checkSessionId,
} from "./options/check-arguments.ts";
import { checkMode, refuseDisabledBypass } from "./options/options.ts";
import * as lists from "./plugins/extension-lists.ts";
import { runOfKit } from "./runs/agent-run.ts";
import { kitSessions } from "./sessions/kit-sessions.ts";
import { withOwnServices } from "./services.ts";

/** Joins the members of a kit, which share its parts. `onDisposed` is called when its work has ended. */
export function openKit(given: KitParts, onDisposed: () => void = () => undefined): Kit {
  const own = lazyAgents(async () => (await given.agents()).of(kit));
  const delegation = lazyDelegation(async () =>
    (await import("./agents/kit-delegation.ts")).kitDelegation(kit, own, given),
  );
  const sessions = lazySessions(async () =>
    (await import("./sessions/other-sessions.ts")).sessionsOfKit(kit, given),
  );
  const deferral = deferralOf(given);
  const bound = withAgents(given.services, { agents: own, delegation, sessions });
  const created = lazyCreated(given, deferral);
  const plan = { mode: given.getMode, leave: given.leavePlan };
  const parts = {
    ...given,
    services: withOwnServices(bound, { search: deferral, created, plan }),
  };
  const core = kitCore(parts, deferral);
  const { lifetime } = core;
  const stored = async () => (await (await parts.agentFiles?.())?.list()) ?? [];
  const journal = async (): Promise<Journal> => (core.engine() ?? (await core.load())).journal;
  const calls = callMembers(core);
  const kit: Kit = {
    ...calls,
    ...historyMembers(core),
    ...toolMembers(core),
    ...lifecycle(core, onDisposed),
    registry: parts.registry,
    permissions: parts.permissions,
    get mode() {
      return parts.getMode();
    },
    setMode(mode) {
      checkMode(mode);
      refuseDisabledBypass(mode, parts.place.isBypassDisabled);
      parts.setMode(mode);
    },
    deferral: kitDeferral(core),
    get mcp() {
      return parts.servers.listed;
    },
    createdTools: lazyCreatedList(parts, calls.call),
    run(options) {
      lifetime.open(undefined);
      const checked = checkRunOptions(options);
      const run = runOfKit(kit, { given: checked, parts, ending: lifetime.signal });
      lifetime.track(run.result).catch(() => undefined);
      return run;
    },
    agents: kitAgents(own, lifetime.signal, stored),
    delegate: delegateTask(delegation, lifetime),
    tasks: parts.tasks,
    sessions: kitSessions(async () => {
      lifetime.open(undefined);
      return await parts.sessionFile.open();
    }, core.newId),
    work: parts.work,
    workspace: kitWorkspace(core),
    settings: lists.lazySettings(parts),
    models: parts.place.models,
    instructions: lists.instructionsOf(parts),
    skills: lists.lazySkillList(parts, calls.explain),
    commands: lists.lazyCommands(parts, {
      call: calls.call,
      explain: calls.explain,
      derive: (options) => kit.derive(options),
    }),
    hooks: lists.lazyHookList(parts),
    plugins: lists.lazyPlugins(parts, calls.explain),
    events: kitEvents(core),
    now: () => parts.host.clock.now(),
    newId: core.newId,
    async doctor() {
      lifetime.open(undefined);
      const { examine } = await import("./doctor/doctor.ts");
      return await lifetime.track(examine({ ...parts, journal }, kit.workspace.problems));
    },
    storage: kitStorage(core),
    async runConfined(program, options = {}) {
      const checked = checkRunConfined(program, options);
      const { signal = lifetime.signal } = lifetime.open({ signal: checked.options.signal });
      const { runConfined } = await import("./confinement/run-confined.ts");
      const confined = { ...parts, id: core.newId("confined") };
      return await lifetime.track(
        runConfined(confined, checked.argv, { ...checked.options, signal }),
      );
    },
  };
  return kit;
}

function deferralOf(parts: KitParts): Deferral {
  return new Deferral({
    registry: parts.registry,
    threshold: parts.toolThreshold,
    maxTokens: parts.maxToolTokens,
    calls: parts.foundToolCalls,
    mode: parts.getMode,
    ranker: parts.models.ranker,
    sources: {
      clock: parts.host.clock,
      nextListed: () => parts.servers.current?.nextListed(),
      notes: (search) => parts.servers.current?.notes(search) ?? [],
    },
    onChange: (activated, sessionId) =>
      parts.bus.emit({ type: "tools-change", added: [], removed: [], activated, sessionId }),
  });
}

type Lifecycle = Pick<Kit, "derive" | "forSession" | "dispose" | typeof Symbol.asyncDispose>;

/** Members of a kit that derive others from it and end it, with all that was derived. */
function lifecycle({ parts, lifetime }: KitCore, onDisposed: () => void): Lifecycle {
  const children = new Set<Kit>();
  const ofSessions = new Map<string, Kit>();
  const close = async (): Promise<void> => {
    if (!parts.isDerived) await parts.hooks?.endSessions();
    lifetime.end();
    await Promise.all([...children].map(async (child) => await child.dispose()));
    await lifetime.settled();
    onDisposed();
    await releaseParts(parts);
  };
  const dispose = async (): Promise<void> => await lifetime.dispose(close);
  return {
    derive(given = {}) {
      lifetime.open(undefined);
      const below = derivedParts(parts, checkDeriveOptions(given), lifetime.signal);
      const child = openKit(below, () => children.delete(child));
      if (below.hooks !== parts.hooks) below.hooks?.attach(child);
      children.add(child);
      return child;
    },
    forSession(given) {
      lifetime.open(undefined);
      const sessionId = checkSessionId(given, parts.scope?.sessionId);
      const known = ofSessions.get(sessionId);
      if (known !== undefined) return known;
      const child = openKit(sessionParts(parts, sessionId, lifetime.signal), () => {
        children.delete(child);
        ofSessions.delete(sessionId);
      });
      children.add(child);
      ofSessions.set(sessionId, child);
      return child;
    },
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}
