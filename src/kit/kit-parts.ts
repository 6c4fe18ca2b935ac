import type { Host, Mode, RunWork } from "../core/index.ts";
import { ceilingsBelow, modeState, type Ceiling, type RuleProblem } from "../policy/index.ts";
import type { SettingsProblem, ToolProblems } from "../workspace/index.ts";
import type { SharedAgents } from "../agent/index.ts";
import type { FoundToolCalls } from "../registry/index.ts";
import type { AgentStatusFiles } from "./agents/status-files.ts";
import type { AgentKit } from "./agents/bound-agents.ts";
import type { CreatedParts } from "./created/lazy-created.ts";
import type { Engine, SharedState } from "./call-engine.ts";
import type { EnvironmentParts } from "./kit-environment.ts";
import type { LazyEnvelope } from "./groups/envelope.ts";
import type { EventSink } from "./event-sink.ts";
import type { OpenedHooks } from "./hooks/open-hooks.ts";
import type { Diagnostics } from "../diagnostics/index.ts";
import type { LazyServers } from "./mcp/lazy-servers.ts";
import type { Permissions } from "./rules/permissions.ts";
import type { KitTasks } from "./tasks.ts";
import type { ActiveRuns } from "./runs/active-runs.ts";
import type { RunCallers } from "./runs/run-callers.ts";
import type { KitModels } from "./runs/models.ts";
import type { SessionFile } from "./sessions/session-file.ts";
import type { ActiveCeilings } from "./skills/active-ceilings.ts";
import { kitSandboxes } from "./confinement/kit-sandboxes.ts";
import { joinPath, pathBelow } from "../text/index.ts";
import type { Place } from "./workspace-context.ts";
import { checkMode, refuseDisabledBypass, type DeriveOptions } from "./options/options.ts";

/** Files, records and bytes that a collection removed, or that a dry run would remove. */
export interface CollectionReport {
  /** Full outputs of calls. */
  readonly artifacts: { readonly files: number; readonly bytes: number };
  /** Before-images and records of calls. */
  readonly journal: { readonly calls: number; readonly blobs: number; readonly bytes: number };
  /** Records that tools need to undo their own calls. */
  readonly undo: { readonly calls: number; readonly bytes: number };
  /** Events in the file that they are written to. */
  readonly events: { readonly events: number; readonly bytes: number };
}

/** The session that a kit is limited to, and those that its calls have started. */
export interface SessionScope {
  readonly sessionId: string;
  has(sessionId: string): boolean;
  /** Adds a session that a call has started. */
  add(sessionId: string): void;
}

/** Dependencies of a kit, some of them shared with the kits derived from it. */
export interface KitParts extends EnvironmentParts {
  readonly permissions: Permissions;
  readonly toolProblems: ToolProblems;
  /** Number of tools above which most are deferred; undefined: never. */
  readonly toolThreshold: number | undefined;
  /** Tokens of definitions above which most are deferred, in place of the number; undefined: the number counts. */
  readonly maxToolTokens: number | undefined;
  /** How found tools are called. */
  readonly foundToolCalls: FoundToolCalls | "auto";
  /** The tool that calls others; the same for every kit derived from this one. */
  readonly envelope: LazyEnvelope;
  /** Tools that were created while the kit ran, or stored by an earlier one. */
  readonly created: CreatedParts;
  readonly ownsHost: boolean;
  readonly log: EventSink;
  readonly sessionFile: SessionFile;
  readonly models: KitModels;
  /** Active runs, and the work that they leave in the background. */
  readonly runs: ActiveRuns;
  readonly work: RunWork;
  /** Runs that calls have started. */
  readonly callers: RunCallers;
  /** States of agents for other processes; undefined where sessions are not stored. */
  readonly agentFiles: (() => Promise<AgentStatusFiles>) | undefined;
  /** Writes the states of agents that are not written yet. */
  readonly closeAgents: () => Promise<void>;
  /** Loads the agents; the same for every kit derived from this one. */
  readonly agents: () => Promise<SharedAgents<AgentKit>>;
  /** Time of the oldest event that a collection keeps, in milliseconds since the epoch. */
  readonly eventsFrom: () => number;
  readonly isDerived: boolean;
  /** Session whose stored outputs and conversations its calls see; undefined: those of all. */
  readonly scope?: SessionScope;
  /** Ceilings that the derived kits above were given, as rules. */
  readonly ceilingRules: readonly {
    readonly rules: readonly string[];
    readonly name?: string | undefined;
  }[];
  readonly setMode: (mode: Mode) => void;
  /** Leaves plan mode for the mode before it, and returns that. */
  readonly leavePlan: () => Mode;
  /** Creates the dependencies for another host than this kit's; they last until it is released. */
  readonly onHost: (
    host: Host,
    place: Place,
  ) => Pick<KitParts, "host" | "artifacts" | "services"> & Pick<KitParts, "releaseHost">;
  /** Ends the tasks of this kit's own host and forgets that host; does nothing if it uses its parent's. */
  readonly releaseHost: () => Promise<void>;
  readonly tasks: KitTasks;
  /** Ends every task and closes the files that journals keep open, on every host. */
  readonly releaseHosts: () => Promise<void>;
  /** Loads the call engine; the same for every kit derived from this one. */
  readonly engines: () => Promise<SharedState>;
  readonly signal: AbortSignal | undefined;
  /** Hooks of the settings; undefined if there are none. A kit in another workspace runs the same hooks there. */
  readonly hooks: OpenedHooks | undefined;
  /** Limits a session to what a skill or command allows; undefined where there are none. */
  readonly sessionCeilings: Pick<ActiveCeilings, "limitSession"> | undefined;
  /** Checkers and language servers; undefined if there are none. */
  readonly diagnostics: Diagnostics | undefined;
  /** MCP servers; the same for every kit derived from this one. */
  readonly servers: LazyServers;
}

