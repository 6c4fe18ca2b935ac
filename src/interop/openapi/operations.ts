import { ToolError, type JsonSchema } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import { resolved, UnusablePart, type Members } from "./document.ts";
import { schemaReader, type SchemaReader } from "./json-schema.ts";

/** Methods of operations, in the order of the tools. */
const methods = ["get", "head", "options", "post", "put", "patch", "delete"] as const;

/** Where a parameter is sent. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** One parameter of an operation, and the key of the input that has its value. */
export interface Parameter {
  readonly key: string;
  readonly name: string;
  readonly place: ParameterPlace;
  readonly style: string;
  readonly explode: boolean;
  /** Whether the value is sent as JSON text. */
  readonly isJson: boolean;
}

/** An operation that can become a tool. */
export interface Operation {
  readonly id: string;
  readonly description: string;
  readonly method: string;
  readonly path: string;
  /** Address to which the path is added, without a slash at the end. */
  readonly base: string;
  readonly parameters: readonly Parameter[];
  /** Key of the JSON body in the input; undefined if there is none. */
  readonly bodyKey: string | undefined;
  readonly mediaType: string;
  readonly input: JsonSchema;
  readonly tags: readonly string[];
}

/** An operation that cannot, with the reason. */
export interface SkippedOperation {
  /** Method and path. */
  readonly operation: string;
  /** Reason, in a few words. */
  readonly reason: string;
}

/** Reads the operations of a document. One that cannot be used is listed with the reason; the others are not affected. */
export function operationsOf(
  document: Members,
  baseUrl: string | undefined,
): { readonly operations: readonly Operation[]; readonly skipped: readonly SkippedOperation[] } {
  const operations: Operation[] = [];
  const skipped: SkippedOperation[] = [];
  for (const [path, given] of Object.entries(
    isRecord(document["paths"]) ? document["paths"] : {},
  )) {
    if (path.startsWith("x-")) continue;
    for (const method of methods) {
      try {
        const item = resolved(document, given);
        if (item[method] === undefined) continue;
        const source = { document, item, path, method, baseUrl };
        operations.push(operationOf(source, resolved(document, item[method])));
      } catch (error) {
        if (!(error instanceof UnusablePart)) throw error;
        skipped.push({ operation: `${method.toUpperCase()} ${path}`, reason: error.message });
      }
    }
  }
  return { operations, skipped };
}

interface Source {
  readonly document: Members;
  readonly item: Members;
  readonly path: string;
  readonly method: string;
  readonly baseUrl: string | undefined;
}

