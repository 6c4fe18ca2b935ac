import type { ProgressUpdate } from "../../../core/index.ts";
import type { Channel } from "../transport/transport.ts";

/** Small enough that uncounted updates between two counted figures stay between them. */
const uncountedStep = 0.001;

/**
 * Converts a call's updates to progress notifications whose figure always grows, as the protocol requires: an update
 * without a count advances it by a small step; one that counts backwards and has no new message is dropped. Undefined
 * if the client asked for no progress.
 */
export function progressReporter(
  token: unknown,
  channel: Channel,
): ((update: ProgressUpdate) => void) | undefined {
  if (typeof token !== "string" && !Number.isInteger(token)) return undefined;
  let last: number | undefined;
  let isCounting = false;
  return ({ done, total, message }) => {
    const advances =
      done !== undefined && Number.isFinite(done) && (last === undefined || done > last);
    if (!advances && message === undefined) return;
    if (channel.isCongested?.() === true) return;
    isCounting ||= advances;
    last = advances ? done : (last ?? 0) + (isCounting ? uncountedStep : 1);
    channel.send({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: {
        progressToken: token,
        progress: last,
        ...(total === undefined ? {} : { total }),
        ...(message === undefined ? {} : { message }),
      },
    });
  };
}
