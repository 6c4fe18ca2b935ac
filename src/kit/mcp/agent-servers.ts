import { ToolError, type AgentDefinition } from "../../core/index.ts";
import type { mcpClient, ManagedServer, ServerConfig } from "../../mcp/index.ts";
import type { Registry, RegisteredTool } from "../../registry/index.ts";
import { visibleText } from "../../text/index.ts";
import type { KitServer } from "./kit-mcp.ts";
import { OfferedTools, sharedTools } from "./offered-tools.ts";
import type { McpProviderContext, McpProviders } from "./providers.ts";

/** An agent, and the registry whose tools it has. */
export interface AgentServersRequest {
  readonly registry: Registry;
  readonly definition: AgentDefinition;
  readonly context: McpProviderContext;
  /** Whether the agent may have a tool of this name that its parent has not. */
  readonly accepts: (name: string) => boolean;
}

export interface AgentServersParts {
  readonly client: Awaited<ReturnType<typeof mcpClient>>;
  readonly all: () => readonly KitServer[];
  readonly providers: McpProviders;
  /** Reads an entry of a definition. Throws UNAVAILABLE if it cannot be used. */
  readonly read: (name: string, entry: Readonly<Record<string, unknown>>) => ServerConfig;
  readonly open: (config: ServerConfig) => ManagedServer;
}

/**
 * Gives an agent the servers of its definition and the providers that it is eligible for, and removes those that
 * it may not use. Servers of the definition that never ran are awaited: the agent was made for them. Rejects with
 * UNAVAILABLE or NOT_FOUND if the definition names one that cannot be used. The returned function ends what follows them.
 */
export async function serversForAgent(
  request: AgentServersRequest,
  parts: AgentServersParts,
): Promise<() => void> {
  const { registry, definition, context, accepts } = request;
  const { providers, client } = parts;
  const ids = definition.mcpServerIds;
  const { own, named } = ownServers(definition, parts);
  const isRemoved = ({ traits: { source } }: RegisteredTool): boolean => {
    if (source?.kind !== "mcp") return false;
    if (providers.excludes(source.id, context)) return true;
    const isProvider = providers.servers.some(({ config }) => config.id === source.id);
    const server = parts.all().find(({ config }) => config?.id === source.id);
    return !isProvider && server !== undefined && !isSelected(server, ids);
  };
  const before = registry.getAll();
  for (const tool of before) {
    if (isRemoved(tool) || sharedTools.includes(tool.name)) registry.unregister(tool.name);
  }
  const hadShared = before.some(({ name }) => sharedTools.includes(name));
  const offered = new OfferedTools(registry, client, accepts);
  for (const server of parts.all()) {
    if (server.server === undefined || !isSelected(server, ids)) continue;
    if (hadShared) offered.attachShared(server.server);
  }
  await Promise.all([...own, ...named].map(learn));
  for (const server of own) offered.attach(server);
  for (const server of named) offered.attach(server);
  providers.apply(context, { registry, offered, accepts });
  return () => offered.close();
}

async function learn(server: ManagedServer): Promise<void> {
  await server.recall();
  // A failure is shown by its calls and by searches; the agent works with its other tools.
  if (server.definitions === undefined) {
    await server.use(async () => undefined).catch(() => undefined);
  }
}

function isSelected({ found, config }: KitServer, ids: readonly string[] | undefined): boolean {
  return (
    ids === undefined ||
    ids.includes(found.name) ||
    (config !== undefined && ids.includes(config.id))
  );
}

/** Servers that a definition describes, and those of the settings that it names. */
function ownServers(
  { name: agent, mcpServers = [] }: AgentDefinition,
  { all, read, open }: AgentServersParts,
): { readonly own: readonly ManagedServer[]; readonly named: readonly ManagedServer[] } {
  const own: ManagedServer[] = [];
  const named: ManagedServer[] = [];
  for (const each of mcpServers) {
    if (typeof each === "string") {
      const found = all().find(({ found: { name } }) => name === each);
      if (found?.server === undefined) throw missing(agent, each, found?.unused?.reason);
      named.push(found.server);
      continue;
    }
    for (const [name, entry] of Object.entries(each)) {
      const config = read(name, entry);
      const other = all().find(
        (known) => known.config?.id.toLowerCase() === config.id.toLowerCase(),
      );
      if (other !== undefined && other.config?.hash !== config.hash) {
        // A rule for the server of the settings must not allow the calls of another one.
        throw new ToolError(
          "UNAVAILABLE",
          `The agent ${agent} defines an MCP server with the name of another one: ${visibleText(name)}.`,
          { hint: "Rename it in the agent's definition." },
        );
      }
      own.push(open(config));
    }
  }
  return { own, named };
}

function missing(agent: string, server: string, reason: string | undefined): ToolError {
  const name = visibleText(server.slice(0, 64));
  return new ToolError(
    reason === undefined ? "NOT_FOUND" : "UNAVAILABLE",
    `The agent ${agent} needs the MCP server ${name}. ${reason ?? "There is none of this name."}`,
    { hint: "haft mcp list shows the servers and their state." },
  );
}
