import {
  defineTool,
  type ContentPart,
  type JsonSchema,
  type Tool,
  type ToolContext,
} from "../../../core/index.ts";
import { isRecord, visibleText } from "../../../text/index.ts";
import type { ManagedServer } from "../servers/managed-server.ts";
import { failureOf } from "./call-failure.ts";
import { effectsOf, serversByName, shown, type ServersByName } from "./servers-by-name.ts";
import { readResult } from "./tool-result.ts";

/** Maximum number of resources in one list. */
const maxListed = 200;

/** Tools for the resources of servers. The list of servers is fixed, so that a call reaches those it was judged for. */
export function resourceTools(servers: readonly ManagedServer[]): readonly Tool[] {
  const named = serversByName(servers);
  return [listTool(servers, named), readTool(named)];
}

function listTool(servers: readonly ManagedServer[], { find, known }: ServersByName): Tool {
  const withResources = (): readonly ManagedServer[] =>
    servers.filter(({ hasResources }) => hasResources);
  return defineTool<JsonSchema>({
    name: "ListMcpResources",
    displayName: "List MCP resources",
    description: "List the resources that MCP servers offer, and templates of their addresses.",
    category: "mcp",
    touches: ["unknown"],
    input: {
      type: "object",
      properties: { server: { type: "string", description: "Only those of this server." } },
      additionalProperties: false,
    },
    effects: ({ server }) =>
      (server === undefined ? withResources() : [find(server)]).flatMap(effectsOf),
    async run({ server: name }, context) {
      const chosen = name === undefined ? withResources() : [known(name)];
      const lists = await Promise.all(
        chosen.map(async (server) => {
          const found = await listOf(server, context);
          return [`${visibleText(server.config.name)}:`, ...found].join("\n");
        }),
      );
      return { content: lists.join("\n\n"), title: "List MCP resources", trust: "untrusted" };
    },
  });
}

async function listOf(
  server: ManagedServer,
  context: Pick<ToolContext, "callId" | "runId" | "signal" | "ask">,
): Promise<readonly string[]> {
  try {
    return await server.use(async (connection) => {
      const resources = await connection.list("resources/list", "resources", context);
      // Not every server has templates.
      const templates = await connection
        .list("resources/templates/list", "resourceTemplates", context)
        .catch(() => []);
      const lines = [...resources, ...templates].flatMap(lineOf);
      const more = lines.length - maxListed;
      if (lines.length === 0) return ["(no resources)"];
      return more > 0 ? [...lines.slice(0, maxListed), `(${more} more)`] : lines;
    }, context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    return [`(cannot be listed: ${failureOf(error, server, { isSent: true }).message})`];
  }
}

function lineOf(given: unknown): readonly string[] {
  if (!isRecord(given)) return [];
  const address = given["uri"] ?? given["uriTemplate"];
  if (typeof address !== "string") return [];
  const parts = [given["title"] ?? given["name"], given["mimeType"], given["description"]];
  const facts = parts.filter((part) => typeof part === "string" && part !== "").map(shown);
  return [`- ${shown(address)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`];
}

function readTool({ find, known }: ServersByName): Tool {
  return defineTool<JsonSchema>({
    name: "ReadMcpResource",
    displayName: "Read MCP resource",
    description: "Read a resource of an MCP server by its address.",
    category: "mcp",
    touches: ["unknown"],
    input: {
      type: "object",
      properties: {
        server: { type: "string", description: "Name of the server." },
        uri: { type: "string", description: "Address, as ListMcpResources shows it." },
      },
      required: ["server", "uri"],
      additionalProperties: false,
    },
    effects: ({ server }) => effectsOf(find(server)),
    async run({ server: name, uri }, context) {
      const server = known(name);
      const { callTimeoutMs } = server.config;
      try {
        const result = await server.use(
          async (connection) =>
            await connection.request(
              { method: "resources/read", params: { uri } },
              { idleMs: callTimeoutMs, signal: context.signal, caller: context },
            ),
          context,
        );
        const contents = isRecord(result) ? result["contents"] : undefined;
        const content = Array.isArray(contents) ? contents.map(partOf) : [];
        return { ...readResult({ content }), title: `Read ${shown(uri)}` };
      } catch (error) {
        if (context.signal.aborted) throw error;
        throw failureOf(error, server, { isSent: true });
      }
    },
  });
}

/** A content of a resource, as a part of a result: an image is shown, a text is a resource with its address. */
function partOf(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const { mimeType, blob } = given;
  const isImage = typeof mimeType === "string" && mimeType.startsWith("image/");
  if (isImage && typeof blob === "string") return { type: "image", data: blob, mimeType };
  return { type: "resource", resource: given } satisfies Omit<ContentPart, "resource"> & {
    readonly resource: unknown;
  };
}
