export { artifactDirectory, sessionDirectory } from "./artifact-directory.ts";
export { type Artifacts, artifacts } from "./store.ts";
export type { TextFilter } from "./stream.ts";
