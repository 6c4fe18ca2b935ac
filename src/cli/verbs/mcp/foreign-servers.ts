import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { UsageError } from "../../usage-error.ts";

/** Names under which programs keep their MCP servers. */
const serverKeys = ["mcpServers", "mcp_servers", "servers", "context_servers", "mcp"] as const;

/**
 * Reads the MCP servers of another program's file: JSON with comments, or TOML. Secrets that the file holds are copied as
 * they are.
 */
export async function foreignServers(
  file: string,
  workspace: string,
): Promise<Readonly<Record<string, unknown>>> {
  const place = file.startsWith("~/") ? path.join(homedir(), file.slice(2)) : file;
  const text = await readFile(path.resolve(workspace, place), "utf8").catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new UsageError(`${file} cannot be read: ${why}`, "Name a file with MCP servers.");
  });
  const value = await parsed(text, place);
  const key = serverKeys.find((each) => isObject(value) && isObject(value[each]));
  const servers = key === undefined || !isObject(value) ? undefined : value[key];
  if (!isObject(servers)) return {};
  return Object.fromEntries(
    Object.entries(servers).flatMap(([name, server]) =>
      isObject(server) ? [[name, entryOf(server)]] : [],
    ),
  );
}

async function parsed(text: string, file: string): Promise<unknown> {
  if (file.endsWith(".toml")) {
    const { parse } = await import("smol-toml");
    try {
      return parse(text);
    } catch {
      throw new UsageError(`${file} is not TOML.`, "Correct it, or name another file.");
    }
  }
  const { parse } = await import("jsonc-parser");
  return parse(text, [], { allowTrailingComma: true });
}

/** The parts of a server that haft knows; other programs write a command as one list, and variables in another way. */
function entryOf(server: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { command } = server;
  const words = Array.isArray(command) ? command.map(String) : undefined;
  const url = server["url"] ?? server["httpUrl"] ?? server["serverUrl"];
  const entry = {
    type: typeOf(server["type"], url),
    command: words === undefined ? command : words[0],
    args: words === undefined ? server["args"] : words.slice(1),
    env: server["env"] ?? server["environment"],
    cwd: server["cwd"],
    url,
    headers: server["headers"] ?? server["http_headers"],
    disabled: server["enabled"] === false ? true : server["disabled"],
  };
  const kept = Object.entries(entry).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept.map(([name, value]) => [name, withOwnVariables(value)]));
}

function typeOf(type: unknown, url: unknown): unknown {
  if (type === "local") return "stdio";
  if (type === "remote" || type === "streamableHttp") return "http";
  return type === undefined && url !== undefined ? "http" : type;
}

/** `${env:NAME}` and `{env:NAME}` are written `${NAME}` here. */
function withOwnVariables(value: unknown): unknown {
  if (typeof value === "string") {
    return value.replaceAll(/\$?\{env:(\w+)\}/gu, (_whole, name: string) => `\${${name}}`);
  }
  if (Array.isArray(value)) return value.map(withOwnVariables);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withOwnVariables(each)]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
