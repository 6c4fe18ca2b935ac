import { z } from "zod";

/** Schema of the id of an agent: its agent id, run id or session id. */
export const AgentId = z.string().min(1).describe("As Agent or AgentList names it.");

/** Aliases of the key, as other tools call it. */
export const agentIdAliases: readonly string[] = [
  "agentId",
  "runId",
  "run_id",
  "id",
  "session_id",
  "sessionId",
  "to",
];
