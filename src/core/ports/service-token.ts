import { ToolError } from "../call/errors.ts";

/** Names something a kit may provide to tools. Two tokens with one id are the same service. */
export interface ServiceToken<T> {
  /** Name of the service, unique among all services. */
  readonly id: string;
  /** Says how the user gets the service where nothing provides it. */
  readonly setup?: string;
  /** Never set; carries the type. */
  readonly type?: T;
}

/** Creates the token of a service; equal ids mean the same service. `setup` says how a user gets it. */
export function serviceToken<T>(id: string, setup?: string): ServiceToken<T> {
  return { id, ...(setup === undefined ? {} : { setup }) };
}

/** Services of a kit, by token. */
export interface Services {
  /** Returns a service; undefined if nothing provides it. */
  get<T>(token: ServiceToken<T>): T | undefined;
}

export function requireService<T>(services: Services, token: ServiceToken<T>): T {
  const service = services.get(token);
  if (service === undefined) {
    throw new ToolError("UNAVAILABLE", `Nothing here provides ${token.id}.`, {
      hint: token.setup ?? "Use a toolkit that provides it, or leave this tool out.",
      data: { service: token.id },
    });
  }
  return service;
}
