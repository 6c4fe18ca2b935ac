import { ToolError, type HostNet } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import type { SkillHubSettings } from "../settings/settings.ts";
import { hubAddresses } from "./hub-addresses.ts";
import { clawHub } from "./claw-hub.ts";
import { hubNetwork, type HubPackage, type HubSkill, type SkillHub } from "./hub.ts";
import { mcpRegistry } from "./mcp-registry.ts";
import { skillsSh } from "./skills-sh.ts";
import { wellKnown } from "./well-known.ts";

/** Skills that hubs found, and why a hub could not be searched. */
export interface FoundHubSkills {
  /** Skills and servers, by hub. */
  readonly skills: readonly HubSkill[];
  /** One sentence for each hub that could not be searched. */
  readonly problems: readonly string[];
}

export interface SkillHubs {
  search(query: string, signal?: AbortSignal): Promise<FoundHubSkills>;
  /** Downloads the skill with an id of a search. Throws NOT_FOUND if there is none. */
  download(id: string, signal?: AbortSignal): Promise<HubPackage>;
}

const makers = {
  "skills.sh": skillsSh,
  "well-known": wellKnown,
  clawhub: clawHub,
  "mcp-registry": mcpRegistry,
} satisfies Record<SkillHub["kind"], (url: string) => SkillHub>;

/** Hubs that are used if the settings name none. */
const usual: readonly SkillHubSettings[] = [
  { kind: "skills.sh" },
  { kind: "clawhub" },
  { kind: "mcp-registry" },
];

/** Hubs of the settings. Requests go to their origins only. */
export function skillHubs(
  settings: readonly SkillHubSettings[],
  net: Pick<HostNet, "fetch">,
): SkillHubs {
  const hubs = (settings.length === 0 ? usual : settings).flatMap(({ kind, url }) => {
    const address = url ?? hubAddresses[kind];
    if (address === undefined) return [];
    return [{ hub: makers[kind](address.replace(/\/+$/u, "")), isNamed: url !== undefined }];
  });
  const network = ({ hub, isNamed }: (typeof hubs)[number], signal: AbortSignal | undefined) =>
    hubNetwork({ net, url: hub.url, isNamed, signal });
  return {
    async search(query, signal) {
      const problems: string[] = [];
      const lists = await Promise.all(
        hubs.map(
          async (each) =>
            await each.hub.search(query, network(each, signal)).catch((error: unknown) => {
              problems.push(`${each.hub.url}: ${messageOf(error)}`);
              return [];
            }),
        ),
      );
      return { skills: lists.flat(), problems };
    },
    async download(id, signal) {
      const at = id.indexOf(":");
      const [kind, name] = [id.slice(0, at), id.slice(at + 1)];
      const fitting = hubs.filter(({ hub }) => hub.kind === kind);
      if (fitting.length === 0) {
        const kinds = hubs.map(({ hub }) => hub.kind).join(", ");
        throw new ToolError(
          "NOT_FOUND",
          `${JSON.stringify(id.slice(0, 120))} does not begin with a hub.`,
          { hint: `Write HUB:NAME, where HUB is one of ${kinds}; a search lists such ids.` },
        );
      }
      let missing: unknown;
      for (const each of fitting) {
        try {
          return await each.hub.download(name, network(each, signal));
        } catch (error) {
          if (!ToolError.is(error) || error.code !== "NOT_FOUND") throw error;
          missing = error;
        }
      }
      throw missing;
    },
  };
}
