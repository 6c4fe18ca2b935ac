import { kitMcp, type KitMcp, type KitServer, type UnusedServer } from "./kit-mcp.ts";
import type { Call, Host, Mode, NewEvent, Tool } from "../../core/index.ts";
import { guardedFetch, localPathTurns, openInBrowser, ownProcess } from "../../host/index.ts";
import { mcpClient, type ManagedServer } from "../../mcp/index.ts";
import type { Registry } from "../../registry/index.ts";
import { messageOf, visibleText } from "../../text/index.ts";
import type { FoundServer, SettingsProblem } from "../../workspace/index.ts";
import { confinePrograms } from "../confinement/confine-programs.ts";
import type { KitSandboxes } from "../confinement/kit-sandboxes.ts";
import { reportRequests } from "./report-requests.ts";
import { serverPrompts, type ServerPrompts } from "./server-prompts.ts";
import { IdSource } from "../id-source.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

export interface KitServersParts {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly sandboxes: KitSandboxes;
  readonly mode: () => Mode;
  /** Reports what happens. */
  readonly emit: (event: NewEvent) => void;
}

/** The MCP servers of a kit. */
export interface KitServers {
  readonly all: readonly KitServer[];
  /** The servers as `kit.mcp` shows them. */
  readonly listed: KitMcp;
  readonly problems: readonly SettingsProblem[];
  /** Prompts of the servers, as commands. */
  readonly prompts: ServerPrompts;
  /** Asks the servers whose tools are not known for them, in the background. */
  begin(): void;
  /** Waits for the servers of called tools whose tools are not known yet. */
  learn(calls: readonly Pick<Call, "name">[]): Promise<void>;
  /** Sentences for a search: about servers that may have what it looks for and whose tools cannot be searched. */
  notes(query: string, isFound: boolean): readonly string[];
  dispose(): Promise<void>;
}

/** Opens the servers of the settings: their remembered tools are offered at once, and none is started. */
export async function openKitServers(
  found: readonly FoundServer[],
  parts: KitServersParts,
): Promise<KitServers> {
  const { host, place, registry } = parts;
  const client = await mcpClient();
  const { openServerPool, readServer, serverTool, isNested } = client;
  const offered = new OfferedTools(registry, serverTool);
  const ids = new IdSource();
  const confine = confinePrograms({ ...parts, ceilings: [], getMode: parts.mode });
  const pool = openServerPool({
    host,
    dataDirectory: place.dataDirectory,
    programs: { newId: () => ids.next("mcp"), confine },
    directories: place.boundary.roots,
    fetchFor: (addresses) => guardedFetch(host.net, { allowed: addresses }),
    logins: {
      // The user's own directory: a login is that of the user, whatever the workspace is.
      directory: `${place.anchors.home}/.haft/mcp-logins`,
      turns: host.info.capabilities.confinement === true ? localPathTurns() : undefined,
      process: ownProcess(),
    },
    follow: reportRequests(parts.emit, () => ids.next("request")),
    onTools: (server) => {
      offered.update(server);
      offerShared(server);
    },
  });
  const offerShared = (server: ManagedServer): void => {
    if (server.hasResources) offered.addOnce("resources", () => client.resourceTools(servers));
    if (hasPrompts(server)) offered.addOnce("prompts", () => [client.promptTool(servers)]);
  };
  const isOff = isNested(variable);
  const read = found.map((each): KitServer => {
    const unused = isOff ? nested : unusedFor(each);
    const none = { found: each, config: undefined, server: undefined };
    if (unused !== undefined) return { ...none, unused };
    const { workspace, anchors } = place;
    const result = readServer({ ...each, workspace, home: anchors.home, variable });
    switch (result.kind) {
      case "off":
        return { ...none, unused: switchedOff };
      case "invalid":
        return { ...none, unused: { kind: "invalid", reason: result.why, hint: result.hint } };
      case "server":
        return { found: each, ...result, server: undefined, unused: undefined };
    }
  });
  const all = withoutDuplicates(read).map((each) =>
    each.config === undefined ? each : { ...each, server: pool.get(each.config) },
  );
  const servers = all.flatMap(({ server }) => server ?? []);
  await Promise.all(servers.map(async (server) => await server.recall()));
  for (const server of servers) {
    if (server.definitions === undefined) continue;
    offered.update(server);
    offerShared(server);
  }
  const asked = new Set<ManagedServer>();
  return {
    all,
    prompts: serverPrompts(all, {
      client,
      async learn(name) {
        const owner = servers.find(({ config }) => isOf(config, name));
        if (owner !== undefined && owner.prompts === undefined)
          await owner.use(async () => undefined);
      },
    }),
    listed: kitMcp({
      all,
      now: () => host.clock.now(),
      logins: {
        logout: async (server) => await pool.logout(server),
        async login(server, { onAddress, opensBrowser = true, ...options }) {
          return await pool.login(server, {
            ...options,
            onAddress(address) {
              onAddress(address);
              // The address was shown, so a login works without a browser here.
              if (opensBrowser) openInBrowser(host, address).catch(() => undefined);
            },
          });
        },
      },
    }),
    get problems() {
      return [...all.flatMap(problemsOf), ...offered.problems];
    },
    begin() {
      for (const server of servers) {
        if (asked.has(server) || !server.needsListing) continue;
        asked.add(server);
        // Its failure is shown where servers are listed.
        server.use(async () => undefined).catch(() => undefined);
      }
    },
    async learn(calls) {
      const wanted = servers.filter(
        ({ config, definitions }) =>
          definitions === undefined && calls.some(({ name }) => isOf(config, name)),
      );
      await Promise.all(
        wanted.map(
          async (server) => await server.use(async () => undefined).catch(() => undefined),
        ),
      );
    },
    notes(query, isFound) {
      const words = query.toLowerCase();
      const missing = all.filter(({ found: { name } }) => !isFound || isNamed(name, words));
      return missing.flatMap(noteOf).slice(0, maxNotes);
    },
    dispose: async () => await pool.dispose(),
  };
}

