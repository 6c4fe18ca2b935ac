import type {
  GlobEvent,
  GlobQuery,
  GrepEvent,
  GrepQuery,
  HostFs,
  HostOptions,
  HostSearch,
  ListEvent,
  ListQuery,
} from "../../core/index.ts";
import { ownRipgrep } from "../../programs/index.ts";
import { scriptSearch } from "./script-search.ts";
import type { StartOwn } from "../processes/launch/spawn.ts";

export interface LocalSearchOptions {
  /** A path, "none" for JavaScript, or left out for the one of the package. */
  readonly binary?: string | undefined;
  /** Starts it. Default: from this program itself. */
  readonly start?: StartOwn | undefined;
}

/** Grep by ripgrep, or in JavaScript where its binary is missing; the rest by walks of its own. Loaded by the first search. */
export class LocalSearch implements HostSearch {
  readonly #fs: HostFs;
  readonly #script: HostSearch;
  readonly #options: LocalSearchOptions;
  #engine: Promise<Pick<HostSearch, "grep">> | undefined;

  constructor(fs: HostFs, options: LocalSearchOptions = {}) {
    this.#fs = fs;
    this.#script = scriptSearch(fs);
    this.#options = options;
  }

  async *grep(query: GrepQuery, options?: HostOptions): AsyncGenerator<GrepEvent> {
    this.#engine ??= this.#load();
    yield* (await this.#engine).grep(query, options);
  }

  async *glob(query: GlobQuery, options?: HostOptions): AsyncGenerator<GlobEvent> {
    const { walkGlob } = await import("./local-walk.ts");
    yield* walkGlob(this.#fs, query, options);
  }

  list(query: ListQuery, options?: HostOptions): AsyncIterable<ListEvent> {
    return this.#script.list(query, options);
  }

  async #load(): Promise<Pick<HostSearch, "grep">> {
    const binary = this.#options.binary ?? ownRipgrep() ?? "none";
    if (binary === "none") return this.#script;
    const { ripgrepSearch } = await import("./ripgrep/ripgrep-search.ts");
    return ripgrepSearch({
      binary,
      start: this.#options.start,
      fs: this.#fs,
      script: this.#script,
    });
  }
}
