import type { Tool } from "../../core/index.ts";
import type { mcpClient, ManagedServer } from "../../mcp/index.ts";
import type { Registry } from "../../registry/index.ts";
import { messageOf } from "../../text/index.ts";
import type { SettingsProblem } from "../../workspace/index.ts";

type Definition = NonNullable<ManagedServer["definitions"]>["tools"][number];

type Client = Pick<
  Awaited<ReturnType<typeof mcpClient>>,
  "serverTool" | "resourceTools" | "promptTool" | "serverSkillTools"
>;

/** Tools that belong to no single server. */
export const sharedTools: readonly string[] = [
  "ListMcpResources",
  "ReadMcpResource",
  "ReadMcpPrompt",
  "ListMcpSkills",
  "ReadMcpSkill",
];

/** Tools of servers in a registry. */
export class OfferedTools {
  readonly #registry: Registry;
  readonly #client: Client;
  readonly #accepts: (name: string) => boolean;
  readonly #byServer = new Map<ManagedServer, Map<string, string>>();
  readonly #ends = new Map<ManagedServer, () => void>();
  /** Servers whose resources and prompts can be read. */
  readonly #servers: ManagedServer[] = [];
  readonly #shared = new Set<string>();
  readonly #problems = new Map<string, SettingsProblem>();

  constructor(registry: Registry, client: Client, accepts: (name: string) => boolean = () => true) {
    this.#registry = registry;
    this.#client = client;
    this.#accepts = accepts;
  }

  get problems(): readonly SettingsProblem[] {
    return [...this.#problems.values()];
  }

  /** Offers the tools of a server, as they are and as they change. */
  attach(server: ManagedServer): void {
    if (this.#ends.has(server)) return;
    const offer = (): void => {
      this.#update(server, server.definitions?.tools ?? []);
      this.#offerShared(server);
    };
    this.#servers.push(server);
    this.#ends.set(server, server.onTools(offer));
    if (server.definitions !== undefined) offer();
  }

  /** Offers the resources and prompts of a server whose tools are in the registry already. */
  attachShared(server: ManagedServer): void {
    this.#servers.push(server);
    this.#offerShared(server);
  }

  /** Offers the tools of a server no longer. */
  detach(server: ManagedServer): void {
    this.#ends.get(server)?.();
    this.#ends.delete(server);
    this.#update(server, []);
    const index = this.#servers.indexOf(server);
    if (index !== -1) this.#servers.splice(index, 1);
  }

  /** Follows no server any more; the tools stay. */
  close(): void {
    for (const end of this.#ends.values()) end();
    this.#ends.clear();
  }

  #offerShared(server: ManagedServer): void {
    if (server.hasResources) {
      this.#addOnce("resources", () => this.#client.resourceTools(this.#servers));
    }
    if (server.hasSkills) {
      this.#addOnce("skills", () => this.#client.serverSkillTools(this.#servers));
    }
    if (server.prompts !== undefined && server.prompts.length > 0) {
      this.#addOnce("prompts", () => [this.#client.promptTool(this.#servers)]);
    }
  }

  /** Offers tools once for each kind, unless their names are taken. */
  #addOnce(kind: "resources" | "prompts" | "skills", tools: () => readonly Tool[]): void {
    if (this.#shared.has(kind)) return;
    this.#shared.add(kind);
    for (const tool of tools()) {
      const isFree = this.#registry.resolve(tool.name) === undefined;
      if (isFree && this.#accepts(tool.name)) this.#registry.register(tool);
    }
  }

  /** Offers the tools of a server as they are defined now. Unchanged ones stay the same tools. */
  #update(server: ManagedServer, all: readonly Definition[]): void {
    const definitions = all.filter(({ offeredAs }) => this.#accepts(offeredAs));
    const offered = this.#byServer.get(server) ?? new Map<string, string>();
    const now = new Map(definitions.map(({ offeredAs, hash }) => [offeredAs, hash]));
    for (const [name, hash] of offered) {
      if (now.get(name) === hash) continue;
      this.#registry.unregister(name);
      offered.delete(name);
    }
    const added = definitions.filter(({ offeredAs }) => !offered.has(offeredAs));
    for (const { offeredAs } of added) {
      // A registry that was made from another one has its tools of this server already.
      const before = this.#registry.resolve(offeredAs);
      if (before?.traits.source?.id === server.config.id) this.#registry.unregister(offeredAs);
    }
    for (const { offeredAs, hash } of this.#register(server, added)) offered.set(offeredAs, hash);
    this.#byServer.set(server, offered);
  }

  #register(server: ManagedServer, added: readonly Definition[]): readonly Definition[] {
    if (added.length === 0) return [];
    const scope = `mcp ${server.config.hash}`;
    const { serverTool } = this.#client;
    try {
      this.#registry.registerAll(
        added.map((each) => serverTool(server, each)),
        { scope },
      );
      return added;
    } catch {
      // One of them cannot be registered, such as one whose name a tool of the program has.
    }
    return added.filter((definition) => {
      try {
        this.#registry.register(serverTool(server, definition), { scope });
        return true;
      } catch (error) {
        const message = `The tool ${definition.offeredAs} is not offered: ${messageOf(error)}`;
        this.#problems.set(definition.offeredAs, { severity: "warning", message });
        return false;
      }
    });
  }
}