/** Whether a tool or a command of this name is one of the server. */
function isOf({ id }: ManagedServer["config"], name: string): boolean {
  return name.startsWith(`mcp__${id}__`);
}

function hasPrompts({ prompts = [] }: ManagedServer): boolean {
  return prompts.length > 0;
}

/** Maximum number of servers that a search mentions. */
const maxNotes = 5;

/** Whether a query names the server, or a word of its name. */
function isNamed(name: string, query: string): boolean {
  return name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => word.length > 2 && query.includes(word));
}

function noteOf({ found, server, unused }: KitServer): readonly string[] {
  const name = visibleText(found.name);
  if (unused !== undefined) return [`The MCP server ${name} is not used. ${unused.reason}`];
  const { failure } = server ?? {};
  if (failure !== undefined && server?.status !== "running") {
    const next = server?.status === "needs_auth" ? ` ${failure.hint ?? ""}` : "";
    return [`${failure.message}${next}`];
  }
  if (server === undefined || server.definitions !== undefined) return [];
  return [`The MCP server ${name} has not listed its tools yet; search again in a moment.`];
}

function variable(name: string): string | undefined {
  return process.env[name];
}

const nested: UnusedServer = {
  kind: "off",
  reason: "This haft was started by another haft as a server, so it starts none itself.",
  hint: "Use the server from the haft that was started first.",
};

const switchedOff: UnusedServer = {
  kind: "off",
  reason: "It is switched off by `disabled`.",
  hint: "Remove `disabled` to use it.",
};

function unusedFor({ needsTrust, isExcluded }: FoundServer): UnusedServer | undefined {
  if (needsTrust) {
    return {
      kind: "needs-trust",
      reason: "The workspace that defines it is not trusted.",
      hint: "If it is yours, haft trust add lets it start.",
    };
  }
  if (!isExcluded) return undefined;
  return {
    kind: "excluded",
    reason: "The setting mcpServerIds does not name it.",
    hint: "Add its name to mcpServerIds.",
  };
}

