import {
  defaultMaxChars,
  limitsWith,
  neededNode,
  ToolError,
  type Host,
  type NewEvent,
} from "../core/index.ts";
import { madeOnce, RecentMap, IdSource } from "../text/index.ts";
import type { Taint } from "../pipeline/index.ts";
import { modeState } from "../policy/index.ts";
import { deferralChoice } from "../registry/index.ts";
import { memoryFileStates } from "../session/index.ts";
import { createRunWork } from "../background/index.ts";
import { ToolProblems } from "../workspace/index.ts";
import { openToolFiles, type CreatedParts } from "./created/lazy-created.ts";
import { checkDriverOption, kitSandboxes } from "./confinement/kit-sandboxes.ts";
import { openDiagnostics } from "./diagnostics/open-diagnostics.ts";
import { LazyEnvelope } from "./groups/envelope.ts";
import type { KitHooksOptions, OpenedHooks } from "./hooks/open-hooks.ts";
import { openHosts } from "./hosts/open-hosts.ts";
import { partsOnHost } from "./hosts/parts-on-host.ts";
import type { Kit } from "./kit.ts";
import { LazyServers } from "./mcp/lazy-servers.ts";
import { openKit } from "./open-kit.ts";
import { openRegistry } from "./open-registry.ts";
import type { ToolkitOptions } from "./options/options.ts";
import { selectTools } from "./options/select-tools.ts";
import { openRules } from "./rules/open-rules.ts";
import { builtInRules } from "./rules/settings-rules.ts";
import type { ActiveRuns } from "./runs/active-runs.ts";
import { followRuns, runCallers } from "./runs/run-callers.ts";
import { kitModels } from "./runs/models.ts";
import { openRecords, storageOf } from "./sessions/open-records.ts";
import { openSkillsAndCommands, openHubs } from "./skills/open-skills.ts";
import { kitTasks } from "./tasks.ts";

/**
 * Opens a toolkit with tools, rules and a host. Invalid options reject with a TypeError, an unavailable resource (such
 * as a missing workspace, or a Node that is too old) with a ToolError. Dispose it when done.
 */
export async function createToolkit(given: ToolkitOptions = {}): Promise<Kit> {
  refuseOldNode(process.versions);
  const { checkOptions } = await import("./options/check-options.ts");
  const options = checkOptions(given);
  await checkDriverOption(options.sandbox?.driver);
  const host = options.host ?? (await localMachine());
  try {
    return await wire(host, options);
  } catch (error) {
    if (options.host === undefined) await host[Symbol.asyncDispose]();
    throw error;
  }
}

/** Refuses a Node that lacks what haft uses: a call would fail in the middle. Other runtimes have other versions. */
function refuseOldNode({ node, bun, deno }: Readonly<NodeJS.Dict<string>>): void {
  if (node === undefined || bun !== undefined || deno !== undefined) return;
  const [neededMajor, neededMinor] = neededNode;
  const [major = 0, minor = 0] = node.split(".").map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return;
  throw new ToolError(
    "UNAVAILABLE",
    `haft needs Node ${neededNode.join(".")} or newer; this is ${node}.`,
    { hint: "Install a newer Node and run the program with it." },
  );
}

async function localMachine(): Promise<Host> {
  const { localHost } = await import("../host/index.ts");
  return await localHost();
}

