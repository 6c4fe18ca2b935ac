/** Characters of one piece; small enough that what is dropped is dropped evenly. */
const pieceChars = 4096;
/** A cut moves on to the next line where one begins this near: half a line explains nothing. */
const nearbyChars = 1000;

/** Text of one stream that came without a word of the other between. */
export interface Piece {
  /** Counts the changes from one stream to the other. */
  readonly run: number;
  readonly text: string;
}

/** The beginning and the end of one stream, in pieces; memory is bounded by its limit. */
export class StreamCapture {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Piece[] = [];
  #headChars = 0;
  #tail: Piece[] = [];
  #tailChars = 0;
  #total = 0;

  /** `limit` counts UTF-16 units, shared evenly between beginning and end. */
  constructor(limit: number) {
    this.#headLimit = Math.floor(limit / 2);
    this.#tailLimit = limit - this.#headLimit;
  }

  get total(): number {
    return this.#total;
  }

  add(run: number, text: string): void {
    this.#total += text.length;
    const room = Math.max(0, this.#headLimit - this.#headChars);
    const first = text.slice(0, room);
    if (first !== "") {
      this.#headChars += first.length;
      append(this.#head, { run, text: first });
    }
    const rest = text.slice(room);
    if (rest === "") return;
    this.#tailChars += rest.length;
    append(this.#tail, { run, text: rest });
    this.#trim();
  }

  /** What is held: the beginning, how many characters are missing after it, and the end. */
  held(): {
    readonly head: readonly Piece[];
    readonly missing: number;
    readonly tail: readonly Piece[];
  } {
    const tail = this.#lastPieces();
    const chars = tail.reduce((sum, { text }) => sum + text.length, 0);
    return { head: this.#head, missing: this.#total - this.#headChars - chars, tail };
  }

  #lastPieces(): readonly Piece[] {
    const [first, ...others] = this.#tail;
    const dropped = this.#total - this.#headChars - this.#tailChars;
    const over = this.#tailChars - this.#tailLimit;
    if (first === undefined || (dropped === 0 && over <= 0)) return this.#tail;
    const kept = first.text.slice(Math.max(0, over));
    const newline = kept.indexOf("\n");
    const isNear = newline !== -1 && newline < nearbyChars;
    return [{ run: first.run, text: isNear ? kept.slice(newline + 1) : kept }, ...others];
  }

  /** Drops whole pieces from the front while enough stays behind them. */
  #trim(): void {
    let dropped = 0;
    for (const { text } of this.#tail) {
      if (this.#tailChars - text.length < this.#tailLimit) break;
      this.#tailChars -= text.length;
      dropped += 1;
    }
    if (dropped > 0) this.#tail = this.#tail.slice(dropped);
  }
}

function append(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1);
  if (last?.run === piece.run && last.text.length + piece.text.length <= pieceChars) {
    pieces[pieces.length - 1] = { run: piece.run, text: last.text + piece.text };
  } else pieces.push(piece);
}
