import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ToolError } from "../core/index.ts";
import { isLoopbackAddress, plainHost } from "../text/index.ts";
import { HttpProblem } from "./reply.ts";

/** The sender of a request: the user, or a program that was given one session. */
export interface Caller {
  /** Session that the token is for; undefined for the token of the user. */
  readonly sessionId: string | undefined;
}

/** Minimum characters of a token: shorter ones can be guessed. */
const minTokenChars = 16;

/** Tokens of a server. Only digests are stored, so that their comparison takes the same time for every guess. */
export class Tokens {
  readonly #owner: Buffer;
  /** Digests by session. */
  readonly #sessions = new Map<string, Buffer>();

  constructor(token: string) {
    this.#owner = digest(token);
  }

  /** Makes the token of a session; a token made for it before is void. */
  issue(sessionId: string): string {
    const token = newToken();
    this.#sessions.set(sessionId, digest(token));
    return token;
  }

  /** Voids the token of a session; returns whether there was one. */
  revoke(sessionId: string): boolean {
    return this.#sessions.delete(sessionId);
  }

  get size(): number {
    return this.#sessions.size;
  }

  has(sessionId: string): boolean {
    return this.#sessions.has(sessionId);
  }

  callerOf(token: string): Caller | undefined {
    const given = digest(token);
    if (timingSafeEqual(given, this.#owner)) return { sessionId: undefined };
    let found: Caller | undefined;
    for (const [sessionId, each] of this.#sessions) {
      if (timingSafeEqual(given, each)) found = { sessionId };
    }
    return found;
  }
}

/** Token that cannot be guessed. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Token as it was given, or a new one. Throws INVALID_INPUT if it can be guessed or cannot be sent. */
export function checkedToken(token: string | undefined): string {
  if (token === undefined) return newToken();
  if (token.length >= minTokenChars && /^[\w.~+/-]+=*$/u.test(token)) return token;
  throw new ToolError(
    "INVALID_INPUT",
    `A token needs at least ${minTokenChars} characters, all of them letters, digits or -._~+/.`,
    { hint: "Set another HAFT_TOKEN, or leave it out for a new one." },
  );
}

/**
 * Refuses a request that a page of a browser could have caused, then one without a valid token. A name that leads here
 * by a changed address of its owner (DNS rebinding) is not a name of this machine, so the Host header names it.
 */
export function authenticate(request: IncomingMessage, tokens: Tokens): Caller {
  const { host, origin, authorization } = request.headers;
  if (!isLocalAuthority(host)) {
    throw new HttpProblem(403, "ACCESS_DENIED", {
      message: "The Host header names another machine.",
      hint: "Use the address that was printed, with 127.0.0.1 or localhost.",
    });
  }
  if (origin !== undefined && !isLocalOrigin(origin)) {
    throw new HttpProblem(403, "ACCESS_DENIED", {
      message: "The request comes from a page of another origin.",
      hint: "Only programs and pages of this machine may use this server.",
    });
  }
  const token = /^Bearer +(\S+)$/iu.exec(authorization ?? "")?.[1];
  const caller = token === undefined ? undefined : tokens.callerOf(token);
  if (caller !== undefined) return caller;
  throw new HttpProblem(401, "ACCESS_DENIED", {
    message: token === undefined ? "The request has no token." : "The token is not valid here.",
    hint: "Send Authorization: Bearer TOKEN with the token that was printed at the start.",
  });
}

function isLocalAuthority(authority: string | undefined): boolean {
  const name = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/iu.exec(authority ?? "")?.[1];
  if (name === undefined) return false;
  return name.toLowerCase() === "localhost" || isLoopbackAddress(plainHost(name));
}

function isLocalOrigin(origin: string): boolean {
  const authority = /^https?:\/\/([^/]+)$/iu.exec(origin)?.[1];
  return isLocalAuthority(authority);
}

function digest(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
