import type { HaftEvent, Host, SkillCaller } from "../../core/index.ts";
import { RecentMap } from "../../text/index.ts";
import type { EventBus } from "../../session/index.ts";
import {
  hooksOfDocument,
  type FoundSkill,
  type Hook,
  type HookCaller,
  type HookOrigin,
  type HookSet,
  type HooksOfDocument,
} from "../../workspace/index.ts";
import { useOf, type RunCallers } from "../runs/run-callers.ts";
import type { Place } from "../workspace-context.ts";

/** Hooks in the fields of a skill. */
export interface SkillHooks extends Pick<FoundSkill, "file"> {
  readonly plugin?: FoundSkill["plugin"] | undefined;
  readonly directory: string;
  readonly value: unknown;
}

/** Hooks in the definition of an agent. */
export interface AgentHooks {
  readonly name: string;
  readonly file: string | undefined;
  readonly value: unknown;
}

/** Hooks of skills and agents, which run only while these are in use. */
export interface AddedHooksOfKit {
  /**
   * Until the run of the caller has ended, in its session, and in the agents and sessions that it started until these
   * have ended. Replaces those of an earlier use.
   */
  skill(skill: SkillHooks, caller: SkillCaller): Promise<void>;
  /**
   * Those of its definition and of the skill that it works on: for the agent, those below it and the
   * sessions that they start, until these have ended.
   */
  agent(
    agentId: string,
    hooks: {
      readonly definition?: AgentHooks | undefined;
      readonly skill?: SkillHooks | undefined;
    },
  ): Promise<void>;
}

interface Entry {
  /** The same for each use of one thing by one caller. */
  readonly key: string;
  readonly remove: () => void;
  readonly isOver: (event: HaftEvent) => boolean;
}

/** Maximum number of agents whose parent is remembered. */
const maxAgents = 100_000;

export function addedHooks({ place, host, set, bus, callers }: AddedHooksParts): AddedHooksOfKit {
  const { workspace, dataDirectory, trusted, recorded, hooks: loaded } = place;
  const agents = followAgents(bus);
  let entries: readonly Entry[] = [];
  bus.subscribe((event) => {
    if (event.type !== "run-end" && event.type !== "agent-end") return;
    const over = entries.filter(({ isOver }) => isOver(event));
    entries = entries.filter((each) => !over.includes(each));
    for (const { remove } of over) remove();
  });
  const add = async (
    entry: Omit<Entry, "remove">,
    { value, origin }: Pick<HooksOfDocument, "value" | "origin">,
    changed: (hook: Hook) => Hook,
  ): Promise<void> => {
    const isOff = origin.file !== undefined && loaded?.areDisabled(origin.file) === true;
    const document = { value: isOff ? {} : value, origin, changed };
    const found = await hooksOfDocument(document, {
      host,
      workspace,
      dataDirectory,
      trusted,
      recorded,
    });
    const remove = set.add(found.hooks, found.verify);
    for (const { key, remove: removeFormer } of entries) if (key === entry.key) removeFormer();
    entries = [...entries.filter(({ key }) => key !== entry.key), { ...entry, remove }];
  };
  return {
    async skill(skill, { sessionId, runId }) {
      const { appliesTo, isOver } = useOf(
        { sessionId, runId },
        callers,
        // A user who starts a run with it has no run yet.
        (event) =>
          event.type === "run-end" &&
          (runId === undefined
            ? event.sessionId === sessionId && (event.depth ?? 0) === 0
            : event.runId === runId),
      );
      const key = JSON.stringify(["skill", skill.file, sessionId, runId]);
      const env = skillVariables(skill);
      await add({ key, isOver }, documentOf("skill", skill), (hook) => ({
        ...hook,
        env,
        appliesTo,
      }));
    },
    async agent(agentId, { definition, skill }) {
      const appliesTo = (source: HookCaller): boolean =>
        callers.above(source).some((each) => agents.isBelow(each.agentId, agentId));
      const entryOf = (...key: readonly (string | undefined)[]): Omit<Entry, "remove"> => ({
        key: JSON.stringify([...key, agentId]),
        isOver: () => !agents.hasRunning(agentId) && !callers.running().some(appliesTo),
      });
      if (definition !== undefined) {
        await add(entryOf("agent", definition.name), documentOf("agent", definition), (hook) => ({
          ...ofAgent(hook),
          appliesTo,
        }));
      }
      if (skill !== undefined) {
        const env = skillVariables(skill);
        await add(entryOf("skill", skill.file), documentOf("skill", skill), (hook) => ({
          ...ofAgent(hook),
          env,
          appliesTo,
        }));
      }
    },
  };
}

function documentOf(
  scope: "skill" | "agent",
  { value, file, plugin }: Pick<AgentHooks, "value" | "file"> & Pick<SkillHooks, "plugin">,
): Pick<HooksOfDocument, "value" | "origin"> {
  const origin: HookOrigin = {
    scope,
    ...(file === undefined ? {} : { file }),
    ...(plugin === undefined ? {} : { plugin }),
  };
  return { value, origin };
}

function skillVariables({ directory }: SkillHooks): Readonly<Record<string, string>> {
  return { CLAUDE_SKILL_DIR: directory };
}

interface AddedHooksParts {
  readonly place: Pick<Place, "workspace" | "dataDirectory" | "hooks" | "trusted" | "recorded">;
  readonly host: Host;
  readonly set: HookSet;
  readonly bus: Pick<EventBus, "subscribe">;
  readonly callers: RunCallers;
}

/** The end of an agent has an event of its own. */
function ofAgent(hook: Hook): Hook {
  return hook.event === "Stop" ? { ...hook, event: "SubagentStop" } : hook;
}

/** Agents that are running, and their parents. */
function followAgents(bus: Pick<EventBus, "subscribe">) {
  const parents = new RecentMap<string, string>(maxAgents);
  const running = new Set<string>();
  const isBelow = (id: string | undefined, root: string): boolean => {
    let at = id;
    // A chain of agents is never longer than the agents that are known.
    for (let steps = 0; at !== undefined && steps < maxAgents; steps += 1) {
      if (at === root) return true;
      at = parents.get(at);
    }
    return false;
  };
  bus.subscribe((event) => {
    if (event.type !== "agent-start" && event.type !== "agent-end") return;
    const { agentId, parentAgentId } = event.agent;
    if (event.type === "agent-end") running.delete(agentId);
    else {
      running.add(agentId);
      if (parentAgentId !== undefined) parents.set(agentId, parentAgentId);
    }
  });
  return {
    isBelow,
    hasRunning: (root: string) => [...running].some((id) => isBelow(id, root)),
  };
}
