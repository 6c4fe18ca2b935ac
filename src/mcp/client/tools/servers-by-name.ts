import { nearestName, ToolError, type Effect } from "../../../core/index.ts";
import { visibleText } from "../../../text/index.ts";
import type { ManagedServer } from "../servers/managed-server.ts";

/** Characters of an address or a name in a list. */
const maxFieldChars = 500;

/** Servers as calls name them: as in the settings, or as in rules. */
export interface ServersByName {
  readonly find: (name: unknown) => ManagedServer | undefined;
  /** Throws NOT_FOUND if there is no such server. */
  readonly known: (name: unknown) => ManagedServer;
}

export function serversByName(servers: readonly ManagedServer[]): ServersByName {
  const find = (name: unknown): ManagedServer | undefined =>
    servers.find(({ config }) => config.name === name || config.id === name);
  return {
    find,
    known(name) {
      const found = find(name);
      if (found !== undefined) return found;
      const names = servers.map(({ config }) => config.name);
      const near = nearestName(String(name).slice(0, maxFieldChars), names);
      throw new ToolError("NOT_FOUND", `No MCP server is called ${shown(name)}.`, {
        hint: near === undefined ? `MCP servers: ${names.join(", ")}.` : `Did you mean ${near}?`,
      });
    },
  };
}

/** Text of a server on one line of a list. */
export function shown(text: unknown): string {
  return visibleText(String(text).slice(0, maxFieldChars)).replaceAll("\n", " ");
}

/** Effects of a request to a server. One that does not exist is reported by the call itself. */
export function effectsOf(server: ManagedServer | undefined): readonly Effect[] {
  if (server === undefined) return [];
  const { id, name } = server.config;
  const because = `the MCP server ${visibleText(name)} decides what it does`;
  return [{ kind: "unknown", because, origin: `mcp__${id}` }];
}
