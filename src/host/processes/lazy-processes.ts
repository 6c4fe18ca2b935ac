import type {
  HostOptions,
  HostProc,
  ProcessChunk,
  ProcessRef,
  ProcessSpec,
} from "../../core/index.ts";
import { openedLater } from "../../text/index.ts";
import { closedHost, missingProcess } from "./process-error.ts";
import type { LocalProc } from "./local-proc.ts";

/** Real processes, loaded with the first one, because many hosts start none. */
export class LoadedProc implements HostProc {
  readonly #load: () => Promise<LocalProc>;
  #loading: Promise<LocalProc> | undefined;
  #isClosed = false;

  constructor(load: () => Promise<LocalProc>) {
    this.#load = load;
  }

  async start(spec: ProcessSpec, options?: HostOptions): Promise<ProcessRef> {
    if (this.#isClosed) throw closedHost();
    return await (await (this.#loading ??= this.#load())).start(spec, options);
  }

  output(
    id: string,
    afterSeq: number,
    options?: HostOptions & { readonly reuse?: boolean },
  ): AsyncIterable<ProcessChunk> {
    return openedLater(async () => (await this.#loaded(id)).output(id, afterSeq, options));
  }

  async write(id: string, bytes: Uint8Array | "eof"): Promise<void> {
    await (await this.#loaded(id)).write(id, bytes);
  }

  async signal(
    id: string,
    name: "INT" | "TERM" | "KILL",
    options?: { readonly tree?: boolean },
  ): Promise<void> {
    await (await this.#loaded(id)).signal(id, name, options);
  }

  async list(): Promise<readonly ProcessRef[]> {
    return this.#loading === undefined ? [] : await (await this.#loading).list();
  }

  async endTree(
    tree: string,
    patience: { readonly terminateMs: number; readonly killMs: number },
  ): Promise<boolean> {
    return await (await import("./crash/end-orphans.ts")).endTree(tree, patience);
  }

  /** Ends all it started, including processes that left their group or session. */
  async dispose(): Promise<void> {
    this.#isClosed = true;
    await (await this.#loading)?.dispose();
  }

  async #loaded(id: string): Promise<LocalProc> {
    if (this.#loading === undefined) throw missingProcess(id);
    return await this.#loading;
  }
}
