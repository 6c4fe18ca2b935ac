import { errorAnswer, RpcError, type Outgoing } from "./json-rpc.ts";

// Not an import: that would evaluate all of `node:buffer` before the first message is read.
const { isUtf8 } = process.getBuiltinModule("node:buffer");

/** Value of a message as it was sent, the error in it, or undefined for a blank one. */
export function decodeMessage(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return new RpcError("parseError", "A message must be UTF-8.");
  const text = bytes.toString("utf8").trim();
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return new RpcError("parseError", "A message must be one line of JSON.");
  }
}

/** Text of a message, on one line. */
export function encodeMessage(message: Outgoing): string {
  try {
    return JSON.stringify(message);
  } catch {
    // A tool put a value into its result that JSON cannot represent.
    const id = "id" in message ? message.id : null;
    const error = new RpcError("internalError", "The answer cannot be written as JSON.");
    return JSON.stringify(errorAnswer(id, error));
  }
}
