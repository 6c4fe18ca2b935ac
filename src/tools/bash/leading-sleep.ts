import { ToolError } from "../../core/index.ts";

const pattern = /^\s*sleep\s+(\d+(?:\.\d+)?)([smhd]?)\s*(?:$|;|\n|&&|\|\|)/u;
const units: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86_400 };
/** A shorter one is a pause and no waiting. */
const longSeconds = 2;

/** Seconds that a command waits before it does anything; undefined where it does not begin with a sleep. */
export function leadingSleep(command: string): number | undefined {
  const match = pattern.exec(command);
  if (match === null) return undefined;
  return Number(match[1]) * (units[match[2] ?? ""] ?? 1);
}

/** Why a command that begins with waiting is not run; undefined for one that may. `timeout`: what the call asks for. */
export function waitingRefusal(
  command: string,
  timeout: number | undefined,
): ToolError | undefined {
  const seconds = leadingSleep(command);
  if (seconds === undefined || seconds < longSeconds) return undefined;
  // Who wants it stopped before it is over waits no longer than that.
  if (timeout !== undefined && timeout < seconds * 1000) return undefined;
  return new ToolError("INVALID_INPUT", `The command would only wait for ${seconds} s first.`, {
    hint: "Run what you wait for with run_in_background and use TaskOutput with block, or start without the sleep.",
    data: { seconds },
  });
}
