/** Entry `haft/http`: a kit as a server on a port of this machine. */
export {
  kitLibrary,
  openKitEvents,
  serveHttp,
  serveMcpHttp,
  type HttpServer,
  type HttpServerOptions,
  type HttpToolkit,
  type LibraryCommand,
  type LibraryKit,
  type LibrarySkill,
  type RunRequest,
  type ServeHttpOptions,
} from "../server/index.ts";
export type {
  CollectEventsOptions,
  EventCollection,
  EventQuery,
  LogHealth,
  SessionLog,
  SessionSummary,
  StoredEvent,
} from "../session/index.ts";
