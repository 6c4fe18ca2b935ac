import type { GrantGuard } from "./guard.ts";
import type {
  GlobEvent,
  GlobQuery,
  GrepEvent,
  GrepQuery,
  HostSearch,
  ListEvent,
  ListQuery,
} from "../core/index.ts";
import type { HostOptions } from "../core/index.ts";
import { isWithin } from "../text/index.ts";

/** Search in the trees that a call declared, without the paths that rules exclude. */
export class NarrowedSearch implements HostSearch {
  readonly #guard: GrantGuard;

  constructor(guard: GrantGuard) {
    this.#guard = guard;
  }

  async *grep(query: GrepQuery, options?: HostOptions): AsyncGenerator<GrepEvent> {
    const { confinement: _own, ...narrowed } = await this.#narrowed(query, options);
    const confinement = await this.#guard.searchConfinement(narrowed.root);
    const confined = confinement === undefined ? narrowed : { ...narrowed, confinement };
    const events = this.#guard.host.search.grep(confined, this.#guard.options(options));
    let lastPath = "";
    let isWithheld = false;
    // Checks every result against the rules again, regardless of how the host applied the filter.
    for await (const event of events) {
      this.#guard.assertOpen();
      if (event.kind !== "end" && event.path !== lastPath) {
        lastPath = event.path;
        isWithheld = !isBelow(narrowed.root, lastPath) || this.#isWithheld(lastPath);
      }
      if (event.kind === "end" || !isWithheld) yield event;
    }
  }

  async *glob(query: GlobQuery, options?: HostOptions): AsyncGenerator<GlobEvent> {
    const narrowed = await this.#narrowed(query, options);
    const events = this.#guard.host.search.glob(narrowed, this.#guard.options(options));
    for await (const event of events) {
      this.#guard.assertOpen();
      if (event.kind === "files") {
        const files = event.files.filter(
          ({ path }) => isBelow(narrowed.root, path) && !this.#isWithheld(path),
        );
        if (files.length > 0) yield { ...event, files };
      } else {
        const { count, examples } = event.ignoredDirectories;
        const named = examples.filter((path) => !this.#isWithheld(path));
        const ignoredDirectories = {
          count: count - (examples.length - named.length),
          examples: named,
        };
        const links = event.links.filter((path) => !this.#isWithheld(path));
        yield { ...event, ignoredDirectories, links };
      }
    }
  }

  async *list(query: ListQuery, options?: HostOptions): AsyncGenerator<ListEvent> {
    const narrowed = await this.#narrowed(query, options);
    const events = this.#guard.host.search.list(narrowed, this.#guard.options(options));
    for await (const event of events) {
      this.#guard.assertOpen();
      const isShown =
        event.kind === "end" ||
        (isBelow(narrowed.root, event.entry.path) && !this.#isWithheld(event.entry.path));
      if (isShown) yield event;
    }
  }

  async #narrowed<Q extends GrepQuery | GlobQuery | ListQuery>(
    query: Q,
    options: HostOptions | undefined,
  ): Promise<Q> {
    const root = await this.#guard.resolve(query.root, options);
    // Requesting a tree would refuse a call that declared only a single file.
    const isFile =
      !this.#guard.allows({ kind: "read", path: root, scope: "tree" }) &&
      this.#guard.allows({ kind: "read", path: root, scope: "file" }) &&
      (await this.#guard.host.fs.stat(root, this.#guard.options(options))).kind === "file";
    this.#guard.require({ kind: "read", path: root, scope: isFile ? "file" : "tree" });
    // A filter makes the host count all excluded paths, so it is passed only if there are exclusions.
    if (!this.#guard.hasExclusions) return { ...query, root };
    const isExcluded = (path: string): boolean =>
      this.#guard.exclusion(path, "read") !== undefined || query.isExcluded?.(path) === true;
    return { ...query, root, isExcluded };
  }

  #isWithheld(path: string): boolean {
    return this.#guard.exclusion(path, "read") !== undefined;
  }
}

/** Whether the host returned a canonical path below the root: a path with `..` may lead outside it, past every rule. */
function isBelow(root: string, path: string): boolean {
  return isWithin(root, path) && !/\/\.\.?(?:\/|$)/u.test(path);
}
