import { z } from "zod";
import type { SessionFacts } from "../../core/index.ts";
import { counted } from "./paths/display-path.ts";

/** Schema of the id of a session. */
export const SessionId = z.string().min(1).describe("As SessionsList names it.");

/** Aliases of the key, as other tools call it. */
export const sessionIdAliases: readonly string[] = ["sessionId", "session", "id", "to"];

/** A session in one line. */
export function sessionLine({ sessionId, status, title, messages }: SessionFacts): string {
  return `${sessionId}  ${status}  ${counted(messages, "message")}  ${title.replaceAll(/\s+/gu, " ")}`;
}
