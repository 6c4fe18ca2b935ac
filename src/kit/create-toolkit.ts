import {
  defaultMaxChars,
  artifactStore,
  createdTools,
  ToolError,
  toolSearch,
  type Host,
  limitsWith,
  type NewEvent,
} from "../core/index.ts";
import { madeOnce, RecentMap, IdSource } from "../text/index.ts";
import type { Taint } from "../pipeline/index.ts";
import { isHidden, modeState, optionRules, ownRules } from "../policy/index.ts";
import { actingHost } from "../host/index.ts";
import { createRegistry, type Registry } from "../registry/index.ts";
import { memoryFileStates, EventBus, openMemoryEventLog } from "../session/index.ts";
import { createRunWork, outputsInUse } from "../background/index.ts";
import { artifacts } from "../artifacts/index.ts";
import { commandEffects, hasExamples } from "./rules/command-effects.ts";
import { eventFilter, keptEvents, secretFilter } from "./event-sink.ts";
import { boundServices, noBoundServices } from "./agents/bound-agents.ts";
import type { AgentStatusFiles } from "./agents/status-files.ts";
import type { KitHooksOptions, OpenedHooks } from "./hooks/open-hooks.ts";
import { openDiagnostics } from "./diagnostics/open-diagnostics.ts";
import { LazyServers } from "./mcp/lazy-servers.ts";
import type { Kit } from "./kit.ts";
import { openKit } from "./open-kit.ts";
import { openToolFiles, type CreatedParts } from "./created/lazy-created.ts";
import type { KitParts } from "./kit-parts.ts";
import { openSkillsAndCommands, openHubs } from "./skills/open-skills.ts";
import { withRun, type ActiveRuns } from "./runs/active-runs.ts";
import { kitModels } from "./runs/models.ts";
import { sessionFile } from "./sessions/session-file.ts";
import { LazyEnvelope } from "./groups/envelope.ts";
import { openHosts } from "./hosts/open-hosts.ts";
import type { ToolkitOptions } from "./options/options.ts";
import { kitWeb } from "./web/kit-web.ts";
import { checkDriverOption, kitSandboxes } from "./confinement/kit-sandboxes.ts";
import { Permissions } from "./rules/permissions.ts";
import { ruleBook } from "./rules/rule-book.ts";
import { builtInRules, enabledBy, unnamedBy } from "./rules/settings-rules.ts";
import { selectTools } from "./options/select-tools.ts";
import { kitServices } from "./services.ts";
import { ToolProblems } from "../workspace/index.ts";
import { backgroundServices, kitTasks, tasksDirectories } from "./tasks.ts";

/**
 * Opens a toolkit with tools, rules and a host. Invalid options reject with a TypeError, an unavailable resource (such
 * as a missing workspace) with a ToolError. Dispose it when done.
 */
