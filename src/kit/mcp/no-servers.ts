import type { KitMcp } from "./kit-mcp.ts";

/** `kit.mcp` of a kit whose settings name no server. */
export const noMcpServers: KitMcp = {
  list: () => [],
  tools: async (name) => await (await none()).tools(name),
  check: async (name) => await (await none()).check(name),
  login: async (name, options) => await (await none()).login(name, options),
  logout: async (name) => await (await none()).logout(name),
};

async function none(): Promise<KitMcp> {
  const { kitMcp } = await import("./kit-mcp.ts");
  return kitMcp({ all: [], logins: undefined, now: () => 0 });
}
