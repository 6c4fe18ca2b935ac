import { commandPreview } from "../../core/index.ts";
import { messageOf } from "../../text/index.ts";
import type { Kit } from "../kit.ts";
import * as mcp from "../mcp/register-servers.ts";
import { checkDefinitionOptions, checkModelDefinitionOptions } from "../options/check-arguments.ts";
import type { KitCore } from "./kit-core.ts";

type Tools = Pick<
  Kit,
  "definitions" | "listings" | "registerMcpProvider" | "registerMcpTransport" | "stagesCommands"
>;

/** Members of a kit that list its tools, and add those of MCP servers. */
export function toolMembers({ parts, lifetime, deferral }: KitCore): Tools {
  const { registry, servers, services, getMode, sandboxes } = parts;
  return {
    async definitions(format, options = {}) {
      const { all, sessionId, native, ...given } = checkModelDefinitionOptions(options);
      const offer = { mode: getMode(), ...given };
      servers.current?.begin();
      if (offer.names !== undefined) return await registry.getDefinitions(format, offer);
      const seen = { all, sessionId, native };
      const chosen = deferral.request(registry.getOffered(offer), seen);
      return await registry.getDefinitions(format, { ...offer, ...chosen });
    },
    listings(options = {}) {
      const all = registry.listings({
        mode: getMode(),
        ...checkDefinitionOptions("listings", options),
      });
      const listings = deferral.isOn ? all : deferral.withoutFinders(all);
      if (!services.provides(commandPreview)) return listings;
      // Commands run on an overlay here, so any of them can be previewed and undone.
      return listings.map((each) => (each.staged === "commands" ? { ...each, level: 2 } : each));
    },
    async registerMcpProvider(provider) {
      await mcp.registerProvider(provider, parts, lifetime);
    },
    async registerMcpTransport(kind, open) {
      await mcp.registerTransport({ kind, open }, parts, lifetime);
    },
    async stagesCommands() {
      lifetime.open(undefined);
      if (services.provides(commandPreview)) return true;
      const because = await sandboxes.overlays.unavailable().catch(messageOf);
      return because === undefined;
    },
  };
}
