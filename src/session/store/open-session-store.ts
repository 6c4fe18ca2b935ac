import type { SessionStore } from "./session-store.ts";
import type { SessionStoreOptions } from "./sqlite-store.ts";

/** Opens the sessions in a file, loading SQLite on first use. */
export async function openSessionStore(options: SessionStoreOptions): Promise<SessionStore> {
  const store = await import("./sqlite-store.ts");
  return await store.openSessionStore(options);
}
