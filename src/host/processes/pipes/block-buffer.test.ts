import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByteBlocks, type Block } from "./block-buffer.ts";

test("no copy is overwritten while it is wanted", () => {
  const act = fc.oneof(
    fc.record({ act: fc.constant("copy" as const), bytes: fc.integer({ min: 1, max: 70_000 }) }),
    fc.record({ act: fc.constant("release" as const), which: fc.nat(20) }),
    fc.record({ act: fc.constant("hold" as const), which: fc.nat(20) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 200 }), (acts) => {
      const blocks = new ByteBlocks();
      const wanted: { block: Block; bytes: Uint8Array; value: number }[] = [];
      for (const [value, each] of acts.entries()) {
        if (each.act === "copy") {
          const given = new Uint8Array(each.bytes).fill(value);
          wanted.push({ ...copied(blocks, given), value });
          continue;
        }
        const at = each.which % Math.max(1, wanted.length);
        const one = wanted[at];
        if (one === undefined) continue;
        if (each.act === "hold") {
          blocks.hold(one.block);
          wanted.push(one);
        } else {
          wanted.splice(at, 1);
          blocks.release(one.block);
        }
        for (const { bytes, value: expected } of wanted) {
          expect([bytes[0], bytes.at(-1)]).toEqual([expected, expected]);
        }
      }
    }),
  );
});

test("memory of which nothing is wanted is used again", () => {
  const blocks = new ByteBlocks();
  const piece = new Uint8Array(65_536);
  const memories = new Set<Uint8Array>();
  let last: Block | undefined;
  for (let index = 0; index < 1000; index += 1) {
    const { block } = blocks.copy(piece);
    memories.add(block.memory);
    if (last !== undefined) blocks.release(last);
    last = block;
  }

  expect(memories.size).toBeLessThanOrEqual(4);
});

test("a copy grows where it is the newest, its block has the room, and nothing is behind it", () => {
  const blocks = new ByteBlocks();
  blocks.copy(new Uint8Array(300_000));
  const { block, from } = blocks.copy(Uint8Array.of(1, 2));
  expect(blocks.extend(block, from + 2, Uint8Array.of(3))).toBe(true);
  expect(block.memory.slice(from, from + 3)).toEqual(Uint8Array.of(1, 2, 3));
  const second = copied(blocks, Uint8Array.of(9));

  expect(blocks.extend(block, from + 3, Uint8Array.of(4))).toBe(false);
  expect(blocks.extend(second.block, second.end, new Uint8Array(262_144))).toBe(false);
  blocks.copy(new Uint8Array(262_144));
  expect(blocks.extend(second.block, second.end, Uint8Array.of(4))).toBe(false);
  expect(block.memory.slice(from, from + 3)).toEqual(Uint8Array.of(1, 2, 3));
  expect(second.bytes).toEqual(Uint8Array.of(9));
});

test("a little takes little", () => {
  const { block } = new ByteBlocks().copy(new Uint8Array(1));

  expect(block.memory.length).toBe(1024);
});

function copied(blocks: ByteBlocks, bytes: Uint8Array) {
  const { block, from } = blocks.copy(bytes);
  const end = from + bytes.length;
  return { block, end, bytes: block.memory.subarray(from, end) };
}
