/**
 * Size of the first block in bytes, for a program with little output; each further block is four times as large, up to
 * a full one.
 */
const firstBytes = 1024;
const fullBytes = 262_144;
const growth = 4;
/** Full blocks for reuse, shared by all buffers: as many as one flood needs. */
const spare: Uint8Array[] = [];
const maxSpare = 6;

/** Memory that consecutive copies are written to. */
export interface Block {
  readonly memory: Uint8Array;
  used: number;
  /** Number of copies in it that are still needed. */
  wanted: number;
}

/** Buffer for copies that are needed for a while; blocks without needed copies are reused. */
export class ByteBlocks {
  #current: Block | undefined;
  #nextBytes = firstBytes;

  /** Copies bytes. The copy stays until its block is released as often as it was returned or held. */
  copy(bytes: Uint8Array): { readonly block: Block; readonly from: number } {
    const block = this.#withRoom(bytes.length);
    const from = block.used;
    block.memory.set(bytes, from);
    block.used += bytes.length;
    block.wanted += 1;
    return { block, from };
  }

  /** Appends to the copy that ends at `end`, if it is the newest and its block has room; returns whether it did. */
  extend(block: Block, end: number, more: Uint8Array): boolean {
    if (block !== this.#current || end !== block.used) return false;
    if (block.memory.length - block.used < more.length) return false;
    block.memory.set(more, block.used);
    block.used += more.length;
    return true;
  }

  /** Retains the content of a block once more. */
  hold(block: Block): Block {
    block.wanted += 1;
    return block;
  }

  release(block: Block): void {
    block.wanted -= 1;
    if (block.wanted === 0 && block !== this.#current) keepSpare(block);
  }

  /** Ends the current block, because nothing more is copied for now. */
  end(): void {
    const current = this.#current;
    this.#current = undefined;
    if (current?.wanted === 0) keepSpare(current);
  }

  #withRoom(bytes: number): Block {
    const current = this.#current;
    if (current !== undefined) {
      if (current.wanted === 0) current.used = 0;
      if (current.memory.length - current.used >= bytes) return current;
    }
    const isFull = this.#nextBytes === fullBytes && bytes <= fullBytes;
    const memory = isFull ? spare.pop() : undefined;
    const next = memory === undefined ? this.#make(bytes) : { memory, used: 0, wanted: 0 };
    this.#current = next;
    // Nothing in it is needed any more, and only its role as the current block kept it.
    if (current?.wanted === 0) keepSpare(current);
    return next;
  }

  #make(bytes: number): Block {
    const length = Math.max(bytes, this.#nextBytes);
    this.#nextBytes = Math.min(fullBytes, length * growth);
    return { memory: new Uint8Array(length), used: 0, wanted: 0 };
  }
}

function keepSpare({ memory }: Block): void {
  if (memory.length === fullBytes && spare.length < maxSpare) spare.push(memory);
}
