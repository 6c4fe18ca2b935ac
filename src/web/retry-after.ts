import type { HostResponse } from "../core/index.ts";

/** Longest wait that a server may ask for; a longer one counts as this. */
const maxWaitMs = 3_600_000;

/** Longest wait after which a request is sent again by itself; a longer one is told to the model. */
const maxRetryWaitMs = 5000;

/** Milliseconds of a `Retry-After` header, which holds seconds or a date; undefined where there is nothing to wait for. */
export function waitOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d+$/u.test(retryAfter.trim())
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - now;
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, maxWaitMs) : undefined;
}

/** Milliseconds after which an answer 429 or 503 permits another request; undefined where it is too long to wait. */
export function retryWaitMs(
  { status, headers }: Pick<HostResponse, "status" | "headers">,
  now: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined;
  const waitMs = waitOf(headers["retry-after"], now);
  return waitMs !== undefined && waitMs <= maxRetryWaitMs ? waitMs : undefined;
}

/** Frees the connection of an answer that is not read further. */
export async function discard({ body }: HostResponse): Promise<void> {
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > 65_536) break;
  }
}
