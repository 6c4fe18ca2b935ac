import { isRecord } from "../../text/index.ts";
import { pathOf } from "./uri.ts";

/** Problems of one file that a server published, for a version of its text. */
interface Published {
  readonly version: number;
  readonly items: readonly unknown[];
  /** Number of publications for this version. */
  readonly count: number;
}

/** Maximum number of files whose problems are remembered. */
const maxFiles = 1000;

/** Problems that a server sends without being asked. Those that name no version may be about any text. */
export class PublishedProblems {
  readonly #byPath = new Map<string, Published>();
  readonly #waiting = new Set<() => void>();

  take(params: unknown): void {
    if (!isRecord(params)) return;
    const { uri, version, diagnostics } = params;
    const path = pathOf(uri);
    if (path === undefined || typeof version !== "number" || !Array.isArray(diagnostics)) return;
    const known = this.#byPath.get(path);
    if (known !== undefined && known.version > version) return;
    const count = known?.version === version ? known.count + 1 : 1;
    this.#byPath.delete(path);
    this.#byPath.set(path, { version, items: diagnostics, count });
    for (const [oldest] of this.#byPath) {
      if (this.#byPath.size <= maxFiles) break;
      this.#byPath.delete(oldest);
    }
    for (const wake of this.#waiting) wake();
  }

  /** Problems of exactly this version. */
  of(path: string, version: number): Published | undefined {
    const known = this.#byPath.get(path);
    return known?.version === version ? known : undefined;
  }

  /** Resolves with the next publication. */
  next(): { readonly came: Promise<void>; readonly forget: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => {
      this.#waiting.delete(wake);
      resolve();
    };
    this.#waiting.add(wake);
    return { came: promise, forget: wake };
  }
}
