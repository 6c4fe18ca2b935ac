import { kitMcp, type KitMcp, type KitServer, type UnusedServer } from "./kit-mcp.ts";
import { ToolError, type Call, type Host, type Mode, type NewEvent } from "../../core/index.ts";
import { guardedFetch, localPathTurns, openInBrowser, ownProcess } from "../../host/index.ts";
import { mcpClient, type ManagedServer, type OpenMcpTransport } from "../../mcp/index.ts";
import type { EndedSearch, Registry } from "../../registry/index.ts";
import { visibleText, IdSource } from "../../text/index.ts";
import { verifyServer, type FoundServer, type SettingsProblem } from "../../workspace/index.ts";
import { confinePrograms } from "../confinement/confine-programs.ts";
import type { KitSandboxes } from "../confinement/kit-sandboxes.ts";
import { serversForAgent, type AgentServersRequest } from "./agent-servers.ts";
import { OfferedTools } from "./offered-tools.ts";
import { McpProviders, type McpProvider } from "./providers.ts";
import { reportRequests } from "./report-requests.ts";
import { serverPrompts, type ServerPrompts } from "./server-prompts.ts";
import { modelForServers } from "./model-for-servers.ts";
import type { ActiveRuns } from "../runs/active-runs.ts";
import type { RuleBook } from "../rules/rule-book.ts";
import type { Place } from "../workspace-context.ts";

export interface KitServersParts {
  readonly host: Host;
  readonly place: Place;
  readonly registry: Registry;
  readonly rules: RuleBook;
  readonly sandboxes: KitSandboxes;
  readonly mode: () => Mode;
  /** Active runs, whose budgets pay for what servers ask the model. */
  readonly runs: ActiveRuns;
  /** Reports what happens. */
  readonly emit: (event: NewEvent) => void;
}

/** The MCP servers of a kit. */
export interface KitServers {
  /** The servers as `kit.mcp` shows them. */
  readonly listed: KitMcp;
  readonly problems: readonly SettingsProblem[];
  /** Prompts of the servers, as commands. */
  readonly prompts: ServerPrompts;
  /** Asks the servers whose tools are not known for them, in the background. */
  begin(): void;
  /** Waits for the servers of called tools whose tools are not known yet. */
  learn(calls: readonly Pick<Call, "name">[]): Promise<void> | undefined;
  /** Settles when a server that is starting has listed its tools for the first time, or failed; undefined if none is. */
  nextListed(): Promise<void> | undefined;
  /**
   * Sentences for a search: about servers that may have what it looks for and whose tools cannot be searched, after a
   * wait for those that are starting.
   */
  notes(search: EndedSearch): readonly string[];
  /** Returns why a tool of this name is not offered: its server is off or failed. Undefined for all other names. */
  missing(tool: string): { readonly reason: string; readonly hint: string } | undefined;
  /** Evaluates the providers again, because the mode has changed. */
  refresh(): void;
  /** Registers a server that the program builds in. Rejects with a TypeError if its name is taken. */
  addProvider(provider: McpProvider): Promise<void>;
  /** Registers a kind of transport; servers of the settings with this type can be used from now on. */
  addTransport(kind: string, open: OpenMcpTransport): Promise<void>;
  /** Gives an agent its servers; the returned function ends what follows them. */
  forAgent(request: AgentServersRequest): Promise<() => void>;
  dispose(): Promise<void>;
}

