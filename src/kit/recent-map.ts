/** A map that forgets what was not looked at for longest, so that a program that runs for months does not grow. */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #most: number;
  readonly #onForgotten: ((key: K) => void) | undefined;
  /** Stands last already: one key is often asked for again and again. */
  #latest: { readonly key: K } | undefined;

  constructor(most: number, onForgotten?: (key: K) => void) {
    super();
    this.#most = most;
    this.#onForgotten = onForgotten;
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    // A Map keeps the order in which keys came: put it last.
    if (value !== undefined && this.#latest?.key !== key && super.delete(key)) {
      super.set(key, value);
      this.#latest = { key };
    }
    return value;
  }

  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    this.#latest = { key };
    for (const oldest of this.keys()) {
      if (this.size <= this.#most) break;
      super.delete(oldest);
      this.#onForgotten?.(oldest);
    }
    return this;
  }
}
