import type { Schema } from "../sqlite/migrate.ts";

/**
 * Tables of a session store. `agent_id` is "" for the agent that talks to the user. A message belongs to a view: the
 * model sees the messages of the latest view of its agent, and a compaction starts a new one with copies. Mail that
 * reports the end of an agent in the background has its id as `work_id`.
 */
export const sessionSchema: Schema = {
  name: "session store",
  migrations: [
    {
      name: "sessions",
      sql: `
      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        title TEXT,
        workspace TEXT,
        forked_from TEXT,
        forked_at INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      ) STRICT;
      CREATE INDEX sessions_by_update ON sessions (updated_at);
      CREATE TABLE runs (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        parent_agent_id TEXT,
        task TEXT NOT NULL,
        model TEXT NOT NULL,
        status TEXT,
        turns INTEGER NOT NULL,
        calls INTEGER NOT NULL,
        usage TEXT,
        cost_usd REAL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        owner TEXT,
        owner_key TEXT,
        lease_until INTEGER,
        UNIQUE (session_id, id)
      ) STRICT;
      CREATE TABLE messages (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        agent_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        view INTEGER NOT NULL,
        is_copy INTEGER NOT NULL,
        role TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX messages_by_view ON messages (session_id, agent_id, view, position);
      CREATE INDEX messages_by_agent ON messages (session_id, agent_id, position, is_copy);
      CREATE TABLE steps (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        run_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        key TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (session_id, run_id, agent_id, key)
      ) STRICT;
      CREATE TABLE intents (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        call_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        at INTEGER NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX intents_by_call ON intents (session_id, call_id);
      CREATE TABLE blobs (hash TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
      CREATE TABLE blob_uses (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        hash TEXT NOT NULL,
        PRIMARY KEY (session_id, hash)
      ) STRICT;
      CREATE INDEX blob_uses_by_hash ON blob_uses (hash);
    `,
    },
    {
      name: "mail",
      sql: `
      CREATE TABLE mail (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        text TEXT NOT NULL
      ) STRICT;
      CREATE INDEX mail_by_session ON mail (session_id, number);
    `,
    },
    {
      name: "agents",
      sql: `
      CREATE TABLE agents (
        session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        id TEXT NOT NULL,
        parent_agent_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        is_running INTEGER NOT NULL,
        body TEXT NOT NULL,
        owner TEXT NOT NULL,
        owner_key TEXT NOT NULL,
        lease_until INTEGER NOT NULL,
        PRIMARY KEY (session_id, id)
      ) STRICT;
      CREATE INDEX agents_by_id ON agents (id);
      ALTER TABLE mail ADD COLUMN agent_id TEXT NOT NULL DEFAULT '';
      ALTER TABLE mail ADD COLUMN work_id TEXT;
    `,
    },
  ],
};
