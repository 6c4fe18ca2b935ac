export { kitLibrary, type LibraryCommand, type LibraryKit } from "./kit-library.ts";
export type { LibrarySkill, LibrarySkillFiles, LibrarySkills } from "./skill-resources.ts";
export { kitTasks, type KitTasksOptions, type TaskKit } from "./kit-tasks.ts";
export { openKitEvents } from "./kit-events.ts";
export {
  serveHttp,
  type HttpToolkit,
  type RunRequest,
  type ServeHttpOptions,
} from "./serve-http.ts";
export { serveMcpHttp, type HttpServer, type HttpServerOptions } from "./mcp-server.ts";
