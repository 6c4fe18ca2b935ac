import type * as Client from "@modelcontextprotocol/client";
import { ToolError, type HostClock } from "../../../core/index.ts";
import { messageOf, visibleText } from "../../../text/index.ts";
import type { ServerAddress, ServerConfig } from "../servers/server-config.ts";
import { authFetch, isSecure } from "./auth-fetch.ts";
import { listenForRedirect, type RedirectListener } from "./redirect-listener.ts";
import { withExpiry, type ServerLoginParts } from "./server-login.ts";
import type { LoginClient, LoginServer } from "./stored-logins.ts";

export interface LoginOptions {
  /** Shows the address at which the user logs in. */
  readonly onAddress: (address: string) => void;
  /** Authorization server that the user named; it may have a private address. */
  readonly issuer?: string | undefined;
  /** Takes addresses that the user copied from a browser on another machine. */
  readonly onListening?: (accept: (address: string) => boolean) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a login. */
export interface LoginResult {
  /** Authorization server that gave the tokens. */
  readonly issuer: string;
  /** Rights of the tokens; absent if the authorization server does not say. */
  readonly scope?: string;
}

export interface LoginParts extends ServerLoginParts {
  readonly config: ServerConfig;
  readonly clock: Pick<HostClock, "now" | "timer">;
}

/** Milliseconds that the user has for a login. */
const maxWaitMs = 10 * 60_000;

type Sdk = typeof Client;
type AuthorizationServerMetadata = Client.AuthorizationServerMetadata;
type Remote = Extract<ServerAddress, { readonly kind: "http" | "sse" }>;

/** Lets the user log in to a server in a browser, and stores the tokens. The tokens before are kept until then. */
export async function login(parts: LoginParts, options: LoginOptions): Promise<LoginResult> {
  const { config, store, clock, fetchFor } = parts;
  const { address } = config;
  if (address.kind !== "http" && address.kind !== "sse") {
    throw new ToolError(
      "INVALID_INPUT",
      `The MCP server ${visibleText(config.name)} is a program.`,
      {
        hint: "Only servers with an address have a login; give a program its keys with --env.",
      },
    );
  }
  const sdk = await import("@modelcontextprotocol/client");
  const issuer = options.issuer ?? address.oauth?.issuer;
  const allowed = [address.url, ...(issuer === undefined ? [] : [issuer])];
  const fetchFn = authFetch(fetchFor(allowed), allowed);
  const found = await discover(sdk, address, { fetchFn, issuer });
  const { metadata, resource } = found;
  const state = crypto.randomUUID();
  const listener = await listenForRedirect(state, address.oauth?.redirectPort);
  try {
    const earlier = await store.read(config.loginKey);
    const scope = scopeOf(sdk, { ...found, address, wanted: earlier?.scope });
    const client = await clientOf(sdk, { address, found, redirect: listener.url, scope, fetchFn });
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(found.issuer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: client,
      redirectUrl: listener.url,
      state,
      ...(scope === undefined ? {} : { scope }),
      ...(resource === undefined ? {} : { resource: new URL(resource) }),
    });
    if (resource !== undefined) authorizationUrl.searchParams.set("resource", resource);
    if (!isSecure(authorizationUrl)) throw refused(`${authorizationUrl.origin} is not encrypted`);
    options.onListening?.((copied) => listener.accept(copied));
    options.onAddress(authorizationUrl.href);
    const received = await answerOf(listener, clock, options.signal);
    const code = codeIn(sdk, received, metadata);
    const tokens = await sdk.exchangeAuthorization(found.issuer, {
      ...(metadata === undefined ? {} : { metadata }),
      clientInformation: client,
      authorizationCode: code,
      ...(received.has("iss") ? { iss: received.get("iss") ?? "" } : {}),
      codeVerifier,
      redirectUri: listener.url,
      ...(resource === undefined ? {} : { resource }),
      fetchFn,
    });
    const server: LoginServer = { issuer: found.issuer, metadata, resource, allowed, client };
    await store.exclusively(config.loginKey, async () => {
      await store.write(config.loginKey, { server, ...withExpiry(tokens, clock.now()) });
    });
    const granted = tokens.scope ?? scope;
    return { issuer: found.issuer, ...(granted === undefined ? {} : { scope: granted }) };
  } catch (error) {
    if (ToolError.is(error)) throw error;
    throw refused(messageOf(error), error);
  } finally {
    listener.close();
  }
}

