export { confineCalls, openConfined, type OpenConfinement } from "./confine/confine-call.ts";
export { confineSearches } from "./confine/confine-searches.ts";
export { wholePaths } from "./confine/rule-paths.ts";
export { statusDirectories } from "./confine/status-directories.ts";
export { tryCommands } from "./dry-run.ts";
export { type CommandOverlays, commandOverlays } from "./predict/command-overlays.ts";
export { gitNamedPaths } from "./protected/git-named-paths.ts";
export { linkedPaths, linkedUserPaths } from "./protected/linked-paths.ts";
export { notUndoable } from "./refusals.ts";
