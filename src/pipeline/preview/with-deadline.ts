import type { ToolError } from "../../core/index.ts";
import type { CallState } from "../call-state.ts";
import type { PipelineEnvironment } from "../environment.ts";
import { abortedBefore } from "../run/abortable.ts";

/** Milliseconds a tool has to say what a call would touch or change: it only looks. */
export const lookingMs = 10_000;

export interface LookOptions {
  readonly state: CallState;
  readonly environment: Pick<PipelineEnvironment, "host">;
  readonly ms: number;
  /** What went wrong when it takes longer. */
  readonly late: () => ToolError;
}

/**
 * What a tool finds out before its call runs, as long as that is not for ever: it fails when it takes too long
 * and when the call is aborted, whatever the tool goes on doing.
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
