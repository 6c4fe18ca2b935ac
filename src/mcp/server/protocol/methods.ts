import { isRecord } from "../../../text/index.ts";
import { modernTasks, skillsExtension } from "./client-capabilities.ts";
import { RpcError } from "./json-rpc.ts";
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
  "skills/list",
  "skills/get",
  "resources/directory/read",
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

const taskMethods = ["tasks/get", "tasks/cancel"] as const;

/** Methods of a server that offers tasks. */
const ofTasks: Readonly<Record<Era["kind"], ReadonlyMap<string, Method>>> = {
  modern: new Map([...taskMethods, "tasks/update"].map((name) => [name, useTasks])),
  legacy: new Map([...taskMethods, "tasks/result", "tasks/list"].map((name) => [name, useTasks])),
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
const cached: ReadonlySet<string> = new Set(libraryMethods.slice(0, 7));
/** Of a method that does not exist, in an answer. */
const maxMethodChars = 100;
const defaultListTtlMs = 60_000;

export function resultOf(running: Running): Promise<Result> | Result {
  const { era, request, server } = running;
  const { library } = server.options;
  const offered = [
    methods[era.kind],
    ...(library === undefined ? [] : [ofLibrary[era.kind]]),
    ...(offersTasks(server, era) ? [ofTasks[era.kind]] : []),
  ];
  const method = offered.find((each) => each.has(request.method))?.get(request.method);
  if (method === undefined) {
    const known = offered.flatMap((each) => [...each.keys()]).join(", ");
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
  const tools = await listTools(server.toolkit, era, server.options);
  return era.kind === "modern" ? { tools, ...cacheHints(server) } : { tools };
}

async function call(running: Running): Promise<Result> {
  const { server, request, era } = running;
  const { name } = request.params;
  const support =
    typeof name === "string" && offersTasks(server, era)
      ? server.options.tasks?.support({ name })
      : undefined;
  // Modules that only calls need are loaded by the first call, after the list was sent.
  if (support !== undefined) {
    const { callAsTask } = await import("../tasks/call-as-task.ts");
    return await callAsTask(running, support);
  }
  const { callTool } = await import("../tools/call-tool.ts");
  return await callTool(request.params, running);
}

async function useTasks(running: Running): Promise<Result> {
  const { taskResult } = await import("../tasks/task-methods.ts");
  return await taskResult(running);
}

/** Whether clients of this era can use tasks, which came with 2025-11-25. */
function offersTasks({ options }: ServerSide, era: Era): boolean {
  return options.tasks !== undefined && (era.kind === "modern" || era.version >= "2025-11-25");
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
function capabilitiesOf(server: ServerSide, era: Era): Result {
  const isLegacy = era.kind === "legacy";
  const hasLibrary = server.options.library !== undefined;
  const hasTasks = offersTasks(server, era);
  const resources = isLegacy ? { subscribe: true } : {};
  const extensions = {
    ...(hasLibrary ? { [skillsExtension]: { directoryRead: true } } : {}),
    ...(hasTasks && !isLegacy ? { [modernTasks]: {} } : {}),
  };
  return {
    tools: { listChanged: true },
    ...(hasLibrary ? { resources, prompts: {}, completions: {} } : {}),
    ...(hasTasks && isLegacy ? legacyTasks : {}),
    ...(Object.keys(extensions).length === 0 ? {} : { extensions }),
  };
}

const legacyTasks = { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

function discover({ server }: Running): Result {
  const capabilities = capabilitiesOf(server, { kind: "modern" });
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
  const version = negotiate(protocolVersion);
  server.state.agreed = version;
  server.state.capabilities = isRecord(offered) ? offered : {};
  return {
    protocolVersion: version,
    capabilities: { ...capabilitiesOf(server, { kind: "legacy", version }), logging: {} },
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
