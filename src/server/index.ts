export {
  kitLibrary,
  type LibraryCommand,
  type LibraryKit,
  type LibrarySkill,
} from "./kit-library.ts";
export { openKitEvents } from "./kit-events.ts";
export {
  serveHttp,
  type HttpToolkit,
  type RunRequest,
  type ServeHttpOptions,
} from "./serve-http.ts";
export { serveMcpHttp, type HttpServer, type HttpServerOptions } from "./mcp-server.ts";
