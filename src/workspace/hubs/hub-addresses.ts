import type { SkillHubSettings } from "../settings/settings.ts";

/** Addresses of the public hubs; a site with a well-known index has none of its own. */
export const hubAddresses: Readonly<Partial<Record<SkillHubSettings["kind"], string>>> = {
  "skills.sh": "https://skills.sh",
  clawhub: "https://clawhub.ai",
  "mcp-registry": "https://registry.modelcontextprotocol.io",
};