async function wire(given: Host, options: ToolkitOptions): Promise<Kit> {
  // Loads the settings reader: it is large, and a program that only defines tools does not need it.
  const { openWorkspaceContext } = await import("./workspace-context.ts");
  const place = await openWorkspaceContext(given, options);
  const host = place.on(given);
  const files = memoryFileStates();
  const redactSecrets = options.redactSecrets ?? true;
  const limits = limitsWith(place.limits);
  const hosts = openHosts();
  const sandboxes = kitSandboxes(host, place, place.sandbox);
  const runs: ActiveRuns = new Map();
  const callers = runCallers();
  const work = createRunWork();
  const models = kitModels({
    model: options.model,
    backgroundModel: options.backgroundModel,
    settings: place.models,
    host,
    workspace: place.workspace,
    runs,
  });
  const offered = await openSkillsAndCommands(host, place, {
    rules: () => rules,
    bus: () => bus,
    callers,
    hooks: () => hooks,
    prompts: () => servers.current?.prompts,
  });
  const hubs = await openHubs(host, place, async (call) => await kit.explain(call));
  const diagnostics = await openDiagnostics({
    host,
    place,
    sandboxes,
    rules: () => rules,
    mode: () => mode.get(),
  });
  const notifying = options.notify === undefined ? undefined : await import("./notifications.ts");
  const notifier = notifying?.kitNotifier(options.notify, host);
  const onHost = partsOnHost(options, {
    place,
    limits,
    files,
    hosts,
    runs,
    work,
    models,
    notifier,
    storesSessions: storageOf(options) !== "none",
    emit: (event) => bus.emit(event),
    skills: offered?.skills,
    slashCommands: offered?.commands,
    skillHubs: hubs,
    languageServers: diagnostics?.servers,
  });
  const { services, ...acting } = onHost(host, place);
  const records = await openRecords(options, { host, place, limits });
  const { bus, agentFiles } = records;
  followRuns(callers, bus);
  if (options.onEvent !== undefined) bus.subscribe(options.onEvent);
  notifying?.notifyOnEvents(bus, notifier, options.notify);
  const mode = modeState(place.mode, (next) => {
    bus.emit({ type: "mode-change", mode: next });
    servers.current?.refresh();
  });
  const deferral = deferralChoice(
    { ...place.settings.toolSearch, ...options.deferral },
    models.contextTokens,
  );
  const registry = openRegistry({
    host,
    place,
    mode: mode.get,
    rules: () => rules,
    services: () => services,
    isSearched: deferral.toolThreshold !== undefined,
    emit: (event) => bus.emit(event),
  });
  const { rules, kitRules, permissions } = await openRules(options, { host, place, registry });
  registry.registerAll(selectTools(options, offered?.tools ?? []));
  const envelope = new LazyEnvelope();
  if (deferral.foundToolCalls === "envelope" && deferral.toolThreshold !== undefined)
    await envelope.addTo(registry);
  const toolProblems = new ToolProblems();
  toolProblems.selected(options.tools ?? {});
  const created: CreatedParts = { definitions: new Map(), stored: new Map() };
  if (options.settings === "load") {
    toolProblems.addAll(await openToolFiles({ host, place, sandboxes, registry, created }));
  }
  await registry.prepare();
  const hooks = await openHooks(options, {
    host,
    place,
    registry,
    rules,
    sandboxes,
    bus,
    mode: () => mode.get(),
    openModel: async (name) => await models.open(name),
    callers,
  });
  const servers = new LazyServers({
    host,
    place,
    registry,
    rules,
    sandboxes,
    runs,
    mode: () => mode.get(),
    emit: (event) => bus.emit(event),
  });
  if (place.servers.length > 0) await servers.open();
  const shared = {
    hooks: hooks?.hooks ?? options.hooks ?? {},
    onAsk: options.onAsk,
    tracer: options.tracer,
    whyMissing: (name: string) => servers.current?.missing(name),
    maxChars: options.maxChars ?? place.settings.maxChars ?? defaultMaxChars,
    activeCeilings: offered?.ceilings.of,
    editChecks: diagnostics?.edits,
    builtIn: builtInRules(place.settings),
    redactSecrets,
    shownChars: new Map(Object.entries(limits.shownChars)),
    answerLimits: limits.answer,
    onBadSuggestion: (tool: string, why: string) => toolProblems.suggested(tool, why),
    refusals: new RecentMap<string, number>(maxRefusals),
    taints: new RecentMap<string | undefined, Taint>(maxTaints),
  };
  const watching = place.reload && {
    host,
    place,
    reload: place.reload,
    rules,
    ownRules: kitRules,
    onAsk: options.onAsk,
    mode: mode.get,
    setMode: options.mode === undefined ? mode.set : undefined,
    emit: (event: NewEvent) => bus.emit(event),
  };
  const kit: Kit = openKit({
    ...acting,
    services,
    shared,
    onHost,
    engines: madeOnce(async () => {
      const { engineFamily } = await import("./call-engine.ts");
      return engineFamily(place.dataDirectory, hosts, { limits, watching });
    }),
    ownsHost: options.host === undefined,
    isDerived: false,
    ...deferral,
    envelope,
    created,
    toolProblems,
    place,
    registry,
    rules,
    permissions,
    tasks: kitTasks(() => hosts.first()),
    releaseHosts: async () => await hosts.releaseAll(),
    bus,
    log: records.log,
    sessionFile: records.sessionFile,
    models,
    runs,
    callers,
    work,
    agentFiles,
    closeAgents: records.closeAgents,
    agents: madeOnce(async () => {
      await agentFiles?.();
      const { openAgents } = await import("./agents/open-agents.ts");
      const ids = new IdSource();
      return openAgents({
        place,
        host,
        runs,
        work,
        models,
        bus,
        services,
        sessionFile: records.sessionFile,
        limits,
        taints: shared.taints,
        hooks,
        servers,
        newId: (prefix) => ids.next(prefix),
        readsFiles: options.settings === "load",
      });
    }),
    eventsFrom: () => host.clock.now() - limits.events.days * dayMs,
    getMode: mode.get,
    setMode: mode.set,
    leavePlan: mode.leavePlan,
    ceilings: place.settings.allowedTools.map((allowed) =>
      rules.ceilingOfFile(allowed, "the setting allowedTools"),
    ),
    ceilingRules: place.settings.allowedTools.map((allowed) => ({
      rules: allowed,
      name: "the setting allowedTools",
    })),
    signal: options.signal,
    sandboxes,
    recordCall: (record) => records.sessionFile.current()?.recordCall(record),
    hooks,
    sessionCeilings: offered?.ceilings,
    servers,
    diagnostics,
  });
  hooks?.attach(kit);
  return kit;
}

/** Opens the hooks of the settings; most kits have none, and then nothing of them is loaded. */
async function openHooks(
  { hooks: given = {}, onAsk }: ToolkitOptions,
  parts: Omit<KitHooksOptions, "given" | "onAsk" | "set">,
): Promise<OpenedHooks | undefined> {
  const { hooks } = parts.place;
  if (hooks === undefined) return undefined;
  const { openKitHooks } = await import("./hooks/open-hooks.ts");
  return openKitHooks({ ...parts, set: hooks.set, given, onAsk });
}

const dayMs = 24 * 60 * 60 * 1000;

/** Maximum number of different refused requests remembered, to recognize a repeated one. */
const maxRefusals = 10_000;
/**
 * Maximum number of sessions whose taint is remembered: far more than are open at once, because a forgotten session
 * counts as clean.
 */
const maxTaints = 100_000;
