import type { Host } from "../../core/index.ts";
import { joinPath } from "../../text/index.ts";
import { definitionStore } from "./definitions/stored-definitions.ts";
import type { FollowedRequest, RequestNotice } from "./servers/follow-request.ts";
import { ManagedServer } from "./servers/managed-server.ts";
import type { ServerConfig } from "./servers/server-config.ts";
import { openTransport } from "./transports/open-transport.ts";
import { nestedVariable, type ServerPrograms } from "./transports/stdio.ts";

export { readServer } from "./servers/server-config.ts";
export { resourceTools } from "./tools/resource-tools.ts";
export { serverTool } from "./tools/server-tool.ts";

/** Milliseconds after the last use until a server is ended. */
const defaultIdleMs = 60_000;

export interface ServerPoolParts {
  readonly host: Pick<Host, "fs" | "proc" | "clock">;
  /** Directory of haft's own files. */
  readonly dataDirectory: string;
  readonly programs: Omit<ServerPrograms, "host">;
  /** Creates what sends requests to the origin of this address, which the user has written into settings. */
  readonly fetchFor: (address: string) => typeof fetch;
  readonly onTools: (server: ManagedServer) => void;
  /** Follows the requests to a server. */
  readonly follow: (config: ServerConfig, notice: RequestNotice) => FollowedRequest;
  readonly idleMs?: number | undefined;
  /** Directories that servers may work on. Canonical. */
  readonly directories: readonly string[];
}

/** Servers by the hash of their configuration: whatever asks for one gets the same. */
export interface ServerPool {
  get(config: ServerConfig): ManagedServer;
  /** Ends every server with all its processes. */
  dispose(): Promise<void>;
}

export function openServerPool(parts: ServerPoolParts): ServerPool {
  const {
    host,
    dataDirectory,
    programs,
    fetchFor,
    directories,
    onTools,
    idleMs = defaultIdleMs,
  } = parts;
  const store = definitionStore(host, joinPath(dataDirectory, "mcp"));
  const servers = new Map<string, ManagedServer>();
  return {
    get(config) {
      const known = servers.get(config.hash);
      if (known !== undefined) return known;
      const server = new ManagedServer(config, {
        clock: host.clock,
        store,
        onTools,
        idleMs,
        follow: (notice) => parts.follow(config, notice),
        roots: directories.map((path) => `file://${encodeURI(path)}`),
        openTransport: async (to, onLog) =>
          await openTransport(to, { programs: { ...programs, host }, fetchFor, onLog }),
      });
      servers.set(config.hash, server);
      return server;
    },
    async dispose() {
      await Promise.all([...servers.values()].map(async (server) => await server.dispose()));
    },
  };
}

/** Whether this process was started by haft as a server: it starts none itself, or two could start each other. */
export function isNested(variable: (name: string) => string | undefined): boolean {
  return variable(nestedVariable) !== undefined;
}
