import { ToolError, type HostClock } from "../../core/index.ts";
import { waitOf } from "../retry-after.ts";

/** Requests to one public host within the window; a reader of documentation needs fewer. */
const maxRequests = 30;
const windowMs = 60_000;

/** Hosts remembered. */
const maxHosts = 500;

/** Limits the requests to each host, and honors the time for which a server asked to be left alone. */
export class HostPace {
  readonly #requests = new Map<string, number[]>();
  readonly #blockedUntil = new Map<string, number>();

  /** Counts a request. Throws UNAVAILABLE if the host gets no request now. */
  count(host: string, clock: HostClock): void {
    const now = clock.now();
    const until = this.#blockedUntil.get(host) ?? 0;
    if (until > now) {
      throw paused(`${host} asked for no requests until then`, until - now);
    }
    const recent = (this.#requests.get(host) ?? []).filter((at) => at > now - windowMs);
    if (recent.length >= maxRequests) {
      const [first = now] = recent;
      throw paused(`${host} got ${recent.length} requests within a minute`, first + windowMs - now);
    }
    recent.push(now);
    remember(this.#requests, host, recent);
  }

  /** Leaves a host alone for as long as its answer asks for; returns that time in milliseconds. */
  leave(host: string, retryAfter: string | undefined, clock: HostClock): number | undefined {
    const waitMs = waitOf(retryAfter, clock.now());
    if (waitMs === undefined) return undefined;
    remember(this.#blockedUntil, host, clock.now() + waitMs);
    return waitMs;
  }
}

function paused(fact: string, waitMs: number): ToolError {
  const seconds = Math.ceil(waitMs / 1000);
  return new ToolError("UNAVAILABLE", `${fact}.`, {
    hint: `Try again in ${seconds} s, or use another page.`,
    data: { retryAfterMs: waitMs },
  });
}

function remember<T>(map: Map<string, T>, host: string, value: T): void {
  map.delete(host);
  map.set(host, value);
  if (map.size > maxHosts) for (const oldest of map.keys()) return void map.delete(oldest);
}
