import { ToolError } from "../call/errors.ts";

/** Names something a kit may provide to tools. Two tokens with one id are the same service. */
export interface ServiceToken<T> {
  readonly id: string;
  /** Never set; carries the type. */
  readonly type?: T;
}

export function serviceToken<T>(id: string): ServiceToken<T> {
  return { id };
}

/** Services of a kit, by token. */
export interface Services {
  get<T>(token: ServiceToken<T>): T | undefined;
}

export function requireService<T>(services: Services, token: ServiceToken<T>): T {
  const service = services.get(token);
  if (service === undefined) {
    throw new ToolError("UNAVAILABLE", `Nothing here provides ${token.id}.`, {
      hint: "Use a toolkit that provides it, or leave this tool out.",
      data: { service: token.id },
    });
  }
  return service;
}
