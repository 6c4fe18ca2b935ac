import type { ToolError } from "../../core/index.ts";
import type { Request } from "../call-state.ts";
import type { CallPlace } from "../environment/environment.ts";
import { abortedBefore } from "../run/abortable.ts";

/** Milliseconds a tool has to report what a call would touch or change, for which it only reads. */
export const lookingMs = 10_000;

export interface LookOptions {
  readonly state: Pick<Request, "stops">;
  readonly environment: CallPlace;
  readonly ms: number;
  /** Creates the error for exceeding the time limit. */
  readonly late: () => ToolError;
}

/**
 * Resolves to a tool's answer about a call that has not run yet. Rejects when the answer takes too long and when the
 * call is aborted, even if the tool continues working.
 */
export function lookWithin<T>(
  looking: Promise<T>,
  { state, environment, ms, late }: LookOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = environment.host.clock.timer(ms, () => {
      forget();
      reject(late());
    });
    const forget = state.stops.add(() => {
      cancelTimer();
      reject(abortedBefore());
    });
    const end = (): void => {
      cancelTimer();
      forget();
    };
    looking.then(
      (found) => {
        end();
        return resolve(found);
      },
      (cause: unknown) => {
        end();
        reject(cause);
      },
    );
  });
}
