import {
  absentClient,
  artefactStore,
  client,
  fileState,
  jobs,
  limits,
  redaction,
  searchSettings,
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
import type { KeptJobs } from "../background/index.ts";

/** Sessions that are remembered; in one that comes back after so many others, files must be read again. */
const maxSessions = 1000;

export interface KitServices {
  /** What tools of this session may ask for. */
  of(sessionId: string | undefined): Services;
  provides(token: ServiceToken<unknown>): boolean;
}

/** What the kit itself brings, the same for every session. */
export interface KitOwn {
  readonly limits: Limits;
  readonly search: SearchSettings;
  /** Files seen by session; kits on different hosts share them with whom they share their sessions. */
  readonly files: FileStates;
  readonly artefacts: ArtefactStore;
  /** Undefined where nothing may run in the background. */
  readonly jobs: KeptJobs | undefined;
  readonly directories: WorkingDirectories;
  readonly redaction: Redaction;
}

/** The services every kit has, and those it was given; a given one wins. */
export function kitServices(given: Services | undefined, own: KitOwn): KitServices {
  const bySession = new RecentMap<string | undefined, Services>(maxSessions, (sessionId) => {
    own.files.end(sessionId);
    own.jobs?.end(sessionId);
  });
  const of = (sessionId: string | undefined): Services => {
    const known = bySession.get(sessionId);
    if (known !== undefined) return known;
    const kept = new Map<string, unknown>([
      [fileState.id, own.files.of(sessionId)],
      [jobs.id, own.jobs?.of(sessionId)],
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

/** What is kept under a token's id was put there as what the token stands for. */
function isFor<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return service !== undefined;
}
