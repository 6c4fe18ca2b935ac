import type * as SecretTables from "./secret-places.ts";

/** The table of secrets and what reads it: loaded when it is needed, because it is as large as all other tables together. */
export async function loadSecretTables(): Promise<typeof SecretTables> {
  return await import("./secret-places.ts");
}
