import type { Effect, SkillHubService } from "../../core/index.ts";

/** Connections to the hubs of the settings. */
export function hubEffects({ hosts }: Pick<SkillHubService, "hosts">): readonly Effect[] {
  return hosts.map((host) => {
    const { hostname, port } = new URL(`https://${host}`);
    const at = port === "" ? {} : { port: Number(port) };
    return { kind: "connect", host: hostname, ...at };
  });
}
