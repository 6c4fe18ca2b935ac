import type { LoadedHooks, LoadHooksOptions } from "./load-hooks.ts";

/** Reads the hooks of the settings; the reader is loaded with the first hook, because most workspaces have none. */
export async function loadHooks(options: LoadHooksOptions): Promise<LoadedHooks> {
  const { loadHooks: load } = await import("./load-hooks.ts");
  return await load(options);
}
