export { type Artefacts, artefactDirectory, artefacts } from "./store.ts";
export type { TextFilter } from "./stream.ts";
