import type {
  AddedHooks,
  HooksOfDocument,
  HookTrust,
  LoadedHooks,
  LoadHooksOptions,
} from "./load-hooks.ts";

/** Reads the hooks of the settings; the reader is loaded with the first hook, because most workspaces have none. */
export async function loadHooks(options: LoadHooksOptions): Promise<LoadedHooks> {
  const { loadHooks: load } = await import("./load-hooks.ts");
  return await load(options);
}

/** Reads the hooks in the fields of a skill or an agent that is about to be used. */
export async function hooksOfDocument(
  document: HooksOfDocument,
  options: HookTrust,
): Promise<AddedHooks> {
  const { hooksOfDocument: read } = await import("./load-hooks.ts");
  return await read(document, options);
}