/** Dependencies of a kit that can do no more than the one with these, and less where the options say so. */
export function derivedParts(
  above: KitParts,
  options: DeriveOptions,
  signal: AbortSignal,
): KitParts {
  const { workspace } = options;
  const parts = workspace === undefined ? above : movedParts(above, workspace);
  const { place, rules, registry, getMode } = parts;
  const mode = modeState(checkMode(options.mode ?? getMode()));
  refuseDisabledBypass(mode.get(), place.isBypassDisabled);
  const parent = {
    get rules() {
      return rules.current();
    },
    get mode() {
      return getMode();
    },
    boundary: place.boundary,
    trusted: place.trusted,
    ceilings: parts.ceilings,
  };
  const limits: readonly Ceiling[] = ceilingsBelow(parent, "the parent");
  const ceilings =
    options.ceiling === undefined
      ? limits
      : [...limits, rules.ceiling(options.ceiling, options.ceilingName)];
  const derived = {
    ...parts,
    ...hostParts(parts, options),
    ownsHost: false,
    isDerived: true,
    // A registry of its own, so that the parent does not offer what a child registers.
    registry: registry.createFiltered(options.tools ?? registry.getNames()),
    getMode: mode.get,
    setMode: mode.set,
    leavePlan: mode.leavePlan,
    ceilings,
    ceilingRules:
      options.ceiling === undefined
        ? parts.ceilingRules
        : [...parts.ceilingRules, { rules: options.ceiling, name: options.ceilingName }],
    signal,
  };
  if (workspace === undefined || parts.hooks === undefined) return derived;
  const hooks = parts.hooks.moved({ ...derived, mode: mode.get });
  return { ...derived, hooks, shared: { ...parts.shared, hooks: hooks.hooks } };
}

/** Dependencies that a kit on a host or in a workspace of its own has; one on those of its parent releases nothing. */
function hostParts(
  parts: KitParts,
  { host, workspace }: DeriveOptions,
): Partial<ReturnType<KitParts["onHost"]>> & Pick<KitParts, "releaseHost"> {
  if (host === undefined && workspace === undefined) {
    return { releaseHost: async (): Promise<void> => undefined };
  }
  const own = parts.onHost(host ?? parts.host, parts.place);
  if (workspace === undefined) return own;
  return {
    ...own,
    releaseHost: async () => {
      await own.releaseHost();
      await parts.sandboxes.dispose();
    },
  };
}

/** The dependencies as they would be if the kit had been opened in another workspace, such as another checkout. */
function movedParts(parts: KitParts, workspace: string): KitParts {
  const { place, rules, host } = parts;
  const from = place.workspace;
  const moved = rules.moved(from, workspace);
  const boundary = {
    ...place.boundary,
    roots: [workspace],
    protected: (place.boundary.protected ?? []).map((path) => {
      const below = pathBelow(from, path);
      return below === undefined ? path : joinPath(workspace, below);
    }),
    origins: [...(place.boundary.origins ?? []), from],
  };
  const there: Place = {
    ...place,
    workspace,
    boundary,
    anchors: { ...place.anchors, base: workspace, cwd: workspace },
    store: undefined,
  };
  return {
    ...parts,
    place: there,
    rules: moved,
    ceilings: [
      ...parts.ceilings.flatMap((ceiling): Ceiling[] => {
        if (ceiling.kind === "only") return [];
        const { name } = ceiling;
        return [
          {
            kind: "policy",
            name,
            get policy() {
              return { ...ceiling.policy, rules: moved.current(), boundary };
            },
          },
        ];
      }),
      ...parts.ceilingRules.map(({ rules: given, name }) =>
        moved.ceilingOfFile(given, name ?? "the ceiling of this toolkit"),
      ),
    ],
    sandboxes: kitSandboxes(host, there, there.sandbox),
  };
}

/** Releases what a kit has opened; a derived kit releases only its own host, because it shares the rest. */
export async function releaseParts(parts: KitParts): Promise<void> {
  if (parts.isDerived) {
    await parts.releaseHost();
    return;
  }
  await parts.closeAgents();
  await parts.servers.current?.dispose();
  await parts.diagnostics?.dispose();
  await parts.releaseHosts();
  if (parts.ownsHost) await parts.host[Symbol.asyncDispose]();
  await parts.sandboxes.dispose();
  await parts.log.close();
  await parts.sessionFile.close();
}

/** Problems of settings, rules, tools, servers and the event log. */
export function allProblems({
  place,
  rules,
  log,
  toolProblems,
  servers,
}: KitParts): readonly (SettingsProblem | RuleProblem)[] {
  const stored = log.problem();
  return [
    ...place.problems,
    ...rules.problems,
    ...toolProblems.all,
    ...(servers.current?.problems ?? []),
    ...(stored === undefined ? [] : [stored]),
  ];
}

/** Deletes what is old, or beyond its quota, or reports what would be deleted. */
export async function collectParts(
  { artifacts, log, eventsFrom }: KitParts,
  { journal, compensations }: Pick<Engine, "journal" | "compensations">,
  options: { readonly dryRun?: boolean },
): Promise<CollectionReport> {
  const { dryRun = false } = options;
  return {
    artifacts: await artifacts.collect(options),
    journal: await journal.gc(options),
    undo: await compensations.gc(options),
    events: await log.collect({ beforeMs: eventsFrom(), dryRun }),
  };
}
