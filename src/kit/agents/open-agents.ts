import {
  agents as agentsToken,
  agentTasks,
  delegation,
  nearestName,
  otherSessions,
  ToolError,
  type AgentDefinition,
  type AgentEnd,
  type AgentInfo,
  type AgentProgress,
  type StartedAgent,
  type AgentDefinitions,
  type AgentRequest,
  type Limits,
} from "../../core/index.ts";
import {
  createAgents,
  delegateName,
  generalAgent,
  type AgentStore,
  type OpenChild,
  type OpenedChild,
  type SharedAgents,
} from "../../agent/index.ts";
import { namedTools } from "../../policy/index.ts";
import { isTrustRevoked, loadAgents, type FoundSkill } from "../../workspace/index.ts";
import type { AgentKit } from "./bound-agents.ts";
import type { KitParts } from "../kit-parts.ts";
import { createIfNew } from "../sessions/stored-run.ts";
import { permittedEntries, toolsIn } from "../rules/permitted-entries.ts";
import { shareTaint, type Taints } from "../sessions/taints.ts";
import type { RegisteredTool } from "../../registry/index.ts";
import { loopExecutor } from "./loop-executor.ts";

export type AgentsOfKits = Pick<
  KitParts,
  | "place"
  | "hooks"
  | "servers"
  | "host"
  | "runs"
  | "work"
  | "models"
  | "bus"
  | "sessionFile"
  | "services"
> & {
  readonly limits: Limits;
  readonly newId: (prefix: string) => string;
  /** Whether definitions are read from files. */
  readonly readsFiles: boolean;
  readonly taints: Taints;
};

/** Agents of a kit and of those derived from it. */
export function openAgents(parts: AgentsOfKits): SharedAgents<AgentKit> {
  const { host, runs, work, bus, limits, sessionFile } = parts;
  const agents = createAgents<AgentKit>({
    executor: loopExecutor(parts),
    limits: limits.agents,
    definitions: async () => await definitionsOf(parts),
    open: async (child) => await openChild(child, parts),
    run: (runId) => runs.get(runId),
    startWork: (runId, { agentId, description }) =>
      work.start(runId, { id: agentId, kind: "agent", title: description }),
    subscribe: (listener) => bus.subscribe(listener),
    emit: (event) => bus.emit(event),
    onSession: (sessionId) => shareTaint(parts.taints, undefined, sessionId),
    newId: parts.newId,
    clock: host.clock,
    store: sessionFile.isStored ? storeOf(parts) : undefined,
  });
  listInBackground(agents, parts);
  return agents;
}

/** Stores agents with the session that they belong to. */
function storeOf({ sessionFile, place }: Pick<AgentsOfKits, "sessionFile" | "place">): AgentStore {
  return {
    async record(agent, end) {
      const { sessionId } = agent;
      const store = await sessionFile.open();
      await createIfNew({ store, run: { sessionId }, workspace: place.workspace });
      return await store.recordAgent(agent, end);
    },
    find: async (query) => await (await sessionFile.open()).storedAgents(query),
  };
}

/** Adds agents that work in the background to the task list of their session. */
function listInBackground(
  { stop, showEnd }: Pick<SharedAgents<AgentKit>, "stop" | "showEnd">,
  { bus, services }: Pick<AgentsOfKits, "bus" | "services">,
): void {
  const running = new Map<string, { info: AgentInfo; readonly end: (end: AgentEnd) => void }>();
  bus.subscribe((event) => {
    if (event.type === "agent-start" && isListed(event.agent)) {
      const { promise: ended, resolve: end } = Promise.withResolvers<AgentEnd>();
      const entry = { info: event.agent, end };
      running.set(event.agent.agentId, entry);
      const state = (): AgentInfo => entry.info;
      const { agentId } = event.agent;
      const task = startedAgent(state, {
        ended,
        stop: async () => await stop(agentId),
        onEndShown: (reader) => showEnd(agentId, reader),
      });
      services.of(event.agent.sessionId).get(agentTasks)?.add(task);
    } else if (event.type === "agent-event" || event.type === "agent-end") {
      const entry = running.get(event.agent.agentId);
      if (entry === undefined) return;
      entry.info = event.agent;
      if (event.type === "agent-event") return;
      running.delete(event.agent.agentId);
      entry.end(endOf(event.agent));
    }
  });
}

/** Whether an agent is in the task list: the call that started another one shows it. */
function isListed({ isBackground, agent }: AgentInfo): boolean {
  return isBackground || agent === delegateName;
}

