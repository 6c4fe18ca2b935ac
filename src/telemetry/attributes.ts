import type { HaftEvent, Outcome } from "../core/index.ts";
import type { Attributes } from "./open-telemetry.ts";

/** Provider and model of a name such as `anthropic:claude-sonnet-5`. */
export function modelAttributes(name: string): Attributes {
  const [provider = "", ...rest] = name.split(":");
  // The name of the provider is required; a model of the program has none.
  if (rest.length === 0) return { "gen_ai.provider.name": "custom", "gen_ai.request.model": name };
  const known = provider.split(".", 1)[0] ?? provider;
  return {
    "gen_ai.provider.name": providerNames.get(known) ?? known,
    "gen_ai.request.model": rest.join(":"),
  };
}

/** Providers that the conventions call otherwise. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ["google", "gcp.gemini"],
  ["mistral", "mistral_ai"],
  ["xai", "x_ai"],
  ["openai-chat", "openai"],
]);

const shared = ["gen_ai.provider.name", "gen_ai.request.model", "gen_ai.conversation.id"] as const;

/** The attributes of a run that its requests to a model have as well. */
export function pick(attributes: Attributes): Attributes {
  return Object.fromEntries(
    shared.flatMap((key) => {
      const value = attributes[key];
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** Attributes of few values: ids would make a series of each call. */
const measured = [
  "gen_ai.operation.name",
  "gen_ai.provider.name",
  "gen_ai.request.model",
  "gen_ai.tool.name",
  "mcp.method.name",
  "network.transport",
  "server.address",
  "server.port",
  "error.type",
] as const;

/** The attributes of a span that its measurements have. */
export function metricAttributes(attributes: Attributes): Attributes {
  return Object.fromEntries(
    measured.flatMap((key) => {
      const value = attributes[key];
      return value === undefined ? [] : [[key, value] as const];
    }),
  );
}

/** Attributes of a request to an MCP server. */
export function requestAttributes(
  event: Extract<HaftEvent, { readonly type: "request-start" }>,
): Attributes {
  const { server, method, target, transport, address, protocol } = event;
  return {
    "mcp.method.name": method,
    "network.transport": transport === "http" ? "tcp" : "pipe",
    "haft.mcp.server": server,
    ...(target === undefined
      ? {}
      : { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": target }),
    ...(protocol === undefined ? {} : { "mcp.protocol.version": protocol }),
    ...(address === undefined
      ? {}
      : { "server.address": address.host, "server.port": address.port }),
  };
}

/** The skill or command that a call used, which the conventions do not name yet. */
export function usedAttributes({ tool, metadata }: Outcome): Attributes {
  const name = metadata?.[tool === "Skill" ? "skill" : "command"];
  if (typeof name !== "string") return {};
  if (tool === "Skill") return { "haft.skill.name": name };
  return tool === "SlashCommand" ? { "haft.command.name": name } : {};
}
