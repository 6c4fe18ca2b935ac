import type { IncomingMessage } from "node:http";
import { isUtf8 } from "node:buffer";
import { isRecord } from "../text/index.ts";
import { HttpProblem } from "./reply.ts";

/** Bytes of bodies that are read and not answered yet, over all requests. */
export class BodyBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Whether as many bytes more may be held; if so, they are held until they are released. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}

/** Body of a request, which holds part of the budget until it is released. */
export interface Body {
  readonly bytes: Buffer;
  release(): void;
}

/** Reads a body of at most `maxBytes`; a longer one is refused at the first byte over the limit, and not stored. */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  budget: BodyBudget,
): Promise<Body> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  let isReleased = false;
  const release = (): void => {
    if (isReleased) return;
    isReleased = true;
    budget.release(bytes);
  };
  try {
    for await (const chunk of request) {
      if (!Buffer.isBuffer(chunk)) continue;
      if (bytes + chunk.length > maxBytes) throw tooLarge(maxBytes);
      if (!budget.take(chunk.length)) throw busy();
      bytes += chunk.length;
      chunks.push(chunk);
    }
  } catch (error) {
    release();
    throw error;
  }
  return { bytes: Buffer.concat(chunks), release };
}

/** Object in a body of JSON. */
export function jsonObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  if (!isUtf8(bytes)) throw invalid("The body is not UTF-8.");
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw invalid("The body is not JSON.");
  }
  if (!isRecord(value)) throw invalid("The body is not a JSON object.");
  return value;
}

function invalid(message: string): HttpProblem {
  return new HttpProblem(400, "INVALID_JSON", { message, hint: "Send one JSON object in UTF-8." });
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem(413, "TOO_LARGE", {
    message: `The body is longer than ${maxBytes} bytes.`,
    hint: "Send less at once; a file can be written first and named by its path.",
  });
}

/** Refusal of a request for which there is no room now. */
export function busy(): HttpProblem {
  return new HttpProblem(503, "LIMIT_REACHED", {
    message: "Too much is waiting here: requests, or answers that their clients do not read.",
    hint: "Read the answers, and send the request again later.",
  });
}
