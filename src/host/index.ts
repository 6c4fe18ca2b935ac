export {
  memoryHost,
  type MemoryControl,
  type MemoryHost,
  type MemoryHostOptions,
} from "./memory/memory-host.ts";
export type { MemoryFault } from "./memory/memory-faults.ts";
export type { MemoryResponse, MemoryResponses } from "./memory/memory-net.ts";
export type { MemoryExit, MemoryProgram, MemoryProgramIo } from "./memory/memory-proc.ts";
export type { MemoryEntry } from "./memory/memory-tree.ts";
export { launchReport, localHost, type LocalHost, type LocalHostOptions } from "./local-host.ts";
export { scrubEnvironment, type ScrubbedEnvironment } from "./processes/environment.ts";
export { programOutput, type ProgramOutput } from "./processes/process-output.ts";
export type { ProcessPatience } from "./processes/local-process.ts";
export { draftMarkOf, isRunningProcess, ownProcess } from "./processes/own-process.ts";
export { localPathTurns, type PathTurnsOptions } from "./files/path-turns.ts";
export { startTokenOf } from "./processes/process-scan.ts";
export { loadFilesFilter, scriptSearch } from "./search/script-search.ts";
export { openStagedHost } from "./staged/open-staged-host.ts";
export type { Child, Launcher, LaunchSpec } from "./processes/launch/launcher.ts";
export {
  LocalLauncher,
  type LaunchReport,
  type LocalLauncherOptions,
  type SpawnHelper,
} from "./processes/launch/local-launcher.ts";
export { openInBrowser, showOnDesktop } from "./desktop.ts";
export { guardedFetch, type GuardedFetchOptions } from "./net/guarded-fetch.ts";
export { actingHost, directoryOn, isApart } from "./store/routes.ts";