type FetchFn = ReturnType<typeof authFetch>;

interface Discovered {
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata | undefined;
  readonly resource: string | undefined;
  readonly resourceScopes: readonly string[] | undefined;
  /** Scope of the server's own refusal, which takes precedence over its description. */
  readonly challengeScope: string | undefined;
}

/** Finds the authorization server, as the server itself names it. */
async function discover(
  sdk: Sdk,
  { url, oauth }: Remote,
  { fetchFn, issuer: named }: { readonly fetchFn: FetchFn; readonly issuer: string | undefined },
): Promise<Discovered> {
  const challenge = await challengeOf(sdk, url, fetchFn);
  const resourceMetadata = await describedResource(sdk, url, {
    fetchFn,
    at: challenge.resourceMetadataUrl,
  });
  const servers = resourceMetadata?.authorization_servers ?? [];
  const [first = new URL("/", url).href] = servers;
  const isNamed = (each: string): boolean =>
    named !== undefined && new URL(named).href === new URL(each).href;
  const chosen = servers.find(isNamed) ?? first;
  if (named !== undefined && !isNamed(chosen)) {
    throw refused(`the server names the authorization server ${chosen}, not ${named}`);
  }
  const isOwn = new URL(chosen).origin === new URL(url).origin;
  if (oauth?.clientSecret !== undefined && named === undefined && !isOwn) throw unnamed(chosen);
  const metadata = await sdk
    .discoverAuthorizationServerMetadata(chosen, { fetchFn })
    .catch((cause: unknown) => {
      throw ToolError.is(cause) && cause.code === "PERMISSION_DENIED"
        ? unreachable(chosen, cause)
        : refused(messageOf(cause), cause);
    });
  const resource = resourceMetadata?.resource;
  const requestedResource = sdk.resourceUrlFromServerUrl(url);
  if (
    resource !== undefined &&
    !sdk.checkResourceAllowed({ requestedResource, configuredResource: resource })
  ) {
    throw refused(`the server describes itself as ${resource}`);
  }
  return {
    issuer: metadata?.issuer ?? chosen,
    metadata,
    resource,
    resourceScopes: resourceMetadata?.scopes_supported,
    challengeScope: challenge.scope,
  };
}

/** The server's description of itself; undefined if it has none that can be used. */
async function describedResource(
  sdk: Sdk,
  url: string,
  { fetchFn, at }: { readonly fetchFn: FetchFn; readonly at: URL | undefined },
): Promise<Awaited<ReturnType<Sdk["discoverOAuthProtectedResourceMetadata"]>> | undefined> {
  const options = at === undefined ? {} : { resourceMetadataUrl: at };
  try {
    return await sdk.discoverOAuthProtectedResourceMetadata(url, options, fetchFn);
  } catch (error) {
    // Older servers have none, and are their own authorization server.
    if (!ToolError.is(error)) return undefined;
    throw error;
  }
}

function unreachable(issuer: string, cause: ToolError): ToolError {
  const shown = visibleText(issuer.slice(0, maxReasonChars));
  return new ToolError(
    "PERMISSION_DENIED",
    `${shown} cannot be used for the login: ${cause.message}`,
    {
      hint: `If it is meant to be there, log in with --issuer ${shown}`,
      cause,
    },
  );
}

/** A secret of the user goes to no authorization server that only the MCP server names. */
function unnamed(issuer: string): ToolError {
  const shown = visibleText(issuer.slice(0, maxReasonChars));
  return new ToolError(
    "PERMISSION_DENIED",
    `The server names the authorization server ${shown}, and the settings do not say that it may have the clientSecret.`,
    { hint: `If the secret is meant for it, set oauth.issuer, or log in with --issuer ${shown}` },
  );
}

/** How the server refuses a request without a token: it may name its description and the scope. */
async function challengeOf(
  sdk: Sdk,
  url: string,
  fetchFn: FetchFn,
): Promise<{
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
}> {
  const response = await fetchFn(url, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": sdk.LATEST_PROTOCOL_VERSION,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "tools/list", params: {} }),
  }).catch(() => undefined);
  return response?.status === 401 ? sdk.extractWWWAuthenticateParams(response) : {};
}

