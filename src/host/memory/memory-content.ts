/** Content of a file, in memory that no other object uses. */
export class MemoryContent {
  #bytes: Uint8Array;
  /** Whether the buffer may have room after the bytes. */
  #isRoomy = false;
  /** Appended chunks that were not read yet: a log of many small appends is not copied for each of them. */
  #added: Uint8Array[] = [];
  #addedLength = 0;

  /** Takes ownership of the bytes. */
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

  /** A buffer that begins with the bytes. A new one has twice the size, because a reader may append and read again. */
  #roomFor(length: number): Uint8Array {
    const { buffer } = this.#bytes;
    if (this.#isRoomy && length <= buffer.byteLength) return new Uint8Array(buffer);
    const room = new Uint8Array(length * 2);
    room.set(this.#bytes);
    this.#isRoomy = true;
    return room;
  }
}
