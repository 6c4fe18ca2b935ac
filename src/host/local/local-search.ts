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
import { scriptSearch } from "../search/script-search.ts";

/** Grep by ripgrep, or in JavaScript where its binary is missing; the rest by walks of its own. Loaded by the first search. */
export class LocalSearch implements HostSearch {
  readonly #fs: HostFs;
  readonly #script: HostSearch;
  readonly #binary: string | undefined;
  #engine: Promise<Pick<HostSearch, "grep">> | undefined;

  /** `binary` is a path, "none" for JavaScript, or left out for the one of the package. */
  constructor(fs: HostFs, binary: string | undefined) {
    this.#fs = fs;
    this.#script = scriptSearch(fs);
    this.#binary = binary;
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
    const binary = this.#binary ?? (await packagedBinary());
    if (binary === "none") return this.#script;
    const { ripgrepSearch } = await import("./ripgrep-search.ts");
    return ripgrepSearch(binary);
  }
}

/** The binary is a package of its own for each platform, and may not have been installed. */
async function packagedBinary(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath;
  } catch {
    return "none";
  }
}
