import { isRecord } from "../../../text/index.ts";
import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";

/**
 * Seals state that a client carries between two requests. A sealed state can be opened once, by this process, until it
 * expires.
 */
export interface StateSeals {
  seal(content: unknown): string;
  /** Undefined for a token that was not sealed here, was changed, was opened before or has expired. */
  open(token: string): unknown;
}

const maxAgeMs = 30 * 60_000;
/** Maximum number of unopened tokens; beyond it, the oldest becomes invalid. */
const maxOpen = 1000;

export function createSeals(now: () => number = Date.now): StateSeals {
  const key = randomBytes(32);
  /** Unopened tokens, oldest first, with their expiry time. */
  const open = new Map<string, number>();

  const sign = (body: string): string => createHmac("sha256", key).update(body).digest("base64url");

  return {
    seal(content) {
      const nonce = randomUUID();
      for (const [each, expires] of open) {
        if (expires > now() && open.size < maxOpen) break;
        open.delete(each);
      }
      open.set(nonce, now() + maxAgeMs);
      const body = Buffer.from(JSON.stringify({ nonce, content })).toString("base64url");
      return `${body}.${sign(body)}`;
    },
    open(token) {
      const [body, signature, ...rest] = token.split(".");
      if (body === undefined || signature === undefined || rest.length > 0) return undefined;
      if (!isSame(signature, sign(body))) return undefined;
      const sealed: unknown = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
      if (!isRecord(sealed) || typeof sealed["nonce"] !== "string") return undefined;
      const { nonce, content } = sealed;
      const expires = open.get(nonce);
      open.delete(nonce);
      return expires !== undefined && expires > now() ? content : undefined;
    },
  };
}

function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
