import type { Schema } from "../sqlite/migrate.ts";

/** Tables of an event log. */
export const eventSchema: Schema = {
  name: "event log",
  migrations: [
    {
      name: "events",
      sql: `
      CREATE TABLE events (
        position INTEGER PRIMARY KEY AUTOINCREMENT,
        version INTEGER NOT NULL,
        session_id TEXT,
        agent_id TEXT,
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        type TEXT NOT NULL,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX events_by_session ON events (session_id, position);
      CREATE INDEX events_by_type ON events (type, session_id, position);
    `,
    },
  ],
};
