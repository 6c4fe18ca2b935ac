export { type Artifacts, artifactDirectory, artifacts } from "./store.ts";
export type { TextFilter } from "./stream.ts";
