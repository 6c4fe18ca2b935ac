/** A document with its score in one ranking. */
export interface Ranked {
  readonly document: number;
  readonly score: number;
}

/** Collects the best documents of a ranking without sorting the others. */
export class Best {
  readonly #limit: number;
  /** Position of each document among those of equal score. */
  readonly #order: Uint32Array;
  readonly #kept: Ranked[] = [];
  #least: number;

  /** `least` is a score that each of the best has at least. */
  constructor(limit: number, order: Uint32Array, least = 0) {
    this.#limit = limit;
    this.#order = order;
    this.#least = least;
  }

  /** Score below which a document is not among the best; rises as documents are added. */
  get least(): number {
    return this.#least;
  }

  add(document: number, score: number): void {
    if (this.#kept.length >= this.#limit * 2) this.#cut();
    if (score >= this.#least) this.#kept.push({ document, score });
  }

  /** The best documents, best first. */
  ranked(): readonly Ranked[] {
    this.#cut();
    return this.#kept;
  }

  #cut(): void {
    const order = this.#order;
    this.#kept.sort(
      (a, b) => b.score - a.score || (order[a.document] ?? 0) - (order[b.document] ?? 0),
    );
    if (this.#kept.length < this.#limit) return;
    this.#kept.length = this.#limit;
    this.#least = Math.max(this.#least, this.#kept.at(-1)?.score ?? 0);
  }
}

/**
 * Joins the rankings of a request's parts: a document's place is its best place in any of them, and among equal places
 * the higher score comes first.
 */
export function joinRankings(
  rankings: readonly (readonly Ranked[])[],
  limit: number,
): readonly Ranked[] {
  const best = new Map<number, Ranked & { readonly place: number }>();
  for (const ranking of rankings) {
    for (const [place, { document, score }] of ranking.entries()) {
      const known = best.get(document);
      const isBetter =
        known === undefined ||
        place < known.place ||
        (place === known.place && score > known.score);
      if (isBetter) best.set(document, { document, score, place });
    }
  }
  return [...best.values()]
    .toSorted((a, b) => a.place - b.place || b.score - a.score)
    .slice(0, limit);
}
