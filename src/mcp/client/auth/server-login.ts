import type { AuthProvider, OAuthTokens } from "@modelcontextprotocol/client";
import { ToolError, type HostClock } from "../../../core/index.ts";
import { messageOf, visibleText } from "../../../text/index.ts";
import type { ServerConfig } from "../servers/server-config.ts";
import { authFetch } from "./auth-fetch.ts";
import type { LoginServer, LoginStore, StoredLogin } from "./stored-logins.ts";

export interface ServerLoginParts {
  readonly clock: Pick<HostClock, "now">;
  readonly store: LoginStore;
  /** Sends requests; these origins are reached even where they are private. */
  readonly fetchFor: (addresses: readonly string[]) => typeof fetch;
  /** Takes what the user should know of a login that works. */
  readonly onNote?: (text: string) => void;
}

/** The server needs a login of the user. */
export class LoginRequired extends ToolError<"UNAVAILABLE"> {
  constructor(server: string, why: string, cause?: unknown) {
    super("UNAVAILABLE", `The MCP server ${visibleText(server)} needs a login: ${why}`, {
      hint: `Run haft mcp login ${quoted(server)}.`,
      retryable: false,
      cause,
    });
  }
}

function quoted(name: string): string {
  return /^[\w.-]+$/u.test(name)
    ? name
    : `'${visibleText(name).replaceAll("'", String.raw`'\''`)}'`;
}

/** Milliseconds before its end from which an access token is renewed. */
const earlyMs = 30_000;

/**
 * Access tokens of one server. The file of the login is read before each use, because another process may have renewed
 * it: of all processes with an expired token, one renews it, and the others find the new one.
 */
export class ServerLogin implements AuthProvider {
  readonly #config: Pick<ServerConfig, "name" | "loginKey">;
  readonly #parts: ServerLoginParts;
  #required: LoginRequired | undefined;
  /** Renewed tokens that could not be stored, and the stored token that they replace. */
  #unstored: { readonly replaced: string; readonly login: StoredLogin } | undefined;
  /** Token that each refused answer was asked with. */
  readonly #sentWith = new WeakMap<Response, string | undefined>();

  constructor(config: Pick<ServerConfig, "name" | "loginKey">, parts: ServerLoginParts) {
    this.#config = config;
    this.#parts = parts;
  }

  /** Why the user must log in; undefined while nothing says so. */
  get required(): LoginRequired | undefined {
    return this.#required;
  }

  /** Reads whether an earlier process found out that a login is needed. */
  async recall(): Promise<void> {
    // A file that cannot be read is reported by the first request, and must not stop a list of servers.
    const login = await this.#read().catch(() => undefined);
    this.#required = login?.needed === undefined ? undefined : this.#error(login.needed);
  }

  /** Access token for the next request; undefined while the server has asked for none. */
  async token(): Promise<string | undefined> {
    const login = await this.#read();
    if (login?.tokens === undefined) return undefined;
    if (login.needed !== undefined) throw this.#require(login.needed);
    const isExpired =
      login.expiresAt !== undefined && login.expiresAt - earlyMs <= this.#parts.clock.now();
    if (isExpired && login.tokens.refresh_token !== undefined) {
      return await this.#renew(login.tokens.access_token);
    }
    this.#required = undefined;
    return login.tokens.access_token;
  }

  /** Called with each answer of the server, so that a refused one is known by its token. */
  async answered(response: Response, headers: Headers): Promise<void> {
    const { status } = response;
    if (status !== 401 && status !== 403) return;
    this.#sentWith.set(response, /^Bearer (.+)$/u.exec(headers.get("authorization") ?? "")?.[1]);
    if (status === 401) this.#require("it refused the token.");
    else await this.#readRefusal(response);
  }

