/** What is in a file, in memory that nobody else has. */
export class MemoryContent {
  #bytes: Uint8Array;
  /** Whether there may be room behind the bytes. */
  #isRoomy = false;
  /** What was added and nobody has read yet: a log of many small additions is not copied for each of them. */
  #added: Uint8Array[] = [];
  #addedLength = 0;

  /** Takes the memory over. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length + this.#addedLength;
  }

  get bytes(): Uint8Array {
    if (this.#addedLength === 0) return this.#bytes;
    const { length } = this;
    let end = this.#bytes.length;
    const room = this.#roomFor(length);
    for (const part of this.#added) {
      room.set(part, end);
      end += part.length;
    }
    this.#added = [];
    this.#addedLength = 0;
    return (this.#bytes = room.subarray(0, length));
  }

  append(data: Uint8Array): void {
    this.#added.push(data.slice());
    this.#addedLength += data.length;
  }

  /** Memory that begins with the bytes. With room for as much again, as who has read it may add and read once more. */
  #roomFor(length: number): Uint8Array {
    const { buffer } = this.#bytes;
    if (this.#isRoomy && length <= buffer.byteLength) return new Uint8Array(buffer);
    const room = new Uint8Array(length * 2);
    room.set(this.#bytes);
    this.#isRoomy = true;
    return room;
  }
}
