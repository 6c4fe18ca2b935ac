import {
  defineTool,
  ToolError,
  type Effect,
  type HostResponse,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { toolNameFrom } from "../incoming/imported-tool.ts";
import { readDocument } from "./document.ts";
import { operationsOf, type Operation, type SkippedOperation } from "./operations.ts";
import { requestFor } from "./request.ts";

export type { SkippedOperation } from "./operations.ts";

/** Options of `fromOpenAPI`. */
export interface OpenAPIOptions {
  /** Address of the server. Default: the first one that the document names. */
  readonly baseUrl?: string;
  /** Headers of every request, such as `authorization`. A model neither sees nor replaces them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Operations to include, by `operationId`, or by method and path as in `get/users`. Default: all. */
  readonly operations?: readonly string[];
  /** Text before each tool's name, such as `github_`. */
  readonly prefix?: string;
}

/** Tools of an OpenAPI document. */
export interface OpenAPITools {
  /** One tool an operation, in the order of the document. */
  readonly tools: readonly Tool[];
  /** Operations that cannot become tools, with the reason. */
  readonly skipped: readonly SkippedOperation[];
}

/**
 * Makes a tool of each operation of an OpenAPI 3 document, given parsed, as JSON or as YAML. A call connects to the
 * server and to nothing else; one with another method than GET, HEAD or OPTIONS has unknown effects there as well.
 * Parameters are keys of the input, a JSON body is the key `body`.
 *
 * @example
 * const { tools, skipped } = await fromOpenAPI(await readFile("openapi.yaml", "utf8"));
 * const kit = await createToolkit({ tools: { extra: tools } });
 * @throws ToolError INVALID_INPUT if it is not an OpenAPI 3 document or names no server.
 */
export async function fromOpenAPI(
  document: unknown,
  options: OpenAPIOptions = {},
): Promise<OpenAPITools> {
  const { operations, skipped } = operationsOf(await readDocument(document), options.baseUrl);
  const wanted = options.operations === undefined ? undefined : new Set(options.operations);
  const chosen = operations.filter(({ id }) => wanted?.delete(id) ?? true);
  if (wanted !== undefined && wanted.size > 0) {
    throw new ToolError(
      "INVALID_INPUT",
      `The document has no operation ${[...wanted].join(", ")}.`,
      {
        hint: "Use an operationId of the document.",
      },
    );
  }
  const names = new Set<string>();
  return { tools: chosen.map((each) => toolFor(each, options, names)), skipped };
}

function toolFor(operation: Operation, options: OpenAPIOptions, names: Set<string>): Tool {
  const { method, base, path, description, input, tags } = operation;
  const url = new URL(base);
  const port =
    url.port === "" ? usualPorts[url.protocol === "https:" ? "https:" : "http:"] : Number(url.port);
  const connect: Effect = { kind: "connect", host: url.hostname, port };
  const isSafe = safeMethods.has(method);
  const change: Effect = {
    kind: "unknown",
    because: `${method} may change data on ${url.host}`,
    origin: url.host,
  };
  return defineTool({
    name: uniqueName(`${options.prefix ?? ""}${operation.id}`, names),
    displayName: `${method} ${path}`,
    description,
    category: "openapi",
    tags,
    input,
    touches: isSafe ? ["connect"] : ["connect", "unknown"],
    effects: () => (isSafe ? [connect] : [connect, change]),
    signature: () => `${method} ${url.host}${path}`,
    run: async (given: unknown, context: ToolContext) => {
      const values = isRecord(given) ? given : {};
      const request = requestFor(operation, values, options.headers ?? {});
      const response = await context.host.net.fetch(request, { signal: context.signal });
      return await resultFrom(response, `${method} ${request.url}`);
    },
  });
}

const usualPorts = { "http:": 80, "https:": 443 } as const;
const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Name of a tool that no other has, whatever the casing. */
function uniqueName(wanted: string, names: Set<string>): string {
  const base = toolNameFrom(wanted.replaceAll(/[{}]/gu, "").replaceAll(/[/.]+/gu, "_"));
  let name = base;
  for (let count = 2; names.has(name.toLowerCase()); count += 1) {
    name = `${base.slice(0, 60)}_${count}`;
  }
  names.add(name.toLowerCase());
  return name;
}

/** Bytes of an answer that are read. */
const maxBytes = 5 * 1024 * 1024;

async function resultFrom(response: HostResponse, title: string): Promise<ToolResult> {
  const { status, headers } = response;
  const { bytes, isCut } = await bytesOf(response);
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const metadata = { status, contentType: type };
  const summary = `HTTP ${status}`;
  const isError = status < 200 || status > 299;
  if (!isError && type.startsWith("image/") && !isCut) {
    const data = Buffer.from(bytes).toString("base64");
    return { content: [{ type: "image", data, mimeType: type }], title, summary, metadata };
  }
  const text = bytes.includes(0)
    ? `[${bytes.length} bytes of ${type === "" ? "binary data" : type}]`
    : new TextDecoder().decode(bytes);
  const cut = isCut ? `\n(only the first ${maxBytes} bytes)` : "";
  if (isError) {
    const to = headers["location"];
    const where = to === undefined ? "" : ` (location: ${to})`;
    return { content: `HTTP ${status}${where}\n${text}${cut}`, title, summary, metadata, isError };
  }
  const said = text === "" ? `HTTP ${status}, without content` : `${text}${cut}`;
  const structured = /\bjson$/u.test(type) && !isCut ? parsed(text) : undefined;
  return {
    content: said,
    ...(isRecord(structured) ? { structuredContent: structured } : {}),
    title,
    summary,
    metadata,
  };
}

async function bytesOf(
  response: HostResponse,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body) {
    pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) break;
  }
  const bytes = Buffer.concat(pieces);
  return { bytes: bytes.subarray(0, maxBytes), isCut: length > maxBytes };
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
