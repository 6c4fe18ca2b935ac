import { ToolError, type HostRequest } from "../../core/index.ts";
import { isRecord } from "../../text/index.ts";
import type { Operation, Parameter } from "./operations.ts";

type Input = Readonly<Record<string, unknown>>;

/** Builds the request of an operation for an input that fits its schema. */
export function requestFor(
  operation: Operation,
  input: Input,
  headers: Readonly<Record<string, string>>,
): HostRequest {
  const url = addressOf(operation, input);
  const sent: Record<string, string> = { accept: "application/json, */*;q=0.5" };
  const cookies: string[] = [];
  for (const parameter of operation.parameters) {
    const value = input[parameter.key];
    if (value === undefined) continue;
    if (parameter.place === "header")
      sent[parameter.name.toLowerCase()] = headerText(parameter, value);
    if (parameter.place === "cookie") {
      cookies.push(`${parameter.name}=${encodeURIComponent(joined(parameter, value))}`);
    }
  }
  if (cookies.length > 0) sent["cookie"] = cookies.join("; ");
  // The user's own headers, such as a key, are never replaced by a model.
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value;
  const body = operation.bodyKey === undefined ? undefined : input[operation.bodyKey];
  if (body === undefined) return { url, method: operation.method, headers: sent };
  sent["content-type"] = operation.mediaType;
  return { url, method: operation.method, headers: sent, body: JSON.stringify(body) };
}

/** Address of a call, with the values of path and query. */
export function addressOf({ base, path, parameters }: Operation, input: Input): string {
  const filled = path.replaceAll(/\{([^{}]+)\}/gu, (_whole, name: string) => {
    const parameter = parameters.find((each) => each.place === "path" && each.name === name);
    const value = parameter === undefined ? undefined : joined(parameter, input[parameter.key]);
    // An empty part would lead to another path of the server.
    if (value === undefined || value === "") throw notInPath(value, name);
    return encodeURIComponent(value);
  });
  // So would a dotted one, also where it is made of several values, or of a value and text of the document.
  const dotted = filled.split("/").find((part) => /^(?:\.|%2e){1,2}$/iu.test(part));
  if (dotted !== undefined) throw notInPath(dotted, "the parameters of the path");
  const query = parameters
    .filter(({ place }) => place === "query")
    .flatMap((parameter) => queryParts(parameter, input[parameter.key]));
  return `${base}${filled}${query.length === 0 ? "" : `?${query.join("&")}`}`;
}

function notInPath(value: string | undefined, name: string): ToolError {
  return new ToolError("INVALID_INPUT", `${JSON.stringify(value)} cannot be part of a path.`, {
    hint: `Give ${name} another value.`,
  });
}

function queryParts(parameter: Parameter, value: unknown): readonly string[] {
  const { name, style, explode, isJson } = parameter;
  if (value === undefined) return [];
  if (isJson) return [pair(name, JSON.stringify(value))];
  if (Array.isArray(value)) {
    if (explode) return value.map((each) => pair(name, textOf(each)));
    const separator = separators.get(style) ?? ",";
    return [
      `${encodeURIComponent(name)}=${value.map((each) => encodeURIComponent(textOf(each))).join(separator)}`,
    ];
  }
  if (!isRecord(value)) return [pair(name, textOf(value))];
  const entries = Object.entries(value);
  if (style === "deepObject") {
    return entries.map(([key, each]) => pair(`${name}[${key}]`, textOf(each)));
  }
  if (explode) return entries.map(([key, each]) => pair(key, textOf(each)));
  return [pair(name, entries.flatMap(([key, each]) => [key, textOf(each)]).join(","))];
}

const separators: ReadonlyMap<string, string> = new Map([
  ["spaceDelimited", "%20"],
  ["pipeDelimited", "%7C"],
]);

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

function joined({ isJson, explode }: Parameter, value: unknown): string {
  if (isJson) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map(textOf).join(",");
  if (!isRecord(value)) return textOf(value);
  return Object.entries(value)
    .map(([key, each]) => (explode ? `${key}=${textOf(each)}` : `${key},${textOf(each)}`))
    .join(",");
}

/** A line break would start another header. */
function headerText(parameter: Parameter, value: unknown): string {
  const text = joined(parameter, value);
  if (/[\r\n\0]/u.test(text)) {
    throw new ToolError("INVALID_INPUT", `${parameter.name} contains a line break.`, {
      hint: "Send it without line breaks.",
    });
  }
  return text;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}
