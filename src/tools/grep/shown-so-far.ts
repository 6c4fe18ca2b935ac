import { fileState, type ToolContext } from "../../core/index.ts";
import { optionalService } from "../files/optional-service.ts";

/** How many lines of each file pages have shown; outside content mode one for each file. */
export type Shown = ReadonlyMap<string, number>;

/** Files that are remembered in all, over all searches of a session. */
const maxFiles = 50_000;

/**
 * What the pages of a search have shown of it. A search that is stopped meets files in another order each time, so the
 * next page is whatever comes and was not shown before.
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

/** By what stands for a session, so that it is forgotten with it. */
const sessions = new WeakMap<object, ShownPages>();

/** One search, told apart from others by all that decides what it finds. */
export interface PagedSearch {
  readonly about: readonly unknown[];
  readonly from: number;
}

/** What the pages before this one have shown; undefined where that is not known. */
export function shownBefore({ about, from }: PagedSearch, context: ToolContext): Shown | undefined {
  if (from === 1) return nothing;
  return pagesOf(context)?.before(nameOf(about, from, context));
}

/** Remembers what has been shown when the page that begins at `from` is asked for. */
export function keepShown({ about, from }: PagedSearch, shown: Shown, context: ToolContext): void {
  pagesOf(context)?.keep(nameOf(about, from, context), shown);
}

/** With so many more of each file. */
export function withMore(shown: Shown, paths: readonly string[]): Shown {
  const sum = new Map(shown);
  for (const path of paths) sum.set(path, (sum.get(path) ?? 0) + 1);
  return sum;
}

const nothing: Shown = new Map();

function pagesOf(context: ToolContext): ShownPages | undefined {
  const session = optionalService(context, fileState);
  if (session === undefined) return undefined;
  const known = sessions.get(session) ?? new ShownPages();
  sessions.set(session, known);
  return known;
}

function nameOf(about: readonly unknown[], from: number, { agentId }: ToolContext): string {
  return JSON.stringify([agentId ?? "", from, ...about]);
}