/** Uses neither of two servers whose tools would have the same names. */
function withoutDuplicates(servers: readonly KitServer[]): readonly KitServer[] {
  return servers.map((each) => {
    const { config } = each;
    const same = servers.filter(
      (other) => config !== undefined && other.config?.id.toLowerCase() === config.id.toLowerCase(),
    );
    if (same.length < 2) return each;
    const names = same.map(({ found }) => visibleText(found.name)).join(" and ");
    const reason = `The servers ${names} would have one name in rules.`;
    const unused = { kind: "invalid", reason, hint: "Rename one of them." } as const;
    return { ...each, config: undefined, unused };
  });
}

function problemsOf({ found, server, unused }: KitServer): readonly SettingsProblem[] {
  const name = visibleText(found.name);
  const where = found.file === undefined ? {} : { file: found.file };
  const problem = (reason: string, hint?: string): SettingsProblem => ({
    severity: "warning",
    message: `MCP server ${name}: ${reason}`,
    ...(hint === undefined ? {} : { hint }),
    ...where,
  });
  if (unused?.kind === "invalid") return [problem(unused.reason, unused.hint)];
  const failure = server?.failure;
  return [
    ...(failure === undefined ? [] : [problem(failure.message, failure.hint)]),
    ...(server?.definitions?.problems ?? []).map((each) => problem(each)),
  ];
}

/** Tools of servers in a registry. */
class OfferedTools {
  readonly #registry: Registry;
  readonly #toTool: (server: ManagedServer, definition: Definition) => Tool;
  readonly #byServer = new Map<ManagedServer, Map<string, string>>();
  readonly #shared = new Set<string>();
  readonly #problems = new Map<string, SettingsProblem>();

  constructor(registry: Registry, toTool: (server: ManagedServer, definition: Definition) => Tool) {
    this.#registry = registry;
    this.#toTool = toTool;
  }

  get problems(): readonly SettingsProblem[] {
    return [...this.#problems.values()];
  }

  /** Offers tools that belong to no single server, once for each kind, unless their names are taken. */
  addOnce(kind: "resources" | "prompts", tools: () => readonly Tool[]): void {
    if (this.#shared.has(kind)) return;
    this.#shared.add(kind);
    for (const tool of tools()) {
      if (this.#registry.resolve(tool.name) === undefined) this.#registry.register(tool);
    }
  }

  /** Offers the tools of a server as they are defined now. Unchanged ones stay the same tools. */
  update(server: ManagedServer): void {
    const definitions = server.definitions?.tools ?? [];
    const offered = this.#byServer.get(server) ?? new Map<string, string>();
    const now = new Map(definitions.map(({ offeredAs, hash }) => [offeredAs, hash]));
    for (const [name, hash] of offered) {
      if (now.get(name) === hash) continue;
      this.#registry.unregister(name);
      offered.delete(name);
    }
    const added = definitions.filter(({ offeredAs }) => !offered.has(offeredAs));
    for (const { offeredAs, hash } of this.#register(server, added)) offered.set(offeredAs, hash);
    this.#byServer.set(server, offered);
  }

  #register(server: ManagedServer, added: readonly Definition[]): readonly Definition[] {
    if (added.length === 0) return [];
    const scope = `mcp ${server.config.hash}`;
    try {
      this.#registry.registerAll(
        added.map((each) => this.#toTool(server, each)),
        { scope },
      );
      return added;
    } catch {
      // One of them cannot be registered, such as one whose name a tool of the program has.
    }
    return added.filter((definition) => {
      try {
        this.#registry.register(this.#toTool(server, definition), { scope });
        return true;
      } catch (error) {
        const message = `The tool ${definition.offeredAs} is not offered: ${messageOf(error)}`;
        this.#problems.set(definition.offeredAs, { severity: "warning", message });
        return false;
      }
    });
  }
}

type Definition = NonNullable<ManagedServer["definitions"]>["tools"][number];
