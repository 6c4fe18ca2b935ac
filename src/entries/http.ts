/** Entry `haft/http`: a kit as a server on a port of this machine. */
export {
  kitLibrary,
  kitTasks,
  openKitEvents,
  serveHttp,
  serveMcpHttp,
  type HttpServer,
  type HttpServerOptions,
  type HttpToolkit,
  type KitTasksOptions,
  type LibraryCommand,
  type LibraryKit,
  type LibrarySkill,
  type LibrarySkillFiles,
  type LibrarySkills,
  type RunRequest,
  type ServeHttpOptions,
  type TaskKit,
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
