import type { HaftEvent, Kit, Services, ServiceToken } from "../index.ts";
import type { McpToolkit } from "../entries/mcp.ts";
import { builtInListings, searchVariables } from "../entries/tools.ts";
import type { KitValues } from "./options.ts";
import type { Terminal } from "./terminal.ts";

/** Toolkit that answers before it is fully opened. */
export interface EarlyToolkit {
  readonly toolkit: McpToolkit;
  /** Opens it now, if it is not open yet; rejects if it cannot be opened. */
  open(): Promise<Kit>;
  /** Returns the toolkit, if it was ever opened. */
  opened(): Promise<Kit> | undefined;
}

/**
 * Lists the tools from the catalog, at once, and opens the toolkit after the first list or for the first call. Use it
 * only if nothing can hide a tool: see `mayHide`.
 */
export function earlyToolkit(openKit: () => Promise<Kit>): EarlyToolkit {
  // Made with the first id: loading the module takes longer than everything else before the list.
  let base: string | undefined;
  const listeners = new Map<(event: HaftEvent) => void, () => void>();
  let listings: ReturnType<typeof builtInListings> | undefined;
  const listed = (): ReturnType<typeof builtInListings> =>
    (listings ??= builtInListings(absentIds));
  let opening: Promise<Kit> | undefined;
  let kit: Kit | undefined;
  let count = 0;
  const open = async (): Promise<Kit> => {
    opening ??= openKit().then((opened) => {
      kit = opened;
      for (const listener of listeners.keys())
        listeners.set(listener, opened.events.subscribe(listener));
      return opened;
    });
    return await opening;
  };
  return {
    open,
    opened: () => opening,
    toolkit: {
      call: async (call, options) => await (await open()).call(call, options),
      definitions: async (format, options) => {
        if (kit !== undefined) return await kit.definitions(format, options);
        const tools = listed().map(({ name, description, inputSchema }) => ({
          name,
          description,
          inputSchema,
        }));
        return { tools, dropped: [], renamed: [] };
      },
      listings: (options) => kit?.listings(options) ?? listed(),
      events: {
        subscribe: (listener) => {
          listeners.set(listener, kit?.events.subscribe(listener) ?? (() => undefined));
          return () => {
            listeners.get(listener)?.();
            listeners.delete(listener);
          };
        },
      },
      newId: (prefix) => {
        base ??= crypto.randomUUID().slice(0, 8);
        count += 1;
        return `${prefix}-${base}-${count}`;
      },
    },
  };
}

/**
 * Ids of services that a server without settings lacks, or has no use for because it lists every tool; built-in tools
 * that need one are not listed.
 */
const absentIds: ReadonlySet<string> = new Set([
  "agents",
  "delegation",
  "languageServers",
  "notifier",
  "otherSessions",
  "skill-hubs",
  "slash-commands",
  "toolSearch",
  "webSearch",
]);

/** Services of a server's toolkit: the user can be asked, because each call brings an asker of the client. */
export const servedServices: Services = {
  get<T>(token: ServiceToken<T>): T | undefined {
    const service: unknown = token.id === "people" ? true : undefined;
    return isFor(token, service) ? service : undefined;
  },
};

function isFor<T>(_token: ServiceToken<T>, service: unknown): service is T {
  return service !== undefined;
}

/** Modes in which the same built-in tools are offered. */
const openModes: ReadonlySet<string> = new Set([
  "default",
  "acceptedits",
  "dontask",
  "bypasspermissions",
]);

/** Files and directories, of the workspace or of the user, that may add tools to the list or remove some. */
const listedPlaces: readonly string[] = [
  ".mcp.json",
  ".agents/skills",
  ...[".haft", ".claude"].flatMap((directory) =>
    ["settings.json", "settings.local.json", "skills", "commands", "plugins", "tools"].map(
      (name) => `${directory}/${name}`,
    ),
  ),
];

/**
 * Whether a rule, a file of the workspace or the user, a variable or the mode may change the list of tools, so that
 * only the toolkit itself knows it.
 */
export function mayHide(values: KitValues, terminal: Terminal): boolean {
  if (values.deny !== undefined || values.ask !== undefined) return true;
  if (!openModes.has((values.mode ?? "default").toLowerCase())) return true;
  const telling = [...searchVariables, "HAFT_MODEL"];
  if (telling.some((name) => (terminal.env[name] ?? "") !== "")) return true;
  if (values["no-settings"] === true) return false;
  const home = terminal.env["HOME"];
  if (home === undefined) return true;
  // Not imports: importing `node:fs` evaluates the streams, the promises and what these need.
  const { existsSync } = process.getBuiltinModule("node:fs");
  const path = process.getBuiltinModule("node:path");
  const workspace = path.resolve(terminal.cwd, values.workspace ?? ".");
  return [workspace, home].some((base) =>
    listedPlaces.some((place) => existsSync(path.join(base, place))),
  );
}
