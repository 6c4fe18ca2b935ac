import { createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { isRecord } from "./json-rpc.ts";

/** Seals what a client carries for us between two requests. A seal opens once, in this process, while it is fresh. */
export interface StateSeals {
  seal(content: unknown): string;
  /** Undefined for what was not sealed here, was changed, was opened before or has expired. */
  open(token: string): unknown;
}

const maxAgeMs = 30 * 60_000;
/** Beyond it the oldest open one no longer opens. */
const maxOpen = 1000;

export function createSeals(now: () => number = Date.now): StateSeals {
  const key = randomBytes(32);
  /** What was sealed and not opened, oldest first, with the time it expires. */
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
