import type { AuthorizationServerMetadata, OAuthTokens } from "@modelcontextprotocol/client";
import { ToolError, type Host, type PathTurns } from "../../../core/index.ts";
import { isNotFound, isRecord, joinPath } from "../../../text/index.ts";

/** Authorization server and client of a login, which later refreshes use without asking for them again. */
export interface LoginServer {
  /** Issuer, as it was checked when the user logged in. */
  readonly issuer: string;
  /** Undefined for an authorization server of the oldest kind, which describes nothing. */
  readonly metadata: AuthorizationServerMetadata | undefined;
  /** Address for which tokens are asked; undefined if the server names none. */
  readonly resource: string | undefined;
  /** Origins that the user named for the login, reached even where they are private. */
  readonly allowed: readonly string[];
  readonly client: LoginClient;
}

/** A client as the authorization server knows it. */
export interface LoginClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

/** State of one server's login. Without `tokens` the server asked for a login that has not happened. */
export interface StoredLogin {
  readonly server?: LoginServer;
  readonly tokens?: OAuthTokens;
  /** Milliseconds since the epoch at which the access token expires; absent if the server does not say. */
  readonly expiresAt?: number;
  /** Why a login is needed; absent while the tokens are believed to work. */
  readonly needed?: string;
  /** Scope that the server asked for and that the tokens do not have. */
  readonly scope?: string;
}

/** Files of logins, which only the user can read. */
export interface LoginStore {
  /** Rejects if the file cannot be read now or comes from a newer haft: what it holds must not be replaced then. */
  read(key: string): Promise<StoredLogin | undefined>;
  /** Rejects if the file cannot be written. */
  write(key: string, login: StoredLogin): Promise<void>;
  /** Whether there was a login. */
  remove(key: string): Promise<boolean>;
  /** Runs work while no other program of this user does so for the same login. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
}

export interface LoginStoreParts {
  readonly host: Pick<Host, "fs">;
  readonly directory: string;
  /** Turns among all programs of the user; undefined on a host that no other program shares. */
  readonly turns: PathTurns | undefined;
  /** Unique name of this process; undefined if the system provides none. */
  readonly process: string | undefined;
}

const maxBytes = 1_000_000;

/** Keeps logins in a directory of the user. */
export function loginStore({
  host: { fs },
  directory,
  turns,
  process,
}: LoginStoreParts): LoginStore {
  const fileOf = (key: string): string => joinPath(directory, `${key.slice(0, 32)}.json`);
  const latest = new Map<string, Promise<unknown>>();
  return {
    async read(key) {
      const file = fileOf(key);
      const { bytes } = await fs.readFile(file, { maxBytes }).catch((error: unknown) => {
        if (isNotFound(error)) return { bytes: undefined };
        throw error;
      });
      const value = bytes === undefined ? undefined : parsed(bytes);
      if (isRecord(value) && typeof value["version"] === "number" && value["version"] > 1) {
        throw new ToolError("UNAVAILABLE", `A newer version of haft wrote the login in ${file}.`, {
          hint: "Update haft, or remove the file and log in again.",
        });
      }
      return isLogin(value) ? value : undefined;
    },
    async write(key, login) {
      const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, ...login }));
      await fs.mkdir(directory, { mode: 0o700 });
      await fs.writeAtomic(fileOf(key), bytes, { mode: 0o600, durable: true });
    },
    // A renewal in progress ends first, so that it does not store the login again.
    remove: async (key) =>
      await exclusively(key, async () => {
        try {
          await fs.remove(fileOf(key));
          return true;
        } catch (error) {
          if (ToolError.is(error) && error.code === "NOT_FOUND") return false;
          throw error;
        }
      }),
    exclusively,
  };

  async function exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = latest.get(key);
    const own = (async () => {
      await before?.catch(() => undefined);
      if (turns === undefined) return await work();
      const by = `${process ?? ""} ${crypto.randomUUID()}`;
      const turn = await turns.take([fileOf(key)], { by, what: "a login" });
      try {
        return await work();
      } finally {
        turn.release();
      }
    })();
    latest.set(key, own);
    try {
      return await own;
    } finally {
      if (latest.get(key) === own) latest.delete(key);
    }
  }
}

/** Content of a file; undefined if it is damaged, which only a new login repairs. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

function isLogin(value: unknown): value is StoredLogin {
  if (!isRecord(value) || value["version"] !== 1) return false;
  const { server, tokens, expiresAt, needed, scope } = value;
  return (
    (server === undefined || isServer(server)) &&
    (tokens === undefined || (isRecord(tokens) && typeof tokens["access_token"] === "string")) &&
    (expiresAt === undefined || typeof expiresAt === "number") &&
    [needed, scope].every((each) => each === undefined || typeof each === "string")
  );
}

function isServer(value: unknown): value is LoginServer {
  if (!isRecord(value)) return false;
  const { issuer, metadata, allowed, client } = value;
  return (
    typeof issuer === "string" &&
    URL.canParse(issuer) &&
    (metadata === undefined || (isRecord(metadata) && typeof metadata["issuer"] === "string")) &&
    Array.isArray(allowed) &&
    allowed.every((each) => typeof each === "string" && URL.canParse(each)) &&
    isRecord(client) &&
    typeof client["client_id"] === "string"
  );
}
