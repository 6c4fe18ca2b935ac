import { client, ToolError } from "../../../core/index.ts";
import { isRecord, visibleName } from "../../../text/index.ts";
import { RpcError } from "../protocol/json-rpc.ts";
import type { Result, Running } from "../protocol/server-context.ts";
import { openCallClient } from "../tools/call-client.ts";
import type { McpLibrary } from "./library.ts";

type Params = Readonly<Record<string, unknown>>;

/** Maximum number of values that a completion has, as the protocol says. */
const maxValues = 100;
/** Maximum number of resources that one client watches. */
const maxWatched = 100;

/** Handles the methods of resources, prompts and completion. */
export async function libraryResult(running: Running, library: McpLibrary): Promise<Result> {
  const { request } = running;
  const { params } = request;
  try {
    switch (request.method) {
      case "resources/list":
        refuseCursor(params);
        return { resources: await library.resources() };
      case "resources/templates/list":
        refuseCursor(params);
        return { resourceTemplates: library.templates };
      case "resources/read":
        return await read(library, params);
      case "resources/subscribe":
        return watch(running, library, params);
      case "resources/unsubscribe": {
        const uri = textOf(params, "uri");
        running.server.state.watched?.get(uri)?.();
        running.server.state.watched?.delete(uri);
        return {};
      }
      case "skills/list":
        refuseCursor(params);
        return { skills: (await library.skills?.()) ?? [] };
      case "skills/get":
        return await getSkill(library, params);
      case "resources/directory/read":
        refuseCursor(params);
        return await readDirectory(library, params);
      case "prompts/list":
        refuseCursor(params);
        return { prompts: await library.prompts() };
      case "prompts/get":
        return await getPrompt(running, library);
      default:
        return await complete(library, params);
    }
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    throw failure(error);
  }
}

async function read(library: McpLibrary, params: Params): Promise<Result> {
  const uri = textOf(params, "uri");
  const contents = await library.read(uri);
  if (contents !== undefined && contents.length > 0) return { contents };
  throw new RpcError("invalidParams", "Resource not found. Use one of resources/list.", { uri });
}

async function getSkill(library: McpLibrary, params: Params): Promise<Result> {
  const uri = textOf(params, "uri");
  const skill = (await library.skills?.())?.find((each) => each.uri === uri);
  if (skill !== undefined) return { skill };
  throw new RpcError("invalidParams", "There is no such skill. Use one of skills/list.", { uri });
}

/** Lists the children of a directory of a skill; no other resource has directories. */
async function readDirectory(library: McpLibrary, params: Params): Promise<Result> {
  const uri = textOf(params, "uri");
  const base = uri.endsWith("/") ? uri : `${uri}/`;
  const files = ((await library.skills?.()) ?? []).flatMap(({ resources }) => resources);
  const below = files.filter((file) => file.uri.startsWith(base));
  if (below.length === 0 || !below.some((file) => file.uri.length > base.length)) {
    const why = "There is no such directory. Use that of a skill in skills/list.";
    throw new RpcError("invalidParams", why, { uri });
  }
  const children = new Map(
    below.map(({ uri: file, size }) => {
      const [name = "", ...rest] = file.slice(base.length).split("/");
      const child = { uri: `${base}${name}`, name: decodeURIComponent(name) };
      const isDirectory = rest.length > 0;
      return [name, isDirectory ? { ...child, mimeType: directoryType } : { ...child, size }];
    }),
  );
  return { resources: [...children.values()] };
}

const directoryType = "inode/directory";

/** Notes that a client wants to know when a resource changes. */
function watch({ server, direct }: Running, library: McpLibrary, params: Params): Result {
  const uri = textOf(params, "uri");
  const { state, session = direct } = server;
  state.watched ??= new Map();
  if (state.watched.has(uri)) return {};
  if (state.watched.size >= maxWatched) {
    throw new RpcError("serverBusy", `A client may watch ${maxWatched} resources.`);
  }
  const announce = (): void =>
    session.send({
      jsonrpc: "2.0",
      method: "notifications/resources/updated",
      params: { uri },
    });
  state.watched.set(uri, library.watch?.(uri, announce) ?? (() => undefined));
  return {};
}

async function getPrompt(running: Running, library: McpLibrary): Promise<Result> {
  const { server, request, era, signal, direct } = running;
  const { params } = request;
  const name = textOf(params, "name");
  const given = params["arguments"] ?? {};
  if (!isRecord(given) || !Object.values(given).every((value) => typeof value === "string")) {
    throw new RpcError("invalidParams", "arguments must be an object of texts.");
  }
  const asked = await openCallClient({ server, params, era, signal, direct, onWaiting: silent });
  const port = asked.services.get(client);
  if (port === undefined) throw new RpcError("internalError", "The client has no port.");
  try {
    const sessionId = server.options.sessionId;
    const values: Readonly<Record<string, string>> = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, String(value)]),
    );
    const onAsk = asked.onAsk ?? server.toolkit.onAsk;
    const text = await library.prompt({
      name,
      arguments: values,
      client: port,
      signal,
      sessionId,
      onAsk,
    });
    if (text !== undefined) return { ...text };
    throw new RpcError(
      "invalidParams",
      `There is no prompt ${visibleName(name)}. Use one of prompts/list.`,
    );
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const instead = asked.instead({ isError: true, error });
    if (instead !== undefined) return instead;
    throw error;
  } finally {
    asked.end();
  }
}

/** A prompt has no progress to report while its question is open. */
const silent = (): void => undefined;

async function complete(library: McpLibrary, params: Params): Promise<Result> {
  const { ref, argument } = params;
  if (!isRecord(ref) || !isRecord(argument)) {
    throw new RpcError("invalidParams", "completion/complete needs ref and argument.");
  }
  const variable = textOf(argument, "name");
  const start = textOf(argument, "value");
  const of =
    ref["type"] === "ref/prompt"
      ? { prompt: textOf(ref, "name") }
      : { template: textOf(ref, "uri") };
  const values = await library.complete(of, variable, start);
  return {
    completion: {
      values: values.slice(0, maxValues),
      total: values.length,
      hasMore: values.length > maxValues,
    },
  };
}

function failure({ message, hint, code }: ToolError): RpcError {
  const text = hint === undefined ? message : `${message} ${hint}`;
  return new RpcError("invalidParams", text, { code });
}

function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value === "string") return value;
  throw new RpcError("invalidParams", `${name} must be a text.`);
}

function refuseCursor({ cursor }: Params): void {
  if (cursor === undefined) return;
  throw new RpcError("invalidParams", "The list has one page; there is no cursor.");
}
