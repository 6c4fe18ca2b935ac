import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { seenFiles, type SeenFiles, type Services, type ServiceToken } from "../../index.ts";

/** Maximum bytes; larger files must be read first, as by an agent. */
const maxBytes = 10_000_000;

/**
 * Returns services in which every file counts as read. Edit and Write refuse a file that an agent has not read; a user
 * who types one call has no session to read it in first, and knows the file.
 */
export function everyFileRead(): Services {
  const state: SeenFiles = {
    saw: () => undefined,
    view(path) {
      try {
        const bytes = readFileSync(path);
        return bytes.length > maxBytes
          ? undefined
          : { hash: `sha256:${hash("sha256", bytes, "hex")}` };
      } catch {
        // The tool reports a problem with the file in more detail.
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

/** Narrows the type: two tokens with one id are the same service. */
function isNamed<T>(token: ServiceToken<T>, service: unknown): service is T {
  return token.id === seenFiles.id && service !== undefined;
}
