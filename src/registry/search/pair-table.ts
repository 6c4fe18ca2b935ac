/** Initial number of places; a power of two, as every later one. */
const minPlaces = 1024;

/** Numbers for pairs of numbers, in typed arrays: a map of thousands of pairs takes several times their memory. */
export class PairTable {
  #firsts = new Uint32Array(minPlaces);
  #seconds = new Uint32Array(minPlaces);
  /** By place: number of the pair plus one; 0 for none. */
  #numbers = new Uint32Array(minPlaces);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Number of a pair, if it was added. */
  get(first: number, second: number): number | undefined {
    const number = this.#numbers[this.#placeOf(first, second)] ?? 0;
    return number === 0 ? undefined : number - 1;
  }

  /** Number of a pair; new pairs are numbered in the order in which they are added. */
  add(first: number, second: number): number {
    const place = this.#placeOf(first, second);
    const number = this.#numbers[place] ?? 0;
    if (number !== 0) return number - 1;
    this.#size += 1;
    this.#put(place, first, second, this.#size);
    if (this.#size * 2 > this.#numbers.length) this.#grow();
    return this.#size - 1;
  }

  /** Place of the pair, or the empty place where it belongs. */
  #placeOf(first: number, second: number): number {
    const mask = this.#numbers.length - 1;
    const mixed = Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b);
    let place = (mixed ^ (mixed >>> 15)) & mask;
    while (
      this.#numbers[place] !== 0 &&
      (this.#firsts[place] !== first || this.#seconds[place] !== second)
    ) {
      place = (place + 1) & mask;
    }
    return place;
  }

  // oxlint-disable-next-line max-params -- one row of the table
  #put(place: number, first: number, second: number, number: number): void {
    this.#firsts[place] = first;
    this.#seconds[place] = second;
    this.#numbers[place] = number;
  }

  #grow(): void {
    const [firsts, seconds, numbers] = [this.#firsts, this.#seconds, this.#numbers];
    const places = numbers.length * 2;
    this.#firsts = new Uint32Array(places);
    this.#seconds = new Uint32Array(places);
    this.#numbers = new Uint32Array(places);
    for (const [place, number] of numbers.entries()) {
      if (number === 0) continue;
      const [first = 0, second = 0] = [firsts[place], seconds[place]];
      this.#put(this.#placeOf(first, second), first, second, number);
    }
  }
}
