import type { Outcome } from "../../src/index.ts";

/** Whatever goes wrong, the model reads a code, a sentence and a next step; undefined where it does. */
export function complaint(
  outcome: Outcome | undefined,
  codes: string | readonly string[],
): string | undefined {
  const error = outcome?.error;
  if (outcome?.isError !== true || error === undefined) return `no error, but ${outcome?.text}`;
  const { code, message, hint = "" } = error;
  if (![codes].flat().includes(code)) return `${code}: ${message}`;
  if (!/\w{2}/u.test(message)) return `the message says ${JSON.stringify(message)}`;
  if (!/\w{2}/u.test(hint)) return `there is no next step after ${message}`;
  const isWhole = outcome.text.startsWith(`${code}: `) && outcome.text.includes(hint);
  return isWhole && outcome.text.includes(message) ? undefined : `the model reads ${outcome.text}`;
}
