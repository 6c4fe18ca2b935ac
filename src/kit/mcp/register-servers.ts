import type { OpenMcpTransport } from "../../mcp/index.ts";
import type { KitLifetime } from "../kit-lifetime.ts";
import type { KitParts } from "../kit-parts.ts";
import { checkMcpProvider, checkMcpTransport } from "../options/check-arguments.ts";
import type { LazyServers } from "./lazy-servers.ts";
import type { McpProvider } from "./providers.ts";

export type { McpProvider } from "./providers.ts";
export type { OpenMcpTransport } from "../../mcp/index.ts";

/** The parts of a kit that registrations change. */
type RegisteringKit = Pick<KitParts, "servers" | "isDerived">;

/** Registers a server that the program builds in. Rejects with a TypeError if it cannot be registered. */
export async function registerProvider(
  provider: McpProvider,
  kit: RegisteringKit,
  lifetime: KitLifetime,
): Promise<void> {
  lifetime.open(undefined);
  await (await serversOf(kit).open()).addProvider(checkMcpProvider(provider));
}

/** Registers a transport of the program. Rejects with a TypeError if it cannot be registered. */
export async function registerTransport(
  given: { readonly kind: string; readonly open: OpenMcpTransport },
  kit: RegisteringKit,
  lifetime: KitLifetime,
): Promise<void> {
  lifetime.open(undefined);
  const { kind, open } = checkMcpTransport(given);
  await (await serversOf(kit).open()).addTransport(kind, open);
}

function serversOf({ servers, isDerived }: RegisteringKit): LazyServers {
  if (!isDerived) return servers;
  throw new TypeError("Register MCP servers on the toolkit that createToolkit returned.");
}
