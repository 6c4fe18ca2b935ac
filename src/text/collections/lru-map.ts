/**
 * A map of limited size that drops the least recently used entry, so that a process that runs for months does not grow.
 */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #most: number;
  readonly #onForgotten: ((key: K) => void) | undefined;
  /** The entry that is already last, because one key is often requested repeatedly. */
  #latest: { readonly key: K; readonly value: V } | undefined;

  constructor(most: number, onForgotten?: (key: K) => void) {
    super();
    this.#most = most;
    this.#onForgotten = onForgotten;
  }

  override get(key: K): V | undefined {
    const latest = this.#latest;
    if (latest !== undefined && latest.key === key) return latest.value;
    const value = super.get(key);
    // A Map keeps insertion order, so insert the entry again as the last one.
    if (value !== undefined && super.delete(key)) {
      super.set(key, value);
      this.#latest = { key, value };
    }
    return value;
  }

  override delete(key: K): boolean {
    this.#latest = undefined;
    return super.delete(key);
  }

  override clear(): void {
    this.#latest = undefined;
    super.clear();
  }

  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    this.#latest = { key, value };
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break;
      super.delete(oldest);
      this.#onForgotten?.(oldest);
    }
    return this;
  }
}
