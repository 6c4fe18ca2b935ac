import { ToolError } from "../../core/index.ts";
import type { Stops } from "./abort-listeners.ts";

/**
 * Settles like `work`, or rejects with ABORTED as soon as the call is aborted: an aborted call ends even if `work`
 * never settles. A later result of `work` is dropped.
 */
export function orAborted<T>(work: Promise<T>, stops: Stops, message?: string): Promise<T> {
  if (!stops.isPossible) return work;
  return new Promise((resolve, reject) => {
    const forget = stops.add(() => reject(abortedBefore(message)));
    Promise.resolve(work).then(
      (value) => {
        forget();
        return resolve(value);
      },
      (cause: unknown) => {
        forget();
        reject(cause);
      },
    );
  });
}

export function abortedBefore(message = "The call was aborted before it ran."): ToolError {
  return new ToolError("ABORTED", message, {
    hint: "Nothing was done; call it again when it is wanted.",
  });
}