function startedAgent(
  state: () => AgentInfo,
  own: Pick<StartedAgent, "ended" | "stop" | "onEndShown">,
): StartedAgent {
  const { agentId, runId, sessionId, parentAgentId, agent, description, startedAt } = state();
  return {
    id: agentId,
    kind: agent === delegateName ? "delegation" : "agent",
    title: description,
    startedAt,
    trust: "trusted",
    runId,
    sessionId,
    ...(parentAgentId === undefined ? {} : { agentId: parentAgentId }),
    progress: () => progressOf(state()),
    text: () => state().text,
    ...own,
  };
}

function progressOf({ lastActivityAt, activity, calls, usage, costUsd }: AgentInfo): AgentProgress {
  return {
    activeAt: lastActivityAt,
    activity,
    calls,
    tokens: usage.input + usage.output,
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

function endOf(info: AgentInfo): AgentEnd {
  const { status, error } = info;
  const how = status === "done" ? "done" : status === "aborted" ? "stopped" : "failed";
  const reason = error?.message ?? (how === "failed" ? status : undefined);
  return { ...progressOf(info), status: how, ...(reason === undefined ? {} : { reason }) };
}

/** Derives the kit of an agent, in a checkout of its own where it asks for one. */
async function openChild(
  child: OpenChild<AgentKit>,
  { host, newId, hooks, place, servers }: AgentsOfKits,
): Promise<OpenedChild> {
  const { kit, definition, request, agentId, worktree: before, onWorktree, signal } = child;
  const skill = await skillOf(request, place);
  await addHooks(agentId, { definition, skill }, hooks);
  const options = childOptions(kit, definition, request);
  const isWorktree = request.isWorktree ?? (before === undefined ? definition.worktree : true);
  if (isWorktree !== true) {
    const own = kit.derive(options);
    return await openedChild({ own, toolkit: limitedBy(own, request, skill) }, child, servers);
  }
  const { openWorktree } = await import("../../agent/index.ts");
  const { workspace, branchName } = {
    workspace: kit.workspace.path,
    branchName: request.branchName,
  };
  const onPlan = onWorktree;
  const given = { host, workspace, agentId, branchName, before, onPlan, newId, signal };
  const opened = await openWorktree(given);
  const own = kit.derive({ ...options, workspace: opened.workspace });
  const derived = { own, toolkit: limitedBy(own, request, skill) };
  const found = await openedChild(derived, child, servers).catch(async (error: unknown) => {
    await opened.close();
    throw error;
  });
  return {
    ...found,
    worktree: opened.worktree,
    close: async () => {
      await found.close();
      return await opened.close();
    },
  };
}

/** The kit of an agent with its MCP servers. */
async function openedChild(
  { own, toolkit }: { readonly own: AgentKit; readonly toolkit: AgentKit },
  { definition, request, agentId, sessionId }: OpenChild<AgentKit>,
  servers: AgentsOfKits["servers"],
): Promise<OpenedChild> {
  const { tools, disallowedTools = [] } = definition;
  const accepts = (name: string): boolean =>
    (tools === undefined || isNamed(tools, [name])) &&
    !isNamed(disallowedTools, [name]) &&
    (request.tools === undefined || isNamed(request.tools, [name]));
  const agent = { sessionId, agentId, agentName: definition.name };
  const context = { workspace: toolkit.workspace.path, mode: toolkit.mode, ...agent };
  const { registry } = toolkit;
  try {
    const end = await servers.forAgent({ registry, definition, context, accepts });
    return {
      toolkit,
      close: async () => {
        end();
        await own.dispose();
        return undefined;
      },
    };
  } catch (error) {
    await own.dispose();
    throw error;
  }
}

async function definitionsOf({ place, host, readsFiles }: AgentsOfKits): Promise<AgentDefinitions> {
  const { workspace, dataDirectory, recorded, plugins } = place;
  const { home } = host.info;
  const trusted =
    place.trusted && !(await isTrustRevoked(place, { host, workspace, dataDirectory }));
  const found = readsFiles
    ? await loadAgents({ host, workspace, home, trusted, recorded, plugins })
    : { agents: [], unused: [] };
  const isReplaced = found.agents.some(({ name }) => name === generalAgent.name);
  return {
    agents: isReplaced ? found.agents : [generalAgent, ...found.agents],
    unused: found.unused,
  };
}

/** Limits of a child: the tools of its definition, of those the tools that the call names, and the definition's rules. */
export function childOptions(kit: AgentKit, definition: AgentDefinition, request: AgentRequest) {
  const offered = kit.registry.getAll();
  const mode = request.permissionMode ?? definition.permissionMode;
  const { tools, disallowedTools = [] } = definition;
  const own = offered.filter((tool) =>
    tools === undefined ? !startsAgents(tool) : names(tools, tool),
  );
  const allowed = own.filter((tool) => !names(disallowedTools, tool));
  const wanted = request.tools;
  if (wanted !== undefined) checkNames(wanted, allowed);
  const chosen = wanted === undefined ? allowed : allowed.filter((tool) => names(wanted, tool));
  const ceiling = limiting(tools, kit);
  return {
    tools: chosen.map(({ name }) => name),
    ...(mode === undefined ? {} : { mode }),
    ...(ceiling === undefined
      ? {}
      : { ceiling, ceilingName: `the agent ${definition.name} (tools)` }),
  };
}

/** The kit of an agent within the rules of the call and of its skill: these and those of the definition apply. */
function limitedBy(
  kit: AgentKit,
  { tools }: AgentRequest,
  skill: FoundSkill | undefined,
): AgentKit {
  const ceiling = limiting(tools, kit);
  const ceilingName = "the call that started this agent (tools)";
  const limited = ceiling === undefined ? kit : kit.derive({ ceiling, ceilingName });
  if (skill?.info.allowedTools === undefined) return limited;
  const { name, allowedTools } = skill.info;
  return limited.derive({
    ceiling: permittedEntries(allowedTools, toolsIn(kit.registry)),
    ceilingName: `the skill ${name} (allowed-tools)`,
  });
}

/** Skill that an agent works on. */
async function skillOf(
  { skill: directory }: AgentRequest,
  { skills }: AgentsOfKits["place"],
): Promise<FoundSkill | undefined> {
  if (directory === undefined) return undefined;
  // An agent that is continued has used its skill when it was trusted, maybe in another process.
  const found = skills?.all.find(
    ({ info, faults, needsTrust }) =>
      info.directory === directory && faults.length === 0 && !needsTrust,
  );
  if (found !== undefined) {
    await skills?.verify(found);
    return found;
  }
  throw new ToolError(
    "NOT_FOUND",
    `There is no skill in ${directory} that can be used, so its limits are unknown.`,
    {
      hint: "Start another agent, or let the user trust the workspace again.",
    },
  );
}

/** Lets the hooks of an agent and of its skill run for it. Rejects where they cannot. */
async function addHooks(
  agentId: string,
  from: { readonly definition: AgentDefinition; readonly skill: FoundSkill | undefined },
  hooks: AgentsOfKits["hooks"],
): Promise<void> {
  const { name, file, hooks: value } = from.definition;
  const { skill } = from;
  const ofSkill = skill?.info.hooks;
  if (value === undefined && ofSkill === undefined) return;
  const { requireAddedHooks } = await import("../hooks/require-added-hooks.ts");
  await requireAddedHooks(hooks).agent(agentId, {
    ...(value === undefined ? {} : { definition: { name, file, value } }),
    ...(skill === undefined || ofSkill === undefined
      ? {}
      : { skill: { ...skill, directory: skill.info.directory, value: ofSkill } }),
  });
}

/** Services with which a tool starts agents or sessions. */
const startingServices = new Set([agentsToken.id, delegation.id, otherSessions.id]);

/** Agents start no agents unless their definition names the tool. */
function startsAgents({ traits }: RegisteredTool): boolean {
  return (traits.needs ?? []).some(({ id }) => startingServices.has(id));
}

function names(entries: readonly string[], { name, traits }: RegisteredTool): boolean {
  return isNamed(entries, [name, ...(traits.aliases ?? [])]);
}

function isNamed(entries: readonly string[], called: readonly string[]): boolean {
  return namedTools(entries)(called);
}

function toolOf(entry: string): string {
  return entry.split("(", 1)[0]?.trim() ?? "";
}

function isWhole(entry: string): boolean {
  return !entry.includes("(");
}

/** The entries as rules, if one of them limits its tool: then all of them are what the agent may do. */
function limiting(
  entries: readonly string[] | undefined,
  kit: Pick<AgentKit, "registry">,
): readonly string[] | undefined {
  if (entries === undefined || entries.every(isWhole)) return undefined;
  return permittedEntries(entries, toolsIn(kit.registry));
}

function checkNames(wanted: readonly string[], allowed: readonly RegisteredTool[]): void {
  for (const entry of wanted) {
    if (allowed.some((tool) => names([entry], tool))) continue;
    const known = allowed.map(({ name }) => name);
    const near = nearestName(toolOf(entry).slice(0, 64), new Set(known));
    throw new ToolError("INVALID_INPUT", `The agent has no tool ${JSON.stringify(entry)}.`, {
      hint: near === undefined ? `It has ${known.join(", ")}.` : `Did you mean ${near}?`,
    });
  }
}
