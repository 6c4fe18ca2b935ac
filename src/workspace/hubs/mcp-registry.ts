import { ToolError } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { hubText, type SkillHub } from "./hub.ts";

/** The registry of MCP servers. It is searched with the hubs of skills; a server is set up in the settings. */
export function mcpRegistry(url: string): SkillHub {
  return {
    kind: "mcp-registry",
    url,
    async search(query, network) {
      const words = encodeURIComponent(query);
      const found = await network.json(`v0.1/servers?search=${words}&limit=20&version=latest`);
      const servers: unknown = isRecord(found) ? found["servers"] : undefined;
      return (Array.isArray(servers) ? servers : []).filter(isRecord).flatMap((each) => {
        const server = isRecord(each["server"]) ? each["server"] : each;
        const name = hubText(server["name"], 200);
        if (name === undefined) return [];
        const description = hubText(server["description"]);
        const about = description === undefined ? {} : { description };
        return [{ id: `mcp-registry:${name}`, name, ...about, kind: "mcp-server" as const }];
      });
    },
    async download(name) {
      throw new ToolError("UNAVAILABLE", `${name} is an MCP server, not a skill.`, {
        hint: "Add it to the setting mcpServers.",
      });
    },
  };
}
