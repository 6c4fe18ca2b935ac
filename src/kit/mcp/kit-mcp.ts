import { nearestName, ToolError } from "../../core/index.ts";
import { visibleText } from "../../text/index.ts";
import type { ManagedServer, ServerConfig } from "../../mcp/index.ts";
import type { FoundServer, SettingsScope } from "../../workspace/index.ts";

/** A server of the settings, and the reason for which it is not used. */
export interface KitServer {
  readonly found: FoundServer;
  /** Undefined for a server that is not used. */
  readonly config: ServerConfig | undefined;
  readonly server: ManagedServer | undefined;
  readonly unused: UnusedServer | undefined;
}

/** Why a server is not used. */
export interface UnusedServer {
  readonly kind: "off" | "excluded" | "needs-trust" | "invalid";
  readonly reason: string;
  readonly hint: string;
}

/** An MCP server of the settings, and its state. */
export interface McpServerInfo {
  /** Name in the settings. */
  readonly name: string;
  /** Name in rules and tool names, as in `mcp__github`. */
  readonly rule: string;
  /**
   * `off`, `excluded`, `needs-trust` and `invalid` servers are not used; `stopped` ones start when they are needed;
   * `needs_auth` ones need a login of the user; `failed` ones could not be started.
   */
  readonly status:
    | "off"
    | "excluded"
    | "needs-trust"
    | "invalid"
    | "stopped"
    | "starting"
    | "running"
    | "needs_auth"
    | "failed";
  /** Source of its definition. */
  readonly scope: SettingsScope;
  /** File that defines it; absent if the program does. */
  readonly file?: string;
  /** Command line or address, without environment and headers. */
  readonly address: string;
  /** Number of its tools; absent while they are not known. */
  readonly tools?: number;
  /** Reason for which it is not used or failed. */
  readonly reason?: string;
  /** Next step, if there is a reason. */
  readonly hint?: string;
}

/** A tool of an MCP server. */
export interface McpToolInfo {
  /** Name on the server. */
  readonly name: string;
  /** Name of the tool in calls and rules. */
  readonly offeredAs: string;
  /** Description, with every character visible. */
  readonly description: string;
  /** Difference to the definition that was accepted; the next call asks. Absent if there is none. */
  readonly change?: string;
}

/** Result of starting a server to see whether it works. */
export interface McpServerCheck {
  /** The server and its state afterwards. */
  readonly server: McpServerInfo;
  /** Milliseconds until it listed its tools. */
  readonly durationMs: number;
  /** Version of the protocol; absent if it could not be started. */
  readonly protocol?: string;
  /** Name and version that it gives itself. */
  readonly implementation?: string;
  /** Definitions that are not offered as they are. */
  readonly problems: readonly string[];
  /** Last lines that it printed to standard error. */
  readonly log: readonly string[];
}

/** MCP servers of a kit. */
export interface KitMcp {
  /** Lists the servers, also those that are not used; starts none. */
  list(): readonly McpServerInfo[];
  /**
   * Lists the tools of a server, which is started if they are not known. Rejects with NOT_FOUND if there is no such
   * server, with UNAVAILABLE if it cannot be used.
   */
  tools(name: string): Promise<readonly McpToolInfo[]>;
  /** Starts a server now and reports how that went. Rejects with NOT_FOUND if there is none of this name. */
  check(name: string): Promise<McpServerCheck>;
  /**
   * Lets the user log in to a server in a browser (OAuth), and stores its tokens where only the user can read them.
   * Rejects with NOT_FOUND if there is no such server, with UNAVAILABLE if the login fails, with PERMISSION_DENIED if it
   * leads to a private address that the user did not name.
   */
  login(name: string, options: McpLoginOptions): Promise<McpLogin>;
  /** Removes the tokens of a server; false if there were none. */
  logout(name: string): Promise<boolean>;
}

/** Options of a login to an MCP server. */
export interface McpLoginOptions {
  /** Shows the address at which the user logs in. */
  readonly onAddress: (address: string) => void;
  /** Whether a browser is opened on this machine. Default true. */
  readonly opensBrowser?: boolean;
  /** Authorization server that the server must name; it may have a private address. */
  readonly issuer?: string;
  /**
   * Called when the login can be completed. `accept` takes the address to which the browser was sent, for a browser on
   * another machine; it returns false for an address of something else.
   */
  readonly onListening?: (accept: (address: string) => boolean) => void;
  /** Ends the login. */
  readonly signal?: AbortSignal;
}

