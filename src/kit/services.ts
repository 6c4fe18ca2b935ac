import {
  absentClient,
  agents,
  agentTasks,
  artifactStore,
  backgroundModel,
  client,
  createdTools,
  commandEnvironment,
  delegation,
  seenFiles,
  jobs,
  languageServers,
  limits,
  notifier,
  otherSessions,
  people,
  planMode,
  planning,
  redaction,
  runWork,
  searchSettings,
  skillHubs,
  skills,
  slashCommands,
  taskList,
  toolSearch,
  web,
  webSearch,
  workingDirectory,
  type Agents,
  type ArtifactStore,
  type BackgroundModel,
  type CreatedTools,
  type Delegation,
  type LanguageServers,
  type Limits,
  type Notifier,
  type OtherSessions,
  type PlanMode,
  type Redaction,
  type RunWork,
  type SearchSettings,
  type Services,
  type ServiceToken,
  type SkillHubService,
  type Skills,
  type SlashCommands,
  type ToolSearch,
  type Web,
  type WebSearch,
} from "../core/index.ts";
import { RecentMap } from "../text/index.ts";
import type { FileStates, WorkingDirectories } from "../session/index.ts";
import type { StoredTasks } from "../background/index.ts";

/** Maximum number of sessions remembered. In a session that returns after it was dropped, files must be read again. */
const maxSessions = 1000;

export interface KitServices {
  /** Returns the services for tools of a session. */
  of(sessionId: string | undefined): Services;
  provides(token: ServiceToken<unknown>): boolean;
}

/** Services that the kit itself provides, the same for every session. */
export interface KitOwn {
  readonly limits: Limits;
  readonly search: SearchSettings;
  /** Environment variables that the settings give to commands. */
  readonly environment: Readonly<Record<string, string>>;
  /** Files seen, by session; kits on different hosts share them only if they share their sessions. */
  readonly files: FileStates;
  /** Artifacts by session. */
  readonly artifacts: { of(sessionId: string | undefined): ArtifactStore };
  readonly tasks: StoredTasks;
  readonly storesSessions: boolean;
  /** Whether the kit can ask a user; a call can bring an asker of its own. */
  readonly hasAsker: boolean;
  /** Undefined where no user is notified. */
  readonly notifier: Notifier | undefined;
  readonly directories: WorkingDirectories;
  readonly redaction: Redaction;
  readonly work: RunWork;
  /** Undefined where no model is known. */
  readonly backgroundModel: BackgroundModel | undefined;
  /** Stand for the services of each kit; undefined where no model is known. */
  readonly agents: Agents | undefined;
  readonly delegation: Delegation | undefined;
  readonly sessions: OtherSessions | undefined;
  /** Undefined where there are no skills. */
  readonly skills: Skills | undefined;
  /** Undefined where there are no directories of commands. */
  readonly slashCommands: SlashCommands | undefined;
  /** Undefined on a host without network. */
  readonly web: Web | undefined;
  /** Undefined where no search service is configured. */
  readonly webSearch: WebSearch | undefined;
  /** Undefined where the settings name no language server. */
  readonly languageServers: LanguageServers | undefined;
  /** Undefined where the settings name no hub. */
  readonly skillHubs: SkillHubService | undefined;
}

/** Combines the services of every kit with those it was given; a given one takes precedence. */
export function kitServices(given: Services | undefined, own: KitOwn): KitServices {
  const bySession = new RecentMap<string | undefined, Services>(maxSessions, (sessionId) => {
    own.files.end(sessionId);
    own.tasks.end(sessionId);
  });
  const of = (sessionId: string | undefined): Services => {
    const known = bySession.get(sessionId);
    if (known !== undefined) return known;
    const kept = new Map<string, unknown>([
      [seenFiles.id, own.files.of(sessionId)],
      [jobs.id, own.tasks.jobsOf(sessionId)],
      [taskList.id, own.tasks.listOf(sessionId)],
      [notifier.id, own.notifier],
      [people.id, own.hasAsker ? true : undefined],
      [planning.id, own.storesSessions ? true : undefined],
      [agentTasks.id, own.tasks.agents],
      [workingDirectory.id, own.directories.of(sessionId)],
      [limits.id, own.limits],
      [searchSettings.id, own.search],
      [artifactStore.id, own.artifacts.of(sessionId)],
      [commandEnvironment.id, own.environment],
      [redaction.id, own.redaction],
      [runWork.id, own.work],
      [backgroundModel.id, own.backgroundModel],
      [agents.id, own.agents],
      [delegation.id, own.delegation],
      [otherSessions.id, own.storesSessions ? own.sessions : undefined],
      [skills.id, own.skills],
      [web.id, own.web],
      [webSearch.id, own.webSearch],
      [languageServers.id, own.languageServers],
      [skillHubs.id, own.skillHubs],
      [slashCommands.id, own.slashCommands],
      [client.id, absentClient],
    ]);
    const services: Services = {
      get<T>(token: ServiceToken<T>): T | undefined {
        const service = given?.get(token);
        if (service !== undefined) return service;
        const mine = kept.get(token.id);
        return isFor(token, mine) ? mine : undefined;
      },
    };
    bySession.set(sessionId, services);
    return services;
  };
  return { of, provides: (token) => of(undefined).get(token) !== undefined };
}

/** Narrows the type: a service is stored under a token's id only with the type of that token. */
function isFor<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return service !== undefined;
}

/** Services that each kit provides itself, because they act on its own tools and its own mode. */
export interface OwnServices {
  readonly search: ToolSearch;
  readonly created: CreatedTools;
  readonly plan: PlanMode;
}

/** Services of a kit with those that are its own; a derived kit shares the others with its parent. */
export function withOwnServices(
  services: KitServices,
  { search, created, plan }: OwnServices,
): KitServices {
  const own = new Map<string, unknown>([
    [toolSearch.id, search],
    [createdTools.id, created],
    [planMode.id, plan],
  ]);
  return {
    of(sessionId): Services {
      const rest = services.of(sessionId);
      return {
        get: <T>(token: ServiceToken<T>): T | undefined => {
          const mine = own.get(token.id);
          return isFor(token, mine) ? mine : rest.get(token);
        },
      };
    },
    provides: (token) => own.has(token.id) || services.provides(token),
  };
}
