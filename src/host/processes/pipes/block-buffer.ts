/** The first block of a program that says little; each next one is four times as large, up to a full one. */
const firstBytes = 1024;
const fullBytes = 262_144;
const growth = 4;
/** Full memories that wait to be used again, by whichever needs one: as many as one flood takes. */
const spare: Uint8Array[] = [];
const maxSpare = 6;

/** Memory that copies are made into, one after the other. */
export interface Block {
  readonly memory: Uint8Array;
  used: number;
  /** Copies in it that are still wanted. */
  wanted: number;
}

/** Where bytes are copied to that are wanted for a while: memory of which nothing is wanted is used again. */
export class ByteBlocks {
  #current: Block | undefined;
  #nextBytes = firstBytes;

  /** A copy that stays until its block is released as often as it was given or held. */
  copy(bytes: Uint8Array): { readonly block: Block; readonly from: number } {
    const block = this.#withRoom(bytes.length);
    const from = block.used;
    block.memory.set(bytes, from);
    block.used += bytes.length;
    block.wanted += 1;
    return { block, from };
  }

  /** Puts more behind the copy that ends at `end`, where it is the newest and its block has the room; says whether. */
  extend(block: Block, end: number, more: Uint8Array): boolean {
    if (block !== this.#current || end !== block.used) return false;
    if (block.memory.length - block.used < more.length) return false;
    block.memory.set(more, block.used);
    block.used += more.length;
    return true;
  }

  /** Keeps what is in a block once more. */
  hold(block: Block): Block {
    block.wanted += 1;
    return block;
  }

  release(block: Block): void {
    block.wanted -= 1;
    if (block.wanted === 0 && block !== this.#current) keepSpare(block);
  }

  /** No more is copied for now. */
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
    // Nothing in it is wanted any more, and it was spared as the current one.
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
