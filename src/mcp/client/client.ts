import type { Host } from "../../core/index.ts";
import { joinPath } from "../../text/index.ts";
import { definitionStore, memoryStore } from "./definitions/stored-definitions.ts";
import { login, type LoginOptions, type LoginResult } from "./auth/login.ts";
import { ServerLogin } from "./auth/server-login.ts";
import { loginStore, type LoginStoreParts } from "./auth/stored-logins.ts";
import type { FollowedRequest, RequestNotice } from "./servers/follow-request.ts";
import type { AskModel } from "./servers/answer-sampling.ts";
import { ManagedServer } from "./servers/managed-server.ts";
import type { ServerConfig } from "./servers/server-config.ts";
import { openTransport, type OpenMcpTransport } from "./transports/open-transport.ts";
import { nestedVariable, type ServerPrograms } from "./transports/stdio.ts";

export { offeredName, samplingRule, serverId } from "./definitions/tool-name.ts";
export { providerConfig, readServer } from "./servers/server-config.ts";
export { promptArguments, promptUsage } from "./definitions/prompt-definition.ts";
export { promptTool } from "./tools/prompt-tool.ts";
export { resourceTools } from "./tools/resource-tools.ts";
export { serverSkillTools } from "./tools/skill-tools.ts";
export { serverTool } from "./tools/server-tool.ts";

/** Milliseconds after the last use until a server is ended. */
const defaultIdleMs = 60_000;

export interface ServerPoolParts {
  readonly host: Pick<Host, "fs" | "proc" | "clock">;
  /** Directory of haft's own files. */
  readonly dataDirectory: string;
  readonly programs: Omit<ServerPrograms, "host">;
  /** Creates what sends requests; the origins of these addresses, which the user named, may be private. */
  readonly fetchFor: (addresses: readonly string[]) => typeof fetch;
  /** Logins of the user. */
  readonly logins: Omit<LoginStoreParts, "host">;
  /** Transports that the program registered, by kind. */
  readonly transports: ReadonlyMap<string, OpenMcpTransport>;
  /** Follows the requests to a server. */
  readonly follow: (config: ServerConfig, notice: RequestNotice) => FollowedRequest;
  readonly idleMs?: number | undefined;
  /** Asks the model for a server. Rejects with the reason for which it may not. */
  readonly askModel: (config: ServerConfig, ...asked: Parameters<AskModel>) => ReturnType<AskModel>;
  /** Whether a rule lets a server ask the model. */
  readonly mayAskModel: (config: ServerConfig) => boolean;
  /** Directories that servers may work on. Canonical. */
  readonly directories: readonly string[];
}

/** Servers by the hash of their configuration: whatever asks for one gets the same. */
export interface ServerPool {
  get(config: ServerConfig): ManagedServer;
  /** Lets the user log in to a server, and stores the tokens. */
  login(server: ManagedServer, options: LoginOptions): Promise<LoginResult>;
  /** Removes the tokens; false if there were none. */
  logout(server: ManagedServer): Promise<boolean>;
  /** Ends every server with all its processes. */
  dispose(): Promise<void>;
}

export function openServerPool(parts: ServerPoolParts): ServerPool {
  const { host, dataDirectory, programs, fetchFor, directories, idleMs = defaultIdleMs } = parts;
  const loginParts = {
    clock: host.clock,
    store: loginStore({ ...parts.logins, host }),
    fetchFor,
  };
  const store = definitionStore(
    host,
    joinPath(dataDirectory, "mcp"),
    async (key, work) => await loginParts.store.exclusively(key, work),
  );
  const servers = new Map<string, ManagedServer>();
  return {
    async login(server, options) {
      const result = await login({ ...loginParts, config: server.config }, options);
      await server.forgetConnection();
      return result;
    },
    async logout(server) {
      await server.forgetConnection();
      return await loginParts.store.remove(server.config.loginKey);
    },
    get(config) {
      const known = servers.get(config.hash);
      if (known !== undefined) return known;
      const onNote = (text: string): void => server.log.add(text);
      const ownLogin = hasLogin(config)
        ? new ServerLogin(config, { ...loginParts, onNote })
        : undefined;
      const server: ManagedServer = new ManagedServer(config, {
        login: ownLogin,
        clock: host.clock,
        store: config.address.kind === "in-process" ? memoryStore() : store,
        idleMs,
        follow: (notice) => parts.follow(config, notice),
        askModel: async (request, caller) => await parts.askModel(config, request, caller),
        mayAskModel: () => parts.mayAskModel(config),
        roots: directories.map((path) => `file://${encodeURI(path)}`),
        openTransport: async (to, onLog) =>
          await openTransport(to, {
            programs: { ...programs, host },
            fetchFor,
            login: ownLogin,
            onLog,
            transports: parts.transports,
          }),
      });
      servers.set(config.hash, server);
      return server;
    },
    async dispose() {
      await Promise.all([...servers.values()].map(async (server) => await server.dispose()));
    },
  };
}

/** Whether the user may log in to a server: it has an address, and the settings hold no other credentials. */
function hasLogin({ address }: ServerConfig): boolean {
  if (address.kind !== "http" && address.kind !== "sse") return false;
  return !Object.keys(address.headers).some((name) => name.toLowerCase() === "authorization");
}

/** Whether this process was started by haft as a server: it starts none itself, or two could start each other. */
export function isNested(variable: (name: string) => string | undefined): boolean {
  return variable(nestedVariable) !== undefined;
}
