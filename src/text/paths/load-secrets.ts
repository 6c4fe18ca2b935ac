import type * as SecretTables from "./secret-places.ts";

/** Loads the table of secrets and its reader on first use, because it is as large as all other tables together. */
export async function loadSecretTables(): Promise<typeof SecretTables> {
  return await import("./secret-places.ts");
}
