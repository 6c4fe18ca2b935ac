import { isRecord } from "./json-rpc.ts";

/** Whether a client can show a person a form: one that names no way of asking has this one. */
export function canElicit(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { elicitation } = capabilities;
  if (!isRecord(elicitation)) return false;
  return "form" in elicitation || !("url" in elicitation);
}
