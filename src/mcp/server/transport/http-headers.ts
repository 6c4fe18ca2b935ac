import { isRecord } from "../../../text/index.ts";
import { isLegacyVersion, metaKeys, metaOf } from "../protocol/versions.ts";

type Message = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Methods whose header names what they are about, with the parameter that it repeats. */
const named: ReadonlyMap<string, string> = new Map([
  ["tools/call", "name"],
  ["prompts/get", "name"],
  ["resources/read", "uri"],
  ["tasks/get", "taskId"],
  ["tasks/update", "taskId"],
  ["tasks/cancel", "taskId"],
]);

/** Whether a message belongs to the revisions without sessions: it names one of them, in its header or itself. */
export function isModernMessage(headers: Headers, message: Message): boolean {
  const version = headerOf(headers, "mcp-protocol-version");
  return (
    declaredVersion(message) !== undefined || (version !== undefined && !isLegacyVersion(version))
  );
}

/**
 * Contradiction between the headers of a request and its message, in a sentence. Proxies decide by the headers, so a
 * message that does something else than they say is refused.
 */
export function headerMismatch(headers: Headers, message: Message): string | undefined {
  const params = paramsOf(message);
  const method = String(message["method"]);
  const declared = declaredVersion(message);
  const due: [header: string, expected: unknown][] = [["mcp-method", message["method"]]];
  // A message without the version is refused for that, by the protocol.
  if (declared !== undefined) due.push(["mcp-protocol-version", declared]);
  const about = named.get(method);
  if (about !== undefined) due.push(["mcp-name", params[about]]);
  const wrong = due.find(([name, expected]) => decoded(headerOf(headers, name)) !== expected);
  return wrong === undefined ? undefined : `Header mismatch: ${wrong[0]} does not match the body.`;
}

/**
 * Contradiction between the parameters of a call and the headers that repeat them, as the schema of its tool asks for
 * with `x-mcp-header`.
 */
export function parameterMismatch(
  headers: Headers,
  schema: unknown,
  input: unknown,
): string | undefined {
  const properties = isRecord(schema) ? schema["properties"] : undefined;
  if (!isRecord(properties)) return undefined;
  for (const [parameter, property] of Object.entries(properties)) {
    const suffix = isRecord(property) ? property["x-mcp-header"] : undefined;
    if (typeof suffix !== "string") continue;
    const name = `mcp-param-${suffix.toLowerCase()}`;
    const value = isRecord(input) ? input[parameter] : undefined;
    const isPlain = ["string", "number", "boolean"].includes(typeof value);
    const expected = isPlain ? String(value) : undefined;
    if (decoded(headerOf(headers, name)) !== expected) {
      return `Header mismatch: ${name} does not match the argument ${parameter}.`;
    }
  }
  return undefined;
}

/** First value of a header. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function declaredVersion(message: Message): unknown {
  return metaOf(paramsOf(message))[metaKeys.protocolVersion];
}

function paramsOf({ params }: Message): Message {
  return isRecord(params) ? params : {};
}

/** Text of a header; what a header cannot hold is sent in base64. */
function decoded(value: string | undefined): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/u.exec(value ?? "")?.[1];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, "base64");
  // Node skips what is not base64.
  return bytes.toString("base64") === encoded ? bytes.toString("utf8") : undefined;
}
