import { isRecord } from "../../text/index.ts";
import type { RunRow } from "./session-rows.ts";
import type { SessionInfo, StoredConversation } from "./session-store.ts";

/** Everything of a session that an export contains. */
export interface ExportedSession {
  readonly info: SessionInfo;
  readonly runs: readonly RunRow[];
  /** Conversations, that of the agent that talks to the user, "", first. */
  readonly agents: readonly (StoredConversation & { readonly agentId: string })[];
}

/** Removes from a text what must not leave the machine. */
export type TextChange = (text: string) => string;

/**
 * The value with every text changed. A part whose text changed loses its `providerData`: a signature of a provider
 * holds for the original text only, and may contain it.
 */
export function changedTexts(value: unknown, change: TextChange): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item: unknown) => changedTexts(item, change));
  if (!isRecord(value)) return value;
  const { providerData, ...rest } = value;
  const entries = Object.entries(rest).map(([key, item]) => [
    change(key),
    changedTexts(item, change),
  ]);
  const changed: unknown = Object.fromEntries(entries);
  if (providerData === undefined) return changed;
  const isSame = JSON.stringify(changed) === JSON.stringify(rest);
  return isSame && isRecord(changed)
    ? { ...changed, providerData: changedTexts(providerData, change) }
    : changed;
}
