import { fileState, type Services, type ServiceToken } from "../core/index.ts";
import { memoryFileStates } from "../session/index.ts";

export interface KitServices {
  /** What tools of this session may ask for. */
  of(sessionId: string | undefined): Services;
  provides(token: ServiceToken<unknown>): boolean;
}

/** The services every kit has, and those it was given; a given one wins. */
export function kitServices(given: Services | undefined): KitServices {
  const files = memoryFileStates();
  const bySession = new Map<string | undefined, Services>();
  const of = (sessionId: string | undefined): Services => {
    const known = bySession.get(sessionId);
    if (known !== undefined) return known;
    const own = new Map<string, unknown>([[fileState.id, files.of(sessionId)]]);
    const services: Services = {
      get<T>(token: ServiceToken<T>): T | undefined {
        const service = given?.get(token);
        if (service !== undefined) return service;
        const kept = own.get(token.id);
        return isFor(token, kept) ? kept : undefined;
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
