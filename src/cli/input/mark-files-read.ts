import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileState, type FileState, type Services, type ServiceToken } from "../../index.ts";

/** Larger files are read first, as an agent would. */
const maxBytes = 10_000_000;

/**
 * Counts every file as read. Edit and Write refuse what an agent has not looked at; a person who types one call has
 * no session in which to look first, and knows what they name.
 */
export function everyFileRead(): Services {
  const state: FileState = {
    saw: () => undefined,
    view(path) {
      try {
        const bytes = readFileSync(path);
        return bytes.length > maxBytes
          ? undefined
          : { hash: `sha256:${hash("sha256", bytes, "hex")}` };
      } catch {
        // Whatever is wrong with the file, the tool says it better.
        return undefined;
      }
    },
    forget: () => undefined,
  };
  return {
    get<T>(token: ServiceToken<T>): T | undefined {
      const service: unknown = state;
      return isNamed(token, service) ? service : undefined;
    },
  };
}

/** Two tokens of one id are the same service, so the id says what the service's type is. */
function isNamed<T>(token: ServiceToken<T>, service: unknown): service is T {
  return token.id === fileState.id && service !== undefined;
}
