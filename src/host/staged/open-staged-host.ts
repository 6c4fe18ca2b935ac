import type { Host, StagedHost } from "../../core/index.ts";

/** Creates a staged host on top of another one, which is only read. Its modules are loaded on first use. */
export async function openStagedHost(base: Host): Promise<StagedHost> {
  const { stagedHost } = await import("./staged-host.ts");
  return stagedHost(base);
}