/** Opens the servers of the settings: their remembered tools are offered at once, and none is started. */
export async function openKitServers(
  found: readonly FoundServer[],
  parts: KitServersParts,
): Promise<KitServers> {
  const { host, place, registry } = parts;
  const client = await mcpClient();
  const { openServerPool, readServer, isNested, samplingRule, serverId } = client;
  const offered = new OfferedTools(registry, client);
  const transports = new Map<string, OpenMcpTransport>();
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
    transports,
    ...modelForServers({ ...parts, samplingRule }),
  });
  const isOff = isNested(variable);
  const read = (each: FoundServer): KitServer => {
    const unused = isOff ? nested : unusedFor(each);
    const none = { found: each, config: undefined, server: undefined };
    if (unused !== undefined) return { ...none, unused };
    const result = readServer({ ...each, ...reading() });
    switch (result.kind) {
      case "off":
        return { ...none, unused: switchedOff };
      case "invalid":
        return { ...none, unused: { kind: "invalid", reason: result.why, hint: result.hint } };
      case "server":
        return { found: each, ...result, server: undefined, unused: undefined };
    }
  };
  const reading = () => ({
    workspace: place.workspace,
    home: place.anchors.home,
    variable,
    transports: [...transports.keys()],
  });
  const all: KitServer[] = [];
  const servers: ManagedServer[] = [];
  const open = async (): Promise<void> => {
    const opened = withoutDuplicates(found.map(read)).map((each) =>
      each.config === undefined ? each : { ...each, server: pool.get(each.config) },
    );
    all.splice(0, all.length, ...opened);
    const added = all
      .flatMap(({ server }) => server ?? [])
      .filter((each) => !servers.includes(each));
    await Promise.all(added.map(async (server) => await server.recall()));
    for (const server of added) {
      servers.push(server);
      offered.attach(server);
    }
  };
  await open();
  const providers = new McpProviders({
    client,
    open: (config) => pool.get(config),
    isTaken: (id) => all.some(({ config }) => config?.id.toLowerCase() === id.toLowerCase()),
  });
  const applyProviders = (): void =>
    providers.apply(
      { workspace: place.workspace, mode: parts.mode() },
      { registry, offered, accepts: () => true },
    );
  const asked = new Set<ManagedServer>();
  const begin = (): void => {
    for (const server of [...servers, ...providers.servers]) {
      if (asked.has(server) || !server.needsListing) continue;
      asked.add(server);
      void listed(server);
    }
  };
  return {
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
      return [...all.flatMap(problemsOf), ...offered.problems, ...providers.problems];
    },
    refresh: applyProviders,
    async addProvider(provider) {
      await providers.add(provider);
      applyProviders();
    },
    async addTransport(kind, openIt) {
      transports.set(kind, openIt);
      await open();
    },
    async forAgent(request) {
      const { mcpServers, mcpServerIds } = request.definition;
      if (mcpServers === undefined && mcpServerIds === undefined && providers.isEmpty) {
        return () => undefined;
      }
      return await serversForAgent(request, {
        client,
        all: () => all,
        providers,
        open: (config) => pool.get(config),
        read(name, entry) {
          if (isOff) throw unusable(request.definition.name, name, nested);
          const verify = verifiedServer({ name, entry, file: request.definition.file }, parts);
          const result = readServer({ name, entry, isDirect: true, verify, ...reading() });
          switch (result.kind) {
            case "server":
              return result.config;
            case "off":
              throw unusable(request.definition.name, name, switchedOff);
            case "invalid":
              throw unusable(request.definition.name, name, {
                reason: result.why,
                hint: result.hint,
              });
          }
        },
      });
    },
    begin,
    nextListed() {
      begin();
      const starting = servers.filter(
        ({ definitions, status }) => definitions === undefined && status === "starting",
      );
      if (starting.length === 0) return undefined;
      return Promise.race(starting.map(listed));
    },
    learn(calls) {
      const wanted = [...servers, ...providers.servers].filter(
        ({ config, definitions }) =>
          definitions === undefined && calls.some(({ name }) => isOf(config, name)),
      );
      return wanted.length === 0
        ? undefined
        : Promise.all(wanted.map(listed)).then(() => undefined);
    },
    notes({ query, isFound, timedOutAfterMs }) {
      const words = query.toLowerCase();
      const missing = all.filter(({ found: { name } }) => !isFound || isNamed(name, words));
      return missing.flatMap((each) => noteOf(each, timedOutAfterMs)).slice(0, maxNotes);
    },
    missing(tool) {
      const owner = all.find(({ found: { name }, config }) =>
        isOf(config ?? { id: serverId(name) }, tool),
      );
      const [reason] = owner === undefined ? [] : noteOf(owner);
      if (owner === undefined || reason === undefined) return undefined;
      const { unused, server } = owner;
      const hint = unused?.hint ?? server?.failure?.hint ?? "haft mcp list shows its state.";
      return { reason, hint };
    },
    async dispose() {
      offered.close();
      await pool.dispose();
    },
  };
}

/** Check of a server of an agent of the workspace, which starts only with the files with which that was trusted. */
function verifiedServer(
  {
    name,
    entry,
    file,
  }: Pick<FoundServer, "name" | "entry"> & { readonly file: string | undefined },
  { host, place }: Pick<KitServersParts, "host" | "place">,
): (() => Promise<void>) | undefined {
  const { recorded, workspace, dataDirectory } = place;
  if (recorded?.covers(file ?? "") !== true) return undefined;
  const what = `The MCP server ${visibleText(name)}`;
  const where = { host, workspace, dataDirectory };
  return async () => await verifyServer({ entry, file, what }, where);
}

/** Settles when the server has been asked for its tools. Its failure is shown where servers are listed. */
async function listed(server: ManagedServer): Promise<void> {
  await server.use(async () => undefined).catch(() => undefined);
}

function unusable(
  agent: string,
  server: string,
  { reason, hint }: Pick<UnusedServer, "reason" | "hint">,
): ToolError {
  const name = visibleText(server.slice(0, 64));
  return new ToolError(
    "UNAVAILABLE",
    `The agent ${agent} needs the MCP server ${name}. ${reason}`,
    { hint },
  );
}

/** Whether a tool or a command of this name is one of the server. */
function isOf({ id }: Pick<ManagedServer["config"], "id">, name: string): boolean {
  return name.startsWith(`mcp__${id}__`);
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

function noteOf({ found, server, unused }: KitServer, timedOutAfterMs = 0): readonly string[] {
  const name = visibleText(found.name);
  if (unused !== undefined) return [`The MCP server ${name} is not used. ${unused.reason}`];
  const { failure } = server ?? {};
  if (failure !== undefined && server?.status !== "running") {
    const next = server?.status === "needs_auth" ? ` ${failure.hint ?? ""}` : "";
    return [`${failure.message}${next}`];
  }
  if (server === undefined || server.definitions !== undefined) return [];
  const seconds = timedOutAfterMs / 1000;
  const wait = seconds === 0 ? "" : `, although the search waited ${seconds} seconds`;
  return [`The MCP server ${name} has not listed its tools yet${wait}; search again in a moment.`];
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

function unusedFor({ needsTrust, excludedBy }: FoundServer): UnusedServer | undefined {
  if (needsTrust) {
    return {
      kind: "needs-trust",
      reason: "The workspace that defines it is not trusted.",
      hint: "If it is yours, haft trust add lets it start.",
    };
  }
  if (excludedBy === undefined) return undefined;
  const isDisabled = excludedBy === "disabledMcpjsonServers";
  return {
    kind: "excluded",
    reason: `The setting ${excludedBy} ${isDisabled ? "names it" : "does not name it"}.`,
    hint: isDisabled ? `Remove its name from ${excludedBy}.` : `Add its name to ${excludedBy}.`,
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

/** Next step where a server defines something that haft cannot offer. */
const definitionHint = "Use what else the server offers, or report it to its author.";

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
    ...(server?.definitions?.problems ?? []).map((each) => problem(each, definitionHint)),
  ];
}