export async function createToolkit(given: ToolkitOptions = {}): Promise<Kit> {
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
  const sessionStorage =
    options.sessions ??
    (options.dataDirectory === undefined && options.store === undefined ? "none" : "file");
  const sandboxes = kitSandboxes(host, place, place.sandbox);
  const runs: ActiveRuns = new Map();
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
  const onHost: KitParts["onHost"] = (used, at) => {
    const where = place.on(used);
    const kept = artifacts({
      host: where,
      directory: place.artifactDirectory,
      quota: limits.artifacts,
      inUse: async () => await outputsInUse(where, tasksDirectories(where, place.dataDirectory)),
      filter: redactSecrets ? secretFilter : undefined,
    });
    const beside = backgroundServices(where, {
      place: at,
      background: options.background ?? "promote",
      redactSecrets,
      limits: limits.bash,
      emit: (event) => bus.emit(withRun(event, runs)),
      work,
      store: options.services?.get(artifactStore) ?? kept,
    });
    return {
      releaseHost: hosts.add(where, beside),
      host: where,
      artifacts: kept,
      services: kitServices(options.services, {
        limits,
        search: place.search,
        environment: place.settings.env,
        files,
        artifacts: kept,
        storesSessions: sessionStorage !== "none",
        hasAsker: options.onAsk !== undefined,
        notifier,
        ...beside,
        work,
        backgroundModel: models.service,
        ...(models.main === undefined ? noBoundServices : boundServices),
        skills: offered?.skills,
        slashCommands: offered?.commands,
        ...kitWeb({
          host: where,
          settings: place.settings,
          custom: options.searchServices,
          models,
          runs,
        }),
        skillHubs: hubs,
        languageServers: diagnostics?.servers,
      }),
    };
  };
  const { services, ...acting } = onHost(host, place);
  const { diskDirectory } = place;
  const wanted = options.eventLog ?? "none";
  const eventLog = wanted === "file" && diskDirectory === undefined ? "memory" : wanted;
  const log = keptEvents(eventLog === "memory" ? await openMemoryEventLog() : eventLog, {
    dataDirectory: diskDirectory ?? place.dataDirectory,
    redactSecrets,
    maxBytes: limits.events.bytes,
    exists: async (path) =>
      await host.fs.stat(path).then(
        () => true,
        () => false,
      ),
  });
  const sessions = sessionFile({
    storage: sessionStorage === "file" && diskDirectory === undefined ? "memory" : sessionStorage,
    dataDirectory: diskDirectory ?? place.dataDirectory,
    redactSecrets,
    now: () => host.clock.now(),
  });
  const bus = new EventBus({
    log: log.log,
    now: () => host.clock.now(),
    filter: redactSecrets ? await eventFilter() : undefined,
  });
  if (options.onEvent !== undefined) bus.subscribe(options.onEvent);
  let openedFiles: AgentStatusFiles | undefined;
  const agentFiles = madeOnce(async () => {
    const { agentStatusFiles } = await import("./agents/status-files.ts");
    openedFiles = agentStatusFiles({
      host,
      directory: place.dataDirectory,
      subscribe: (listener) => bus.subscribe(listener),
    });
    return openedFiles;
  });
  notifying?.notifyOnEvents(bus, notifier, options.notify);
  const mode = modeState(place.mode, (next) => {
    bus.emit({ type: "mode-change", mode: next });
    servers.current?.refresh();
  });
  const { threshold = defaultThreshold, calls = "auto" } = {
    ...place.settings.toolSearch,
    ...options.deferral,
  };
  const isAuto = typeof threshold === "string";
  const toolThreshold = threshold === false ? undefined : isAuto ? defaultThreshold : threshold;
  const isUnnamed = unnamedBy(place.settings);
  const registry: Registry = createRegistry({
    context: () => ({
      host: actingHost(host, place.artifactDirectory),
      workspace: place.workspace,
      service: (token) => {
        const service = services.of(undefined).get(token);
        if (service === undefined)
          throw new ToolError("UNAVAILABLE", `Nothing here provides ${token.id}.`);
        return service;
      },
    }),
    isHidden: ({ traits }, asked = mode.get()) =>
      traits.modes?.includes(asked) === false ||
      isUnnamed(traits) ||
      isHidden(traits, rules.current(), asked),
    isEnabled: enabledBy(place.settings),
    provides: (token) =>
      token.id === toolSearch.id
        ? toolThreshold !== undefined
        : token.id === createdTools.id || services.provides(token),
    onChange: ({ added, removed, changed }) => {
      const both = { added: [...added, ...changed], removed: [...removed, ...changed] };
      rules.refresh();
      bus.emit({ type: "tools-change", ...both });
    },
  });
  const kitRules = [...ownRules(place), ...optionRules(options, place)];
  const sources = [...kitRules, ...place.sources];
  const understand = { workspace: place.workspace, home: place.anchors.home };
  const { store } = place;
  const rules = ruleBook({
    sources,
    effectsOf: hasExamples(sources) ? await commandEffects(understand) : undefined,
    roots: place.boundary.roots,
    anchors: place.anchors,
    links: {
      canonical: async (path) => await host.fs.canonical(path),
      now: () => host.clock.now(),
    },
    tools: () => registry.getAll().map(({ traits }) => traits),
    store:
      store === undefined
        ? undefined
        : async (rule, scope) => void (await store.save({ rule, list: "allow", scope })),
  });
  registry.registerAll(selectTools(options, offered?.tools ?? []));
  const envelope = new LazyEnvelope();
  if (calls === "envelope" && toolThreshold !== undefined) await envelope.addTo(registry);
  const toolProblems = new ToolProblems();
  toolProblems.selected(options.tools ?? {});
  const created: CreatedParts = { definitions: new Map() };
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
    toolThreshold,
    maxToolTokens:
      isAuto && models.contextTokens !== undefined
        ? (models.contextTokens * Number.parseFloat(threshold.slice("auto:".length))) / 100
        : undefined,
    foundToolCalls: calls,
    envelope,
    created,
    toolProblems,
    place,
    registry,
    rules,
    permissions: new Permissions({
      rules,
      store,
      anchors: place.anchors,
      roots: place.boundary.roots,
      trusted: place.trusted,
      now: () => host.clock.now(),
      commandEffects: async () => await commandEffects(understand),
    }),
    tasks: kitTasks(() => hosts.first()),
    releaseHosts: async () => await hosts.releaseAll(),
    bus,
    log,
    sessionFile: sessions,
    models,
    runs,
    work,
    agentFiles: sessions.isStored ? agentFiles : undefined,
    closeAgents: async () => await openedFiles?.close(),
    agents: madeOnce(async () => {
      if (sessions.isStored) await agentFiles();
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
        sessionFile: sessions,
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
      rules.ceiling(allowed, "the setting allowedTools"),
    ),
    ceilingRules: place.settings.allowedTools.map((allowed) => ({
      rules: allowed,
      name: "the setting allowedTools",
    })),
    signal: options.signal,
    sandboxes,
    recordCall: (record) => sessions.current()?.recordCall(record),
    hooks,
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

/** Number of tools among which a model chooses well without a search. */
const defaultThreshold = 15;

const dayMs = 24 * 60 * 60 * 1000;

/** Maximum number of different refused requests remembered, to recognize a repeated one. */
const maxRefusals = 10_000;
/**
 * Maximum number of sessions whose taint is remembered: far more than are open at once, because a forgotten session
 * counts as clean.
 */
const maxTaints = 100_000;
