/** Headers about one connection, not about the message, in lower case: neither forwarded nor set by a caller. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "host",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
