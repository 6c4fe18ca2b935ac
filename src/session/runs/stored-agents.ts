import type { DatabaseSync } from "node:sqlite";
import type { Mail } from "./mail.ts";
import type { Row } from "../sqlite/sqlite.ts";
import type { Bodies } from "../store/bodies.ts";
import type { Claims } from "../store/claims.ts";

/** An agent that another one started, as it is stored. */
export interface StoredAgent {
  readonly sessionId: string;
  readonly agentId: string;
  /** Agent that started it; "" for the one that talks to the user. */
  readonly parentAgentId: string;
  /** Latest run of the agent. */
  readonly runId: string;
  /** Call that started this run. */
  readonly callId: string;
  readonly isRunning: boolean;
  /** Facts from which the agent continues. */
  readonly body: unknown;
}

/** A stored agent, with what became of its latest run. */
export interface FoundAgent extends Omit<StoredAgent, "isRunning"> {
  /** `interrupted`: its process ended before the run did. */
  readonly state: "running" | "ended" | "interrupted";
  /** Whether its conversation has messages, and whether its latest run added some. */
  readonly hasMessages: boolean;
  readonly hasBegun: boolean;
}

/** Agents of one session, or the agent with an id. */
export type AgentQuery =
  | { readonly sessionId: string }
  | { readonly agentId: string; readonly sessionId?: undefined };

export interface AgentRows {
  /** Must be called in a transaction. Returns the number of the message with the end, if one was posted. */
  record(agent: StoredAgent, end: string | undefined): number | undefined;
  find(query: AgentQuery): readonly FoundAgent[];
}

export interface AgentRowParts {
  readonly bodies: Bodies;
  readonly mail: Mail;
  readonly claims: Claims;
  readonly now: () => number;
  /** Whether a process works on the run; undefined if it was not recorded. */
  readonly isRunning: (sessionId: string, runId: string) => boolean | undefined;
}

/** Rows of agents. A damaged one counts as missing. */
export function agentRows(database: DatabaseSync, parts: AgentRowParts): AgentRows {
  const { bodies, mail, claims, now } = parts;
  const upsert = database.prepare(
    `INSERT INTO agents (session_id, id, parent_agent_id, run_id, call_id, is_running, body, owner, owner_key, lease_until)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET parent_agent_id = excluded.parent_agent_id, run_id = excluded.run_id,
        call_id = excluded.call_id, is_running = excluded.is_running, body = excluded.body, owner = excluded.owner,
        owner_key = excluded.owner_key, lease_until = excluded.lease_until`,
  );
  const columns = `a.*,
    EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = a.session_id AND m.agent_id = a.id) AS has_messages,
    EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = a.session_id AND m.agent_id = a.id
      AND m.run_id = a.run_id) AS has_begun`;
  const ofSession = database.prepare(
    `SELECT ${columns} FROM agents AS a WHERE session_id = ? ORDER BY rowid`,
  );
  const ofAgent = database.prepare(`SELECT ${columns} FROM agents AS a WHERE id = ?`);
  const runningRun = database.prepare(
    "SELECT 1 FROM agents WHERE session_id = ? AND id = ? AND run_id = ? AND is_running = 1",
  );
  const isHeld = (row: Row): boolean => {
    const sessionId = String(row["session_id"]);
    const isRunning = parts.isRunning(sessionId, String(row["run_id"]));
    if (isRunning !== undefined) return isRunning;
    const claim = {
      owner: String(row["owner"]),
      key: String(row["owner_key"]),
      leaseUntil: Number(row["lease_until"]),
    };
    return claims.isHeld(claim);
  };
  const found = (row: Row): readonly FoundAgent[] => {
    try {
      const isRunning = Number(row["is_running"]) === 1;
      return [
        {
          sessionId: String(row["session_id"]),
          agentId: String(row["id"]),
          parentAgentId: String(row["parent_agent_id"]),
          runId: String(row["run_id"]),
          callId: String(row["call_id"]),
          body: bodies.decode(String(row["body"])),
          state: !isRunning ? "ended" : isHeld(row) ? "running" : "interrupted",
          hasMessages: Number(row["has_messages"]) === 1,
          hasBegun: Number(row["has_begun"]) === 1,
        },
      ];
    } catch {
      return [];
    }
  };
  return {
    record(agent, end) {
      const { sessionId, agentId, parentAgentId, runId, callId, isRunning, body } = agent;
      const wasRunning = runningRun.get(sessionId, agentId, runId) !== undefined;
      upsert.run(
        sessionId,
        agentId,
        parentAgentId,
        runId,
        callId,
        isRunning ? 1 : 0,
        bodies.encode(sessionId, body),
        claims.owner,
        claims.key,
        claims.leaseUntil(),
      );
      // An end is posted once: another process may have found the agent interrupted meanwhile.
      if (end === undefined || isRunning || !wasRunning) return undefined;
      return mail.post({
        sessionId,
        agentId: parentAgentId,
        text: end,
        at: now(),
        workId: agentId,
      });
    },
    find(query) {
      const rows =
        query.sessionId === undefined ? ofAgent.all(query.agentId) : ofSession.all(query.sessionId);
      return rows.flatMap(found);
    },
  };
}
