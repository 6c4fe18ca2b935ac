import { isRecord, visibleText } from "../../../text/index.ts";
import type { McpTransport } from "../../server/transport/in-process.ts";
import { serverId, sha256 } from "../definitions/tool-name.ts";
import { stableJson } from "../definitions/tool-definition.ts";

/** How a server is reached. */
export type ServerAddress =
  | {
      readonly kind: "stdio";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Directory in which it starts, absolute. */
      readonly cwd: string;
    }
  | {
      readonly kind: "http" | "sse";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth?: OAuthSettings;
    }
  | {
      /** A transport that the program registered. */
      readonly kind: "custom";
      readonly transport: string;
      readonly entry: Readonly<Record<string, unknown>>;
    }
  | {
      /** A server of the program, in this process. */
      readonly kind: "in-process";
      readonly connect: (transport: McpTransport) => Promise<void>;
    };

/** How the user logs in to a server, where it does not say everything itself. */
export interface OAuthSettings {
  /** Client that is registered with the authorization server; by default haft registers itself. */
  readonly clientId?: string;
  /** Sent only to `issuer`, or to an authorization server of the server's own origin. */
  readonly clientSecret?: string;
  /** Address of a document that describes the client, for authorization servers that read it. */
  readonly clientMetadataUrl?: string;
  readonly scopes?: readonly string[];
  /** Port of this machine that the login leads back to; default: a free one. */
  readonly redirectPort?: number;
  /** Authorization server, which may have a private address. */
  readonly issuer?: string;
}

/** A server, ready to be reached. */
export interface ServerConfig {
  /** Name in the settings. */
  readonly name: string;
  /** Name in tool names and rules. */
  readonly id: string;
  readonly address: ServerAddress;
  /** Milliseconds without an answer or progress after which a call fails. */
  readonly callTimeoutMs: number;
  /** Milliseconds in which it has to start, to agree on a protocol and to give each of its lists. */
  readonly startTimeoutMs: number;
  /** Whether its tools are offered without a search. */
  readonly isDirect: boolean;
  /** Called before it is reached; a rejection is its failure. */
  readonly verify?: (() => Promise<void>) | undefined;
  /** Hash of how it is reached: servers with the same hash are one. */
  readonly hash: string;
  /** Hash of its name and address, by which the user's login is stored: other headers are no other login. */
  readonly loginKey: string;
}

export interface ReadServerOptions {
  readonly name: string;
  readonly entry: Readonly<Record<string, unknown>>;
  readonly isDirect: boolean;
  readonly verify?: (() => Promise<void>) | undefined;
  /** Directory in which servers start, and against which their directories are resolved. */
  readonly workspace: string;
  readonly home: string;
  readonly variable: (name: string) => string | undefined;
  /** Kinds of transports that the program registered. */
  readonly transports?: readonly string[];
}

/** Kinds of transports that need no registration. */
const builtInTypes: ReadonlySet<string> = new Set(["stdio", "http", "sse"]);

/** Milliseconds without an answer or progress after which a call fails. */
const defaultCallTimeoutMs = 60_000;
/** Milliseconds to start: `npx` may have to download the program first. */
const defaultStartTimeoutMs = 30_000;

/** A server's definition, or the reason for which it cannot be used, as a sentence. */
export type ReadServer =
  | { readonly kind: "server"; readonly config: ServerConfig }
  | { readonly kind: "off" }
  | { readonly kind: "invalid"; readonly why: string; readonly hint: string };

/** Reads one server of the settings. `${NAME}` and `${NAME:-default}` stand for environment variables. */
export function readServer(options: ReadServerOptions): ReadServer {
  const { name, entry, isDirect, verify } = options;
  if (entry["disabled"] === true || entry["enabled"] === false) return { kind: "off" };
  const missing = new Set<string>();
  const expand = (text: string): string => expanded(text, options.variable, missing);
  const address = addressOf(options, expand);
  const { type } = entry;
  if (typeof address === "string" && typeof type === "string" && !builtInTypes.has(type)) {
    const kind = JSON.stringify(visibleText(type.slice(0, 64)));
    return {
      kind: "invalid",
      why: `No transport is registered for the type ${kind}.`,
      hint: 'Use "http" or "sse", or register the transport with kit.registerMcpTransport.',
    };
  }
  if (typeof address === "string") {
    return { kind: "invalid", why: address, hint: 'Write { "command": "…" } or { "url": "…" }.' };
  }
  if (missing.size > 0) {
    const names = [...missing].join(", ");
    return {
      kind: "invalid",
      why: `The environment has no ${names}.`,
      hint: `Set ${names}, or write a default as in \${NAME:-default}.`,
    };
  }
  const timeouts = {
    callTimeoutMs: positive(entry["timeout"]) ?? defaultCallTimeoutMs,
    startTimeoutMs: positive(entry["startTimeout"]) ?? defaultStartTimeoutMs,
  };
  const hash = sha256(stableJson({ name, address }));
  const loginKey = sha256(stableJson({ name, url: "url" in address ? address.url : "" }));
  const id = serverId(name);
  const config = { name, id, address, ...timeouts, isDirect, verify, hash, loginKey };
  return { kind: "server", config };
}

