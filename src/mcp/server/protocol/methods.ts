import { isRecord, RpcError } from "./json-rpc.ts";
import type { Result, Running, ServerSide } from "./server-context.ts";
import { watchTools } from "../tools/tool-changes.ts";
import { listTools } from "../tools/tool-list.ts";
import { metaKeys, negotiate, supportedVersions } from "./versions.ts";
import type { Era } from "./versions.ts";

type Method = (running: Running) => Promise<Result> | Result;

const shared: readonly (readonly [string, Method])[] = [
  ["tools/list", list],
  ["tools/call", call],
];

const libraryMethods = [
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list",
  "prompts/get",
  "completion/complete",
] as const;
const libraryShared = libraryMethods.map((name) => [name, useLibrary] as const);

/** Methods of a server that offers resources and prompts. */
const ofLibrary: Readonly<Record<Era["kind"], ReadonlyMap<string, Method>>> = {
  modern: new Map(libraryShared),
  legacy: new Map([
    ...libraryShared,
    ["resources/subscribe", useLibrary],
    ["resources/unsubscribe", useLibrary],
  ]),
};

/** Methods of each era. A method that is not listed is not offered, and no capability claims it. */
const methods: Readonly<Record<Era["kind"], ReadonlyMap<string, Method>>> = {
  modern: new Map([...shared, ["server/discover", discover], ["subscriptions/listen", listen]]),
  legacy: new Map([
    ...shared,
    ["initialize", initialize],
    ["ping", () => ({})],
    ["logging/setLevel", setLevel],
  ]),
};

/** Lists and contents, which a client may cache. */
const cached: ReadonlySet<string> = new Set(libraryMethods.slice(0, 4));
/** Of a method that does not exist, in an answer. */
const maxMethodChars = 100;
const defaultListTtlMs = 60_000;

export function resultOf(running: Running): Promise<Result> | Result {
  const { era, request, server } = running;
  const more = server.options.library === undefined ? undefined : ofLibrary[era.kind];
  const method = methods[era.kind].get(request.method) ?? more?.get(request.method);
  if (method === undefined) {
    const known = [...methods[era.kind].keys(), ...(more?.keys() ?? [])].join(", ");
    throw new RpcError(
      "methodNotFound",
      `Method not found: ${request.method.slice(0, maxMethodChars)}. Use one of ${known}.`,
    );
  }
  return method(running);
}

export function serverInfo({ options: { name, version } }: ServerSide): Result {
  return { name, version };
}

async function list({ server, request, era }: Running): Promise<Result> {
  if (request.params["cursor"] !== undefined) {
    throw new RpcError("invalidParams", "The list of tools has one page; there is no cursor.");
  }
  const tools = await listTools(server.toolkit, era, server.options.tools);
  return era.kind === "modern" ? { tools, ...cacheHints(server) } : { tools };
}

async function call({ server, request, era, signal, direct }: Running): Promise<Result> {
  // Modules that only calls need are loaded by the first call, after the list was sent.
  const { callTool } = await import("../tools/call-tool.ts");
  return callTool(request.params, { server, era, signal, direct });
}

async function useLibrary(running: Running): Promise<Result> {
  const { server, era, request } = running;
  server.memory.library ??= server.options.library?.(server.options.sessionId);
  const [{ libraryResult }, library] = await Promise.all([
    import("../library/library-methods.ts"),
    server.memory.library,
  ]);
  if (library === undefined) throw new RpcError("methodNotFound", "There are no resources.");
  const result = await libraryResult(running, library);
  return era.kind === "modern" && cached.has(request.method)
    ? { ...result, ...cacheHints(server) }
    : result;
}

/** Capabilities of the server in an era. */
function capabilitiesOf({ options }: ServerSide, era: Era["kind"]): Result {
  const tools = { tools: { listChanged: true } };
  if (options.library === undefined) return tools;
  const resources = era === "legacy" ? { subscribe: true } : {};
  return { ...tools, resources, prompts: {}, completions: {} };
}

function discover({ server }: Running): Result {
  const capabilities = capabilitiesOf(server, "modern");
  return { supportedVersions, capabilities, ...guidance(server), ...cacheHints(server) };
}

/** Stays open until the client cancels it, which has no response, or the server ends. */
function listen({ server, request, signal }: Running): Promise<Result> {
  const wanted = request.params["notifications"];
  if (!isRecord(wanted)) {
    throw new RpcError("invalidParams", "subscriptions/listen needs notifications.");
  }
  const { channel, toolkit } = server;
  const meta = { [metaKeys.subscriptionId]: request.id };
  const hearsTools = wanted["toolsListChanged"] === true;
  channel.send({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { _meta: meta, notifications: hearsTools ? { toolsListChanged: true } : {} },
  });
  const announce = (): void =>
    channel.send({
      jsonrpc: "2.0",
      method: "notifications/tools/list_changed",
      params: { _meta: meta },
    });
  const stop = hearsTools ? watchTools(toolkit, announce) : undefined;
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      stop?.();
      resolve({ _meta: meta });
    });
  });
}

function initialize({ server, request }: Running): Result {
  const { protocolVersion, capabilities: offered } = request.params;
  server.state.agreed = negotiate(protocolVersion);
  server.state.capabilities = isRecord(offered) ? offered : {};
  return {
    protocolVersion: server.state.agreed,
    capabilities: { ...capabilitiesOf(server, "legacy"), logging: {} },
    serverInfo: serverInfo(server),
    ...guidance(server),
  };
}

async function setLevel({ server, request }: Running): Promise<Result> {
  const { readLogLevel } = await import("./log-messages.ts");
  server.state.logLevel = readLogLevel(request.params["level"]);
  return {};
}

function guidance({ options: { instructions } }: ServerSide): Result {
  return instructions === undefined ? {} : { instructions };
}

/** Cache hints. Private, because the user's own settings determine which tools are offered. */
function cacheHints({ options }: ServerSide): Result {
  return { ttlMs: options.listTtlMs ?? defaultListTtlMs, cacheScope: "private" };
}
