import type { IncomingMessage } from "node:http";
import { pipeline, type Duplex } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { ToolError } from "../../core/index.ts";

const decoders: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Value of `Accept-Encoding`. */
export const decodableCodings = "gzip, deflate, br";

/** Codings of one body that are undone. Each may grow it a thousandfold, and servers use one. */
const maxCodings = 2;

export interface DecodedMessage {
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded piece by piece, as it is read: a reader that stops bounds the decoded size. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Undoes the content codings of an answer, and removes the headers that describe them. */
export function decoded(message: IncomingMessage): DecodedMessage {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined)
      headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  const codings = (headers.get("content-encoding") ?? "")
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  const hasBody = message.statusCode !== 204 && message.statusCode !== 304;
  if (codings.length === 0 || !hasBody)
    return { headers: Object.fromEntries(headers), body: message };
  const made = codings.toReversed().map((coding) => decoders[coding]?.());
  if (codings.length > maxCodings || made.includes(undefined)) {
    message.destroy();
    throw new ToolError("UNAVAILABLE", `The answer is encoded as ${codings.join(", ")}.`, {
      hint: "Use another address of the same content.",
      retryable: false,
    });
  }
  const chain = made.filter((decoder) => decoder !== undefined);
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  // The reader of the last stream gets the error; a reader that stops ends the whole chain.
  pipeline([message, ...chain], () => undefined);
  return { headers: Object.fromEntries(headers), body: chain.at(-1) ?? message };
}
