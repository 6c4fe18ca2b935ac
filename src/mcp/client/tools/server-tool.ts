import {
  defineTool,
  ToolError,
  type Effect,
  type JsonSchema,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../../core/index.ts";
import { visibleText } from "../../../text/index.ts";
import type { ToolDefinition } from "../definitions/tool-definition.ts";
import { paramHeaders } from "../definitions/param-headers.ts";
import type { RequestLimits } from "../servers/follow-request.ts";
import type { ManagedServer } from "../servers/managed-server.ts";
import { failureOf, said } from "./call-failure.ts";
import { readResult } from "./tool-result.ts";

/** Milliseconds of one call in all, however much progress the server reports. */
const maxCallMs = 30 * 60_000;
/** Milliseconds between two reports of progress; a server may send thousands. */
const progressMs = 100;

/** A tool of a server as a tool of the kit. */
export function serverTool(server: ManagedServer, definition: ToolDefinition): Tool {
  const { name, offeredAs, title, description, inputSchema } = definition;
  const { config } = server;
  // Made once, because each call needs them.
  const prepared: Prepared = {
    title: `${config.name}: ${visibleText(name)}`,
    unknown: {
      kind: "unknown",
      because: `the MCP server ${visibleText(config.name)} decides what it does`,
      origin: `mcp__${config.id}`,
    },
  };
  let headers: ReturnType<typeof paramHeaders> | null = null;
  const headersOf: HeadersOf = (input) => {
    if (headers === null) headers = paramHeaders(inputSchema);
    return headers?.(input);
  };
  return defineTool<JsonSchema>({
    name: offeredAs,
    displayName: `${title ?? visibleText(name)} (${visibleText(config.name)})`,
    description: description === "" ? `The tool ${visibleText(name)}.` : description,
    category: "mcp",
    searchHint: `${visibleText(config.name)} ${visibleText(name)} ${title ?? ""}`,
    ...(config.isDirect ? { alwaysLoad: true } : {}),
    source: { id: config.id, name: visibleText(config.name), kind: "mcp" },
    touches: ["unknown", "interact"],
    timeoutMs: Math.max(maxCallMs, config.callTimeoutMs) + 1000,
    input: inputSchema,
    effects: () => effectsOf(server, definition, prepared),
    run: async (input, context) => ({
      ...(await call(server, definition, { input, context, headersOf })),
      title: prepared.title,
    }),
  });
}

/**
 * Effects of a server are not known, so a rule for the server or the tool must allow it. A definition that changed since
 * it was accepted has a further effect, which no rule covers: the user is asked and sees the difference.
 */
function effectsOf(
  server: ManagedServer,
  definition: ToolDefinition,
  { unknown }: Prepared,
): readonly Effect[] {
  const { id } = server.config;
  // A server may show a form to the user.
  const effects: Effect[] = [{ ...unknown }, { kind: "interact" }];
  const change = server.changeOf(definition);
  if (change !== undefined) {
    effects.push({
      kind: "unknown",
      because: `its definition changed since it was accepted: ${change}`,
      origin: `mcp__${id} (changed)`,
    });
  }
  return effects;
}

interface Prepared {
  readonly title: string;
  /** Effect of every call. */
  readonly unknown: Extract<Effect, { readonly kind: "unknown" }>;
}

/** Headers of a call with this input, of which most tools declare none. */
type HeadersOf = (
  input: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, string>> | undefined;

interface Called {
  readonly headersOf: HeadersOf;
  readonly input: Readonly<Record<string, unknown>>;
  readonly context: Pick<ToolContext, "callId" | "runId" | "signal" | "progress" | "ask">;
}

async function call(
  server: ManagedServer,
  definition: ToolDefinition,
  { input, context, headersOf }: Called,
): Promise<ToolResult> {
  const { config } = server;
  const { signal, progress } = context;
  let shownAt = 0;
  let isSent = false;
  try {
    const result = await server.use(async (connection) => {
      refuseChanged(server, definition);
      await server.accept(definition);
      signal.throwIfAborted();
      isSent = true;
      const params = { name: definition.name, arguments: input };
      const limits: RequestLimits = {
        idleMs: config.callTimeoutMs,
        headers: headersOf(input),
        totalMs: Math.max(maxCallMs, config.callTimeoutMs),
        signal,
        caller: context,
        onProgress: ({ progress: done, total, message }) => {
          const now = Date.now();
          if (now - shownAt < progressMs) return;
          shownAt = now;
          progress({
            done,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message: said(message) }),
          });
        },
      };
      return await connection.call(params, limits, definition.mustBeTask === true);
    }, context);
    return readResult(result);
  } catch (error) {
    if (signal.aborted) throw error;
    throw failureOf(error, server, { isSent });
  }
}

/** A server may define a tool differently between the moment the model saw it and the call. */
function refuseChanged(server: ManagedServer, { name, offeredAs, hash }: ToolDefinition): void {
  const current = server.current(name);
  if (current === undefined) {
    throw new ToolError("UNKNOWN_TOOL", `The MCP server has no tool ${offeredAs} any more.`, {
      hint: "Use another tool.",
    });
  }
  if (current.hash === hash) return;
  throw new ToolError(
    "APPROVAL_REQUIRED",
    `The definition of ${offeredAs} changed, so the call was not sent.`,
    { hint: "Read the new definition and call it again; the user is then asked." },
  );
}
