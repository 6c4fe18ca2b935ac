export type { NarrowOptions } from "./guard.ts";
export { type NarrowedHost, narrowHost } from "./host.ts";
