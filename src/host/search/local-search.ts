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
  /** A path, or "none" for JavaScript. Default: the binary of the package. */
  readonly binary?: string | undefined;
  /** Starts the binary. Default: directly from this process. */
  readonly start?: StartOwn | undefined;
}

/**
 * Grep with ripgrep, or in JavaScript if its binary is missing; Glob and listings by own walks. Loaded with the first
 * search.
 */
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