/** Result of a login to an MCP server. */
export interface McpLogin {
  /** Authorization server that gave the tokens. */
  readonly issuer: string;
  /** Rights of the tokens; absent if the authorization server does not say. */
  readonly scope?: string;
}

/** Logins of servers, as the pool of servers has them. */
export interface ServerLogins {
  login(server: ManagedServer, options: McpLoginOptions): Promise<McpLogin>;
  logout(server: ManagedServer): Promise<boolean>;
}

/** Lines of a server's log in a report. */
const logLines = 20;

export interface KitMcpParts {
  readonly all: readonly KitServer[];
  readonly logins: ServerLogins | undefined;
  readonly now: () => number;
}

/** Lists, checks and uses these servers. */
export function kitMcp({ all, logins, now }: KitMcpParts): KitMcp {
  const find = (name: string): KitServer => {
    const found = all.find((each) => each.found.name === name);
    if (found !== undefined) return found;
    const names = all.map((each) => each.found.name);
    const near = nearestName(name.slice(0, maxNameChars), names);
    throw new ToolError("NOT_FOUND", `There is no MCP server ${JSON.stringify(name)}.`, {
      hint:
        near !== undefined
          ? `Did you mean ${JSON.stringify(near)}?`
          : names.length === 0
            ? "Add one with haft mcp add."
            : `Servers: ${names.map((each) => visibleText(each)).join(", ")}.`,
    });
  };
  return {
    list: () => all.map(infoOf),
    async tools(name) {
      const each = find(name);
      const server = usable(each);
      if (server.needsListing) await server.use(async () => undefined);
      return (server.definitions?.tools ?? []).map((tool) => {
        const change = server.changeOf(tool);
        const { offeredAs, description } = tool;
        const shown = visibleText(tool.name);
        return { name: shown, offeredAs, description, ...(change === undefined ? {} : { change }) };
      });
    },
    async check(name) {
      const each = find(name);
      const { server } = each;
      const start = now();
      let facts = {};
      if (server !== undefined) {
        await server.retry();
        await server
          .use(async ({ protocol, server: implementation }) => {
            facts = {
              ...(protocol === undefined ? {} : { protocol }),
              ...(implementation === undefined ? {} : { implementation }),
            };
          })
          .catch(() => undefined);
      }
      return {
        server: infoOf(each),
        durationMs: now() - start,
        ...facts,
        problems: server?.definitions?.problems ?? [],
        log: server?.log.tail(logLines) ?? [],
      };
    },
    async login(name, options) {
      const server = usable(find(name));
      if (logins === undefined) throw new TypeError("These servers have no logins.");
      return await logins.login(server, options);
    },
    async logout(name) {
      return (await logins?.logout(usable(find(name)))) ?? false;
    },
  };
}

/** Longest name that is compared with the known ones. */
const maxNameChars = 64;

function usable({ found, server, unused }: KitServer): NonNullable<KitServer["server"]> {
  if (server !== undefined) return server;
  const name = visibleText(found.name);
  throw new ToolError(
    "UNAVAILABLE",
    `The MCP server ${name} is not used. ${unused?.reason ?? ""}`,
    {
      hint: unused?.hint ?? "haft mcp list shows its state.",
    },
  );
}

function infoOf({ found, config, server, unused }: KitServer): McpServerInfo {
  const { name, scope, file, entry } = found;
  const hasFailed = server?.status === "failed" || server?.status === "needs_auth";
  const failure = hasFailed ? server.failure : undefined;
  const tools = server?.definitions?.tools.length;
  const reason = unused?.reason ?? failure?.message;
  const hint = unused?.hint ?? failure?.hint;
  return {
    name: visibleText(name),
    rule: config === undefined ? "" : `mcp__${config.id}`,
    status: unused?.kind ?? server?.status ?? "stopped",
    scope,
    ...(file === undefined ? {} : { file }),
    address: addressOf(entry),
    ...(tools === undefined ? {} : { tools }),
    ...(reason === undefined ? {} : { reason }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** The address as it is written: variables are not expanded, because they may hold secrets. */
function addressOf(entry: KitServer["found"]["entry"]): string {
  const { command, args } = entry;
  const url = entry["url"] ?? entry["httpUrl"];
  if (typeof command !== "string") return typeof url === "string" ? visibleText(url) : "";
  const words = Array.isArray(args) ? args.map(String) : [];
  return visibleText([command, ...words].join(" "));
}
