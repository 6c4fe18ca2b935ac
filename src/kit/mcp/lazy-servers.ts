import type { AgentServersRequest } from "./agent-servers.ts";
import type { KitServers, KitServersParts } from "./kit-servers.ts";
import { noMcpServers } from "./no-servers.ts";
import type { KitMcp } from "./kit-mcp.ts";

/** MCP servers of a kit and of those derived from it; where there are none, nothing of them is loaded. */
export class LazyServers {
  readonly #parts: KitServersParts;
  #opening: Promise<KitServers> | undefined;
  /** Undefined while there are none. */
  current: KitServers | undefined;

  constructor(parts: KitServersParts) {
    this.#parts = parts;
  }

  /** Opens the servers of the settings: their remembered tools are offered at once, and none is started. */
  async open(): Promise<KitServers> {
    this.#opening ??= this.#load();
    return await this.#opening;
  }

  /** The servers as `kit.mcp` shows them. */
  get listed(): KitMcp {
    return this.current?.listed ?? noMcpServers;
  }

  /** Gives an agent its servers; the returned function ends what follows them. */
  async forAgent(request: AgentServersRequest): Promise<() => void> {
    if (this.current === undefined && request.definition.mcpServers === undefined) {
      return () => undefined;
    }
    return await (await this.open()).forAgent(request);
  }

  async #load(): Promise<KitServers> {
    const { openKitServers } = await import("./kit-servers.ts");
    this.current = await openKitServers(this.#parts.place.servers, this.#parts);
    return this.current;
  }
}
