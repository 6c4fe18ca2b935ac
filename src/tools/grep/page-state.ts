import { seenFiles, type ToolContext } from "../../core/index.ts";
import { optionalService } from "../files/optional-service.ts";

/** Number of lines shown of each file by earlier pages; outside content mode, one for each file. */
export type Shown = ReadonlyMap<string, number>;

/** Maximum number of files remembered, over all searches of a session. */
const maxFiles = 50_000;

/**
 * Results that the pages of a search have shown. A search that is stopped early visits files in another order each
 * time, so the next page consists of results that were not shown before.
 */
class ShownPages {
  readonly #byPage = new Map<string, Shown>();
  #files = 0;

  before(page: string): Shown | undefined {
    return this.#byPage.get(page);
  }

  keep(page: string, shown: Shown): void {
    this.#drop(page);
    this.#byPage.set(page, shown);
    this.#files += shown.size;
    for (const oldest of this.#byPage.keys()) {
      if (this.#files <= maxFiles) return;
      this.#drop(oldest);
    }
  }

  #drop(page: string): void {
    this.#files -= this.#byPage.get(page)?.size ?? 0;
    this.#byPage.delete(page);
  }
}

/** Keyed by an object of the session, so that entries end with it. */
const sessions = new WeakMap<object, ShownPages>();

/** One search, identified by everything that determines its results. */
export interface PagedSearch {
  readonly about: readonly unknown[];
  readonly from: number;
}

/** Results shown by the pages before this one; undefined if that is unknown. */
export function shownBefore({ about, from }: PagedSearch, context: ToolContext): Shown | undefined {
  if (from === 1) return nothing;
  return pagesOf(context)?.before(nameOf(about, from, context));
}

/** Stores the results shown so far for the page that begins at `from`. */
export function keepShown({ about, from }: PagedSearch, shown: Shown, context: ToolContext): void {
  pagesOf(context)?.keep(nameOf(about, from, context), shown);
}

/** Adds one shown line for each of the paths. */
export function withMore(shown: Shown, paths: readonly string[]): Shown {
  const sum = new Map(shown);
  for (const path of paths) sum.set(path, (sum.get(path) ?? 0) + 1);
  return sum;
}

const nothing: Shown = new Map();

function pagesOf(context: ToolContext): ShownPages | undefined {
  const session = optionalService(context, seenFiles);
  if (session === undefined) return undefined;
  const known = sessions.get(session) ?? new ShownPages();
  sessions.set(session, known);
  return known;
}

function nameOf(about: readonly unknown[], from: number, { agentId }: ToolContext): string {
  return JSON.stringify([agentId ?? "", from, ...about]);
}