function scopeOf(
  sdk: Sdk,
  {
    address,
    challengeScope,
    resourceScopes,
    metadata,
    wanted,
  }: Discovered & { readonly address: Remote; readonly wanted: string | undefined },
): string | undefined {
  const configured = address.oauth?.scopes?.join(" ");
  const base = configured ?? challengeScope ?? resourceScopes?.join(" ");
  const scope = sdk.computeScopeUnion(base, wanted);
  const givesRefresh = metadata?.scopes_supported?.includes("offline_access") === true;
  // Without it some servers give no token that outlives the hour.
  return scope !== undefined && givesRefresh
    ? sdk.computeScopeUnion(scope, "offline_access")
    : scope;
}

interface ClientQuestion {
  readonly address: Remote;
  readonly found: Discovered;
  readonly redirect: string;
  readonly scope: string | undefined;
  readonly fetchFn: FetchFn;
}

/** The client of the settings, a client that is described at an address, or one that is registered now. */
async function clientOf(
  sdk: Sdk,
  { address: { oauth }, found, redirect, scope, fetchFn }: ClientQuestion,
): Promise<LoginClient> {
  const { metadata, issuer } = found;
  if (oauth?.clientId !== undefined) {
    const { clientId, clientSecret } = oauth;
    return {
      client_id: clientId,
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    };
  }
  const document = oauth?.clientMetadataUrl;
  if (document !== undefined && metadata?.client_id_metadata_document_supported === true) {
    return { client_id: document };
  }
  if (metadata !== undefined && metadata.registration_endpoint === undefined) {
    throw new ToolError("UNAVAILABLE", `${issuer} does not register clients automatically.`, {
      hint: "Register haft there, and write its id into the server's settings as oauth.clientId.",
      retryable: false,
    });
  }
  const registered = await sdk.registerClient(issuer, {
    ...(metadata === undefined ? {} : { metadata }),
    clientMetadata: {
      client_name: "haft",
      redirect_uris: [redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: authMethod(metadata),
      application_type: "native",
    },
    ...(scope === undefined ? {} : { scope }),
    fetchFn,
  });
  const { client_id, client_secret, token_endpoint_auth_method } = registered;
  return {
    client_id,
    ...(client_secret === undefined ? {} : { client_secret }),
    ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
  };
}

/** A client on the user's machine keeps no secret, unless the authorization server wants one. */
function authMethod(metadata: AuthorizationServerMetadata | undefined): string {
  const supported = metadata?.token_endpoint_auth_methods_supported ?? ["none"];
  const wanted = ["none", "client_secret_basic", "client_secret_post"];
  return wanted.find((each) => supported.includes(each)) ?? "none";
}

async function answerOf(
  { received }: RedirectListener,
  clock: LoginParts["clock"],
  signal: AbortSignal | undefined,
): Promise<URLSearchParams> {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const cancel = clock.timer(maxWaitMs, () =>
    reject(
      new ToolError("TIMEOUT", "No login was completed within 10 minutes.", {
        hint: "Start again.",
      }),
    ),
  );
  const onAbort = (): void =>
    reject(new ToolError("ABORTED", "The login was aborted.", { hint: "Start again." }));
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([received, ended]);
  } finally {
    cancel();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** The code of an answer. The issuer is checked first: what another one says is not shown. */
function codeIn(
  sdk: Sdk,
  received: URLSearchParams,
  metadata: AuthorizationServerMetadata | undefined,
): string {
  sdk.validateAuthorizationResponseIssuer({
    iss: received.get("iss") ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const code = received.get("code");
  if (code !== null && code !== "") return code;
  const error = received.get("error") ?? "no code";
  const more = received.get("error_description") ?? "";
  throw refused(more === "" ? error : `${error}: ${more}`);
}

const maxReasonChars = 500;

function refused(why: string, cause?: unknown): ToolError {
  const reason = visibleText(why.slice(0, maxReasonChars)).replace(/\.$/u, "");
  return new ToolError("UNAVAILABLE", `The login failed: ${reason}.`, {
    hint: "Nothing was changed; start the login again, or ask the operator of the server.",
    retryable: false,
    cause,
  });
}
