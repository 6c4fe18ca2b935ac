import { isRecord } from "./json-rpc.ts";

/** Whether a client can show the user a form. A client that names no elicitation mode supports forms. */
export function canElicit(capabilities: Readonly<Record<string, unknown>>): boolean {
  const { elicitation } = capabilities;
  if (!isRecord(elicitation)) return false;
  return "form" in elicitation || !("url" in elicitation);
}
