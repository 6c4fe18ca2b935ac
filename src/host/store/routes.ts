import type { Host } from "../../core/index.ts";
import { joinPath } from "../../text/index.ts";

/** A host whose files of haft are in a store elsewhere. */
export interface Route {
  readonly host: Host;
  /** Returns the host as tools get it, with the stored files below a directory to be read. */
  readonly acting: (readable: string) => Host;
}

const routes = new WeakMap<Host, Route>();

/** Records that a host finds haft's own files in a store. */
export function addRoute(made: Host, route: Route): void {
  routes.set(made, route);
}

/**
 * The host as tools get it: of the store they only read what is below the directory, such as the artifacts of a
 * session. The same host where haft's own files are on it, because there the rules and the sandbox protect them.
 */
export function actingHost(host: Host, readable: string): Host {
  return routes.get(host)?.acting(readable) ?? host;
}

/**
 * Directory for what belongs to the files and processes of this host: a part of the directory where other hosts share
 * the store, so that no host undoes the changes of another.
 */
export function directoryOn(host: Host, directory: string): string {
  const known = routes.get(host);
  if (known === undefined) return directory;
  return joinPath(directory, `hosts/${encodeURIComponent(known.host.id).replaceAll(".", "%2E")}`);
}

/** Whether the files of haft are not on this host. */
export function isApart(host: Host): boolean {
  return routes.has(host);
}
