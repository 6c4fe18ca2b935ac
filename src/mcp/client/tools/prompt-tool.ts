import {
  defineTool,
  nearestName,
  ToolError,
  type ContentPart,
  type JsonSchema,
  type Tool,
  type ToolResult,
} from "../../../core/index.ts";
import { isRecord } from "../../../text/index.ts";
import { requireArguments, type PromptDefinition } from "../definitions/prompt-definition.ts";
import type { ManagedServer } from "../servers/managed-server.ts";
import { failureOf } from "./call-failure.ts";
import { effectsOf, serversByName, shown } from "./servers-by-name.ts";
import { readResult } from "./tool-result.ts";

/** The tool that gets a prompt of a server; commands of servers are calls of it. */
export function promptTool(servers: readonly ManagedServer[]): Tool {
  const { find, known } = serversByName(servers);
  return defineTool<JsonSchema>({
    name: "ReadMcpPrompt",
    displayName: "Read MCP prompt",
    description: "Read a prompt of an MCP server; SlashCommand lists them.",
    category: "mcp",
    touches: ["unknown", "interact"],
    input: {
      type: "object",
      properties: {
        server: { type: "string", description: "Name of the server." },
        prompt: { type: "string", description: "Name of the prompt." },
        arguments: { type: "object", additionalProperties: { type: "string" } },
      },
      required: ["server", "prompt"],
      additionalProperties: false,
    },
    // A server may show a form to the user.
    effects: ({ server }) => [...effectsOf(find(server)), { kind: "interact" }],
    async run({ server: name, prompt, arguments: given = {} }, context) {
      const server = known(name);
      let isSent = false;
      try {
        const result = await server.use(async (connection) => {
          const definition = knownPrompt(server, prompt);
          const values = isRecord(given) ? given : {};
          requireArguments(definition, new Set(Object.keys(values)));
          context.signal.throwIfAborted();
          isSent = true;
          return await connection.request(
            { method: "prompts/get", params: { name: definition.name, arguments: values } },
            { idleMs: server.config.callTimeoutMs, signal: context.signal, caller: context },
          );
        }, context);
        return { ...readPromptResult(result), title: `Prompt ${shown(prompt)}` };
      } catch (error) {
        if (context.signal.aborted) throw error;
        throw failureOf(error, server, { isSent });
      }
    },
  });
}

function knownPrompt(server: ManagedServer, name: unknown): PromptDefinition {
  const all = server.prompts ?? [];
  const found = all.find((each) => each.name === name);
  if (found !== undefined) return found;
  const near = nearestName(
    shown(name),
    all.map((each) => each.name),
  );
  const message = `The MCP server ${shown(server.config.name)} has no prompt ${shown(name)}.`;
  throw new ToolError("NOT_FOUND", message, {
    hint: near === undefined ? "SlashCommand lists the prompts." : `Did you mean ${shown(near)}?`,
  });
}

/** The messages of a prompt, in order. Those that are not of the user say so. */
function readPromptResult(given: unknown): ToolResult {
  const messages = isRecord(given) && Array.isArray(given["messages"]) ? given["messages"] : [];
  const content = messages.flatMap((message: unknown) => {
    if (!isRecord(message)) return [message];
    const { role, content: part } = message;
    const label = { type: "text", text: "(as the assistant:)" } satisfies ContentPart;
    return role === "assistant" ? [label, part] : [part];
  });
  if (content.length === 0) content.push({ type: "text", text: "(The prompt is empty.)" });
  return readResult({ content });
}
