import type { Host, StagedHost } from "../../core/index.ts";

/** A host over another one that is only read: what is written stays with it. Loaded with the first one. */
export async function openStagedHost(base: Host): Promise<StagedHost> {
  const { stagedHost } = await import("./staged-host.ts");
  return stagedHost(base);
}