function operationOf(source: Source, operation: Members): Operation {
  const { document, item, path, method } = source;
  const reader = schemaReader(document);
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const parameters: Parameter[] = [];
  const add = (
    parameter: Omit<Parameter, "key">,
    schema: JsonSchema,
    isRequired: boolean,
  ): void => {
    const key = Object.hasOwn(properties, parameter.name)
      ? `${parameter.place}_${parameter.name}`
      : parameter.name;
    properties[key] = schema;
    if (isRequired) required.push(key);
    parameters.push({ ...parameter, key });
  };
  for (const given of parametersOf(document, item, operation)) addParameter(given, reader, add);
  for (const [, name = ""] of path.matchAll(/\{([^{}]+)\}/gu)) {
    if (parameters.some((each) => each.place === "path" && each.name === name)) continue;
    add(
      { name, place: "path", style: "simple", explode: false, isJson: false },
      { type: "string" },
      true,
    );
  }
  const body = bodyOf(document, operation, reader);
  let bodyKey: string | undefined;
  if (body !== undefined) {
    bodyKey = Object.hasOwn(properties, "body") ? "request_body" : "body";
    properties[bodyKey] = body.schema;
    if (body.isRequired) required.push(bodyKey);
  }
  const { operationId, summary, description, tags } = operation;
  const definitions = reader.definitions();
  return {
    id: typeof operationId === "string" && operationId !== "" ? operationId : `${method}${path}`,
    description:
      [summary, description].filter(isText).join("\n\n") || `${method.toUpperCase()} ${path}`,
    method: method.toUpperCase(),
    path,
    base: baseOf(source, operation),
    parameters,
    bodyKey,
    mediaType: body?.mediaType ?? "application/json",
    input: {
      type: "object",
      properties,
      required,
      ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
    },
    tags: Array.isArray(tags) ? tags.filter(isText) : [],
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** Parameters of the path and of the operation, which replaces those of the same name and place. */
function parametersOf(document: Members, item: Members, operation: Members): readonly Members[] {
  const found = new Map<string, Members>();
  for (const list of [item["parameters"], operation["parameters"]]) {
    for (const given of Array.isArray(list) ? list : []) {
      const parameter = resolved(document, given);
      found.set(`${String(parameter["in"])} ${String(parameter["name"])}`, parameter);
    }
  }
  return [...found.values()];
}

/** Headers that the request itself decides; the specification ignores parameters for them. */
const ownHeaders = new Set(["accept", "content-type", "authorization"]);

function addParameter(
  parameter: Members,
  reader: SchemaReader,
  add: (parameter: Omit<Parameter, "key">, schema: JsonSchema, isRequired: boolean) => void,
): void {
  const { name, in: place, required, schema, content, style, explode, description } = parameter;
  if (typeof name !== "string" || !isPlace(place)) {
    throw new UnusablePart("a parameter has no name or no known place");
  }
  if (place === "header" && ownHeaders.has(name.toLowerCase())) return;
  const [inner] = isRecord(content) ? Object.values(content) : [];
  const isJson = isRecord(inner);
  const type = reader.read(isJson ? inner["schema"] : schema);
  const used = typeof style === "string" ? style : usualStyle(place);
  add(
    {
      name,
      place,
      style: used,
      explode: typeof explode === "boolean" ? explode : used === "form",
      isJson,
    },
    isText(description) && type["$ref"] === undefined ? { description, ...type } : type,
    required === true || place === "path",
  );
}

function usualStyle(place: ParameterPlace): string {
  return place === "query" || place === "cookie" ? "form" : "simple";
}

function isPlace(value: unknown): value is ParameterPlace {
  return value === "path" || value === "query" || value === "header" || value === "cookie";
}

function bodyOf(
  document: Members,
  operation: Members,
  reader: SchemaReader,
):
  | { readonly schema: JsonSchema; readonly isRequired: boolean; readonly mediaType: string }
  | undefined {
  if (operation["requestBody"] === undefined) return undefined;
  const { content, required } = resolved(document, operation["requestBody"]);
  const types = isRecord(content) ? Object.entries(content) : [];
  const json = types.find(([type]) => /^application\/(?:[\w.+-]+\+)?json\b/iu.test(type));
  if (json === undefined) {
    const names = types.map(([type]) => type).join(", ") || "nothing";
    // Without a body that haft can send, an optional one is omitted.
    if (required !== true) return undefined;
    throw new UnusablePart(`it needs a body of ${names}; only JSON is supported`);
  }
  const [mediaType, media] = json;
  const schema = isRecord(media) ? reader.read(media["schema"]) : {};
  return { schema, isRequired: required === true, mediaType };
}

/** Base address of an operation: the option, or the first server of the operation, the path or the document. */
function baseOf({ document, item, baseUrl }: Source, operation: Members): string {
  const found = baseUrl ?? [operation, item, document].map(serverOf).find(isText);
  const url = found !== undefined && URL.canParse(found) ? new URL(found) : undefined;
  if (found === undefined || url === undefined || !/^https?:$/u.test(url.protocol)) {
    const why = found === undefined ? "names no server" : `names the server ${found.slice(0, 200)}`;
    throw new ToolError(
      "INVALID_INPUT",
      `The OpenAPI document ${why}, which is not an absolute address.`,
      {
        hint: "Pass the address of the server as baseUrl.",
      },
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ToolError("INVALID_INPUT", "The address of the server contains credentials.", {
      hint: "Pass them in headers.",
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, "")}`;
}

function serverOf({ servers }: Members): string | undefined {
  const server: unknown = Array.isArray(servers) ? servers[0] : undefined;
  if (!isRecord(server) || !isText(server["url"])) return undefined;
  const variables = isRecord(server["variables"]) ? server["variables"] : {};
  return server["url"].replaceAll(/\{([^{}]+)\}/gu, (whole, name: string) => {
    const variable = variables[name];
    return isRecord(variable) && isText(variable["default"]) ? variable["default"] : whole;
  });
}
