import type {
  GlobEvent,
  GlobQuery,
  GrepEvent,
  GrepQuery,
  HostFs,
  HostOptions,
  HostSearch,
} from "../../core/index.ts";
import { scriptSearch } from "../search/script-search.ts";

/** Search by ripgrep, or in JavaScript where its binary is missing. Loaded by the first search. */
export class LocalSearch implements HostSearch {
  readonly #fs: HostFs;
  readonly #binary: string | undefined;
  #engine: Promise<HostSearch> | undefined;

  /** `binary` is a path, "none" for JavaScript, or left out for the one of the package. */
  constructor(fs: HostFs, binary: string | undefined) {
    this.#fs = fs;
    this.#binary = binary;
  }

  async *grep(query: GrepQuery, options?: HostOptions): AsyncGenerator<GrepEvent> {
    yield* (await this.#search()).grep(query, options);
  }

  async *glob(query: GlobQuery, options?: HostOptions): AsyncGenerator<GlobEvent> {
    yield* (await this.#search()).glob(query, options);
  }

  async #search(): Promise<HostSearch> {
    this.#engine ??= this.#load();
    return this.#engine;
  }

  async #load(): Promise<HostSearch> {
    const binary = this.#binary ?? (await packagedBinary());
    if (binary === "none") return scriptSearch(this.#fs);
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