  /** A refusal may say that the token lacks a right, which only another login gives. */
  async #readRefusal(response: Response): Promise<void> {
    const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/client");
    const { error, scope = "" } = extractWWWAuthenticateParams(response);
    if (error !== "insufficient_scope") return;
    const shown = visibleText(scope.slice(0, maxScopeChars));
    const why = `the call needs more rights${shown === "" ? "" : ` (${shown})`}.`;
    // The tokens work for other calls, so the login is not marked as needed for all of them.
    this.#require(why);
    await this.#change((login) => ({ ...login, scope }));
  }

  /** Renews the token, or throws LoginRequired. Called by the transport, which then asks once more. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const sent = this.#sentWith.get(response);
    const login = await this.#read();
    if (login?.tokens === undefined) {
      throw await this.#need("it allows nothing without one.");
    }
    if (login.needed !== undefined) throw this.#require(login.needed);
    if (login.tokens.access_token !== sent) return;
    if (login.tokens.refresh_token === undefined) {
      throw await this.#need("it does not accept the token any longer.");
    }
    await this.#renew(sent);
  }

  /** Whether there is a reason to believe that the server can be reached, though a login was needed before. */
  async mayWork(): Promise<boolean> {
    const login = await this.#read();
    return login?.tokens !== undefined && login.needed === undefined;
  }

  /** Lets the next use try again what was refused before. */
  async retry(): Promise<void> {
    this.#required = undefined;
    if ((await this.#read())?.needed === undefined) return;
    await this.#change(({ needed: _needed, ...login }) => login);
  }

  /** Called when the server has let the client in. */
  async connected(): Promise<void> {
    if (this.#required !== undefined) await this.retry();
  }

  /** Renews the token that did not work, unless another process has done so meanwhile. */
  async #renew(bad: string): Promise<string> {
    const { store } = this.#parts;
    const key = this.#config.loginKey;
    return await store.exclusively(key, async () => {
      const login = await this.#read();
      if (login?.tokens === undefined || login.server === undefined) {
        throw this.#require("the user logged out.");
      }
      const { tokens, server } = login;
      if (login.needed !== undefined) throw this.#require(login.needed);
      if (tokens.access_token !== bad) return tokens.access_token;
      const renewed = await this.#ask(login, server, tokens);
      await this.#keep(bad, { server, ...withExpiry(renewed, this.#parts.clock.now()) });
      this.#required = undefined;
      return renewed.access_token;
    });
  }

  /** Stores renewed tokens. Those before work no longer, so new ones that cannot be stored are used by this process. */
  async #keep(replaced: string, login: StoredLogin): Promise<void> {
    try {
      await this.#parts.store.write(this.#config.loginKey, login);
      this.#unstored = undefined;
    } catch (error) {
      if (!ToolError.is(error)) throw error;
      this.#unstored = { replaced: this.#unstored?.replaced ?? replaced, login };
      this.#parts.onNote?.(
        `The renewed token could not be stored, so only this process has it: ${error.message}\n`,
      );
    }
  }

  async #ask(login: StoredLogin, server: LoginServer, tokens: OAuthTokens): Promise<OAuthTokens> {
    const { OAuthError, refreshAuthorization } = await import("@modelcontextprotocol/client");
    const { issuer, metadata, resource, client, allowed } = server;
    try {
      return await refreshAuthorization(issuer, {
        ...(metadata === undefined ? {} : { metadata }),
        clientInformation: client,
        refreshToken: tokens.refresh_token ?? "",
        ...(resource === undefined ? {} : { resource }),
        fetchFn: authFetch(this.#parts.fetchFor(allowed), allowed),
      });
    } catch (cause) {
      const name = visibleText(this.#config.name);
      if (!OAuthError.isInstance(cause) || !refusals.has(cause.code)) {
        throw new ToolError(
          "UNAVAILABLE",
          `The token of the MCP server ${name} could not be renewed: ${messageOf(cause).slice(0, maxScopeChars)}`,
          {
            hint: `Try again later; if it stays so, run haft mcp login ${quoted(this.#config.name)}.`,
            cause,
          },
        );
      }
      // The tokens are kept: a login that fails later must not lose what an operator may repair.
      const why = `renewing the token was refused (${cause.code}).`;
      await this.#parts.store.write(this.#config.loginKey, { ...login, needed: why });
      throw this.#require(why, cause);
    }
  }

  async #need(why: string): Promise<LoginRequired> {
    await this.#change((login) => ({ ...login, needed: why }));
    return this.#require(why);
  }

  #require(why: string, cause?: unknown): LoginRequired {
    return (this.#required = this.#error(why, cause));
  }

  #error(why: string, cause?: unknown): LoginRequired {
    return new LoginRequired(this.#config.name, why, cause);
  }

  async #read(): Promise<StoredLogin | undefined> {
    const stored = await this.#parts.store.read(this.#config.loginKey);
    const { replaced, login } = this.#unstored ?? {};
    // Another login or a logout, also by another process, takes precedence.
    if (stored?.tokens?.access_token !== replaced) this.#unstored = undefined;
    return this.#unstored === undefined ? stored : login;
  }

  /** Notes something about the login; that it cannot be stored must not hide why. */
  async #change(work: (login: StoredLogin) => StoredLogin): Promise<void> {
    const { store } = this.#parts;
    const key = this.#config.loginKey;
    try {
      await store.exclusively(
        key,
        async () => await store.write(key, work((await this.#read()) ?? {})),
      );
    } catch (error) {
      if (!ToolError.is(error)) throw error;
    }
  }
}

/** Answers after which the same refresh token never works again. */
const refusals: ReadonlySet<string> = new Set([
  "invalid_grant",
  "invalid_client",
  "unauthorized_client",
  "invalid_scope",
  "unsupported_grant_type",
  "invalid_request",
]);

const maxScopeChars = 300;

/** Tokens with the time at which they expire. */
export function withExpiry(
  tokens: OAuthTokens,
  now: number,
): { readonly tokens: OAuthTokens; readonly expiresAt?: number } {
  const { expires_in: seconds } = tokens;
  return seconds === undefined ? { tokens } : { tokens, expiresAt: now + seconds * 1000 };
}
