import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { offeredName, serverId } from "../../../src/mcp/client/definitions/tool-name.ts";
import { isRecord } from "../../../src/text/index.ts";
import { catalogOf, seeded, type CatalogTool, type ObjectSchema } from "../catalog.ts";

/** A request in a user's words, written from the purpose of a tool that was drawn by chance. */
export interface UserRequest {
  readonly query: string;
  /** The tool, and others that serve the request as well. */
  readonly tools: readonly string[];
  /** Plain: it names the product and the thing as its users do. Others: it avoids the words of the tool. */
  readonly words: "plain" | "others";
  /** Rules of the ranking may be found on the first half only. */
  readonly half: "development" | "test";
}

export async function userRequests(): Promise<readonly UserRequest[]> {
  const lines = await jsonLines(new URL("requests.jsonl", import.meta.url));
  return lines.map(({ query, tools, words, half }) => ({
    query: String(query),
    tools: Array.isArray(tools) ? tools.map(String) : [],
    words: words === "plain" ? words : "others",
    half: half === "development" ? half : "test",
  }));
}

/** Definitions of tools as published servers list them, named as haft names them. */
export async function publishedTools(): Promise<readonly CatalogTool[]> {
  const servers = await jsonLines(new URL("mcp-tools.jsonl.gz", import.meta.url));
  return servers.flatMap(({ server, tools }) =>
    (Array.isArray(tools) ? tools : []).filter(isRecord).map((tool) => ({
      name: offeredName(serverId(String(server)), String(tool["name"])),
      server: String(server),
      description: textOf(tool["description"]),
      schema: objectSchema(tool["inputSchema"]),
    })),
  );
}

/**
 * Adds tools that no request needs until there are `count`: those of files, one tool a line with its name, server,
 * description and schema, then generated ones.
 */
export async function withOthers(
  tools: readonly CatalogTool[],
  count: number,
  files: readonly string[],
): Promise<readonly CatalogTool[]> {
  const all = new Map(tools.map((tool) => [tool.name.toLowerCase(), tool]));
  for (const file of files) {
    for (const { name, server, description, schema } of await jsonLines(file)) {
      if (all.size >= count) break;
      const tool = {
        name:
          typeof server === "string"
            ? offeredName(serverId(server), String(name))
            : String(name).replaceAll(/[^\w-]/gu, "_"),
        server: typeof server === "string" ? server : "",
        description: textOf(description),
        schema: objectSchema(schema),
      };
      if (!all.has(tool.name.toLowerCase())) all.set(tool.name.toLowerCase(), tool);
    }
  }
  for (const tool of catalogOf(count - all.size, seeded(20))) all.set(tool.name, tool);
  return [...all.values()];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function objectSchema(schema: unknown): ObjectSchema {
  const { properties, ...others } = isRecord(schema) ? schema : {};
  return { ...others, type: "object", properties: isRecord(properties) ? properties : {} };
}

async function jsonLines(
  file: URL | string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const bytes = await readFile(file);
  const text = (String(file).endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown)
    .filter(isRecord);
}