function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

/** Configuration of a server that the program provides in this process. */
export function providerConfig(
  name: string,
  connect: (transport: McpTransport) => Promise<void>,
): ServerConfig {
  const hash = sha256(stableJson({ provider: name }));
  return {
    name,
    id: serverId(name),
    address: { kind: "in-process", connect },
    callTimeoutMs: defaultCallTimeoutMs,
    startTimeoutMs: defaultStartTimeoutMs,
    isDirect: false,
    hash,
    loginKey: hash,
  };
}

function addressOf(
  { entry, workspace, home, transports = [] }: ReadServerOptions,
  expand: (text: string) => string,
): ServerAddress | string {
  const { type, command, cwd } = entry;
  if (typeof type === "string" && transports.includes(type)) {
    const ready = expandAll(entry, expand);
    return { kind: "custom", transport: type, entry: isRecord(ready) ? ready : {} };
  }
  const url = entry["url"] ?? entry["httpUrl"];
  if (typeof command === "string" && command !== "") {
    const args = Array.isArray(entry["args"]) ? entry["args"] : [];
    const directory = typeof cwd === "string" ? expand(cwd) : workspace;
    return {
      kind: "stdio",
      command: expand(command),
      args: args.map((each) => expand(String(each))),
      env: texts(entry["env"], expand),
      cwd: absolute(directory, { workspace, home }),
    };
  }
  if (typeof url === "string") {
    const address = expand(url);
    if (!/^https?:\/\//u.test(address) || !URL.canParse(address)) {
      return "Its address is not one of http or https.";
    }
    const kind = type === "sse" ? "sse" : "http";
    const headers = texts(entry["headers"], expand);
    const oauth = readOAuth(entry["oauth"], expand);
    if (typeof oauth === "string") return oauth;
    return { kind, url: address, headers, ...(oauth === undefined ? {} : { oauth }) };
  }
  return "It has neither a command nor a url.";
}

/** Reads the settings of a login, or says why they cannot be used. */
function readOAuth(
  given: unknown,
  expand: (text: string) => string,
): OAuthSettings | string | undefined {
  if (given === undefined) return undefined;
  if (!isRecord(given)) return "Its oauth is not an object.";
  const text = (key: string): string | undefined => {
    const value = given[key];
    return typeof value === "string" && value !== "" ? expand(value) : undefined;
  };
  const { scopes, redirectPort } = given;
  const issuer = text("issuer");
  const clientMetadataUrl = text("clientMetadataUrl");
  for (const each of [issuer, clientMetadataUrl]) {
    if (each !== undefined && (!URL.canParse(each) || !/^https?:/u.test(each))) {
      return "Its oauth has an address that is not one of http or https.";
    }
  }
  const isPort = typeof redirectPort === "number" && redirectPort > 0 && redirectPort < 65_536;
  const clientId = text("clientId");
  const clientSecret = text("clientSecret");
  return {
    ...(clientId === undefined ? {} : { clientId }),
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    ...(Array.isArray(scopes) ? { scopes: scopes.map(String) } : {}),
    ...(isPort ? { redirectPort } : {}),
    ...(issuer === undefined ? {} : { issuer }),
  };
}

/** A value with the variables of its texts. Entries are small: their file is bounded. */
function expandAll(value: unknown, expand: (text: string) => string): unknown {
  if (typeof value === "string") return expand(value);
  if (Array.isArray(value)) return value.map((each) => expandAll(each, expand));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, expandAll(each, expand)]),
  );
}

function absolute(
  path: string,
  { workspace, home }: { readonly workspace: string; readonly home: string },
): string {
  if (path === "~" || path.startsWith("~/")) return `${home}${path.slice(1)}`;
  return path.startsWith("/") ? path : `${workspace}/${path}`;
}

function texts(value: unknown, expand: (text: string) => string): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, expand(String(each))]),
  );
}

function expanded(
  text: string,
  variable: (name: string) => string | undefined,
  missing: Set<string>,
): string {
  return text.replaceAll(/\$\{(\w+)(?::-([^}]*))?\}/gu, (_whole, name: string, other?: string) => {
    const value = variable(name) ?? other;
    if (value === undefined) missing.add(name);
    return value ?? "";
  });
}
