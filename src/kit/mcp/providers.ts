import { argumentError, type Mode, type Tool } from "../../core/index.ts";
import type { ManagedServer, McpTransport, mcpClient, ServerConfig } from "../../mcp/index.ts";
import type { Registry } from "../../registry/index.ts";
import { messageOf, visibleText } from "../../text/index.ts";
import type { SettingsProblem } from "../../workspace/index.ts";
import type { OfferedTools } from "./offered-tools.ts";

/** Agent, or the toolkit itself, for which a provider is evaluated. */
export interface McpProviderContext {
  /** Directory that it works in. */
  readonly workspace: string;
  /** Its mode. */
  readonly mode: Mode;
  /** Session of the agent; absent for the toolkit itself. */
  readonly sessionId?: string;
  /** Id of the agent; absent for the toolkit itself. */
  readonly agentId?: string;
  /** Name of the agent's definition; absent for the toolkit itself. */
  readonly agentName?: string;
}

/** Tools, or a server of the official SDKs, inside this process. */
export type McpProviderServer =
  | {
      /** Tools that are offered as `mcp__ID__NAME`; their effects are their own. */
      readonly tools: readonly Tool[];
    }
  | {
      /** Serves one connection. */
      connect(transport: McpTransport): Promise<void>;
    };

/** MCP server that a program builds in. */
export interface McpProvider {
  /** Name in tool names and rules, as a server of the settings has one. */
  readonly id: string;
  /**
   * Whether the toolkit or an agent may use it. Evaluated for the toolkit when the provider is registered and when the
   * mode changes, and for each agent when it starts. Only `true` counts; what throws counts as false.
   */
  isEligible(context: McpProviderContext): boolean;
  /** The server, or a function that is called for it, once for each connection. */
  readonly server: McpProviderServer | (() => McpProviderServer | Promise<McpProviderServer>);
}

/** Tools or the server of a provider. */
type Provided =
  | { readonly kind: "tools"; readonly tools: readonly Tool[] }
  | { readonly kind: "server"; readonly server: ManagedServer };

interface Registered {
  readonly provider: McpProvider;
  /** Id in tool names. */
  readonly id: string;
  readonly provided: Provided;
}

export interface ProvidersParts {
  readonly client: Pick<
    Awaited<ReturnType<typeof mcpClient>>,
    "offeredName" | "providerConfig" | "serverId"
  >;
  readonly open: (config: ServerConfig) => ManagedServer;
  /** Whether a server of the settings has this id. */
  readonly isTaken: (id: string) => boolean;
}

/** MCP servers that the program builds in. */
export class McpProviders {
  readonly #parts: ProvidersParts;
  readonly #registered: Registered[] = [];
  readonly #problems = new Map<string, SettingsProblem>();

  constructor(parts: ProvidersParts) {
    this.#parts = parts;
  }

  get problems(): readonly SettingsProblem[] {
    return [...this.#problems.values()];
  }

  get isEmpty(): boolean {
    return this.#registered.length === 0;
  }

  get servers(): readonly ManagedServer[] {
    return this.#registered.flatMap(({ provided }) =>
      provided.kind === "server" ? [provided.server] : [],
    );
  }

  /** Throws a TypeError for one that cannot be registered. */
  async add(provider: McpProvider): Promise<void> {
    const { serverId } = this.#parts.client;
    const id = serverId(provider.id);
    const isKnown = this.#registered.some((each) => each.id.toLowerCase() === id.toLowerCase());
    if (isKnown || this.#parts.isTaken(id)) {
      throw argumentError(`An MCP server is called ${JSON.stringify(provider.id)} already.`);
    }
    this.#registered.push({ provider, id, provided: await this.#open(provider, id) });
  }

  /** Whether a tool belongs to a provider that this agent may not use. */
  excludes(source: string | undefined, context: McpProviderContext): boolean {
    const owner = this.#registered.find(({ id }) => id === source);
    return owner !== undefined && !this.#isEligible(owner.provider, context);
  }

  /** Puts the tools of the eligible providers into a registry, and takes the others out. */
  apply(
    context: McpProviderContext,
    into: {
      readonly registry: Registry;
      readonly offered: OfferedTools;
      readonly accepts: (name: string) => boolean;
    },
  ): void {
    const { registry, offered, accepts } = into;
    for (const { provider, id, provided } of this.#registered) {
      const isEligible = this.#isEligible(provider, context);
      if (provided.kind === "server") {
        if (isEligible) offered.attach(provided.server);
        else offered.detach(provided.server);
        continue;
      }
      for (const tool of provided.tools) {
        const isIn = registry.resolve(tool.name)?.traits.source?.id === id;
        if (isEligible && !isIn && accepts(tool.name)) registry.register(tool);
        else if (!isEligible && isIn) registry.unregister(tool.name);
      }
    }
  }

  async #open(provider: McpProvider, id: string): Promise<Provided> {
    const { client, open } = this.#parts;
    const { server: given } = provider;
    let first: McpProviderServer | undefined = typeof given === "function" ? await given() : given;
    if ("tools" in first) {
      const source = { id, name: visibleText(provider.id), kind: "mcp" } as const;
      const tools = first.tools.map((tool): Tool => {
        const name = client.offeredName(id, tool.name);
        return { ...tool, name, aliases: [], source };
      });
      return { kind: "tools", tools };
    }
    const config = client.providerConfig(provider.id, async (transport) => {
      const server = first ?? (typeof given === "function" ? await given() : given);
      // A function makes a server for each connection.
      if (typeof given === "function") first = undefined;
      if ("tools" in server) throw new TypeError(`The provider ${provider.id} changed its kind.`);
      await server.connect(transport);
    });
    return { kind: "server", server: open(config) };
  }

  #isEligible(provider: McpProvider, context: McpProviderContext): boolean {
    try {
      const answer: unknown = provider.isEligible(context);
      return answer === true;
    } catch (error) {
      const message = `The MCP provider ${visibleText(provider.id)} is not used: ${messageOf(error)}`;
      this.#problems.set(provider.id, { severity: "warning", message });
      return false;
    }
  }
}
