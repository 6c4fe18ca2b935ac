import {
  absentClient,
  agentTasks,
  artefactStore,
  client,
  fileState,
  jobs,
  limits,
  people,
  planning,
  redaction,
  searchSettings,
  taskList,
  workingDirectory,
  type ArtefactStore,
  type Limits,
  type Redaction,
  type SearchSettings,
  type Services,
  type ServiceToken,
} from "../core/index.ts";
import { RecentMap } from "../text/index.ts";
import type { FileStates, WorkingDirectories } from "../session/index.ts";
import type { KeptTasks } from "../background/index.ts";

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
  /** Files seen, by session; kits on different hosts share them only if they share their sessions. */
  readonly files: FileStates;
  readonly artefacts: ArtefactStore;
  readonly tasks: KeptTasks;
  readonly storesSessions: boolean;
  /** Whether the kit can ask a user; a call can bring an asker of its own. */
  readonly hasAsker: boolean;
  readonly directories: WorkingDirectories;
  readonly redaction: Redaction;
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
      [fileState.id, own.files.of(sessionId)],
      [jobs.id, own.tasks.jobsOf(sessionId)],
      [taskList.id, own.tasks.listOf(sessionId)],
      [people.id, own.hasAsker ? true : undefined],
      [planning.id, own.storesSessions ? true : undefined],
      [agentTasks.id, own.tasks.agents],
      [workingDirectory.id, own.directories.of(sessionId)],
      [limits.id, own.limits],
      [searchSettings.id, own.search],
      [artefactStore.id, own.artefacts],
      [redaction.id, own.redaction],
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
