import { ToolError } from "../../core/index.ts";

const pattern = /^\s*sleep\s+(\d+(?:\.\d+)?)([smhd]?)\s*(?:$|;|\n|&&|\|\|)/u;
const units: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };
/** Minimum seconds of a sleep that counts as waiting; a shorter one is a pause. */
const longSeconds = 2;

/** Seconds that a command waits before it does anything; undefined if it does not begin with a sleep. */
export function leadingSleep(command: string): number | undefined {
  const match = pattern.exec(command);
  if (match === null) return undefined;
  return Number(match[1]) * (units[match[2] ?? ""] ?? 1);
}

/** Reason to refuse a command that begins with waiting; undefined if it may run. `timeout` is the call's, in ms. */
export function waitingRefusal(
  command: string,
  timeout: number | undefined,
): ToolError | undefined {
  const seconds = leadingSleep(command);
  if (seconds === undefined || seconds < longSeconds) return undefined;
  // A call whose timeout ends the sleep early waits no longer than that timeout.
  if (timeout !== undefined && timeout < seconds * 1000) return undefined;
  return new ToolError("INVALID_INPUT", `The command would only wait for ${seconds} s first.`, {
    hint: "Run what you wait for with run_in_background and use TaskOutput with block, or start without the sleep.",
    data: { seconds },
  });
}
