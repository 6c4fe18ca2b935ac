import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ByteRing } from "./ring-buffer.ts";

test("the latest bytes are held, whatever the pieces they come in", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 50 }),
      fc.nat(1000),
      (pieces, limit, start) => {
        const ring = new ByteRing(limit, start);
        const all: number[] = [];
        for (const piece of pieces) {
          ring.add(piece);
          all.push(...piece);
        }
        const held = Math.min(limit, all.length);
        expect([ring.start, ring.end]).toEqual([start + all.length - held, start + all.length]);
        expect([...(ring.slice(ring.start, ring.end) ?? [])]).toEqual(all.slice(all.length - held));
        const from = Math.max(ring.start, ring.end - 2);
        expect([...(ring.slice(from, ring.end - 1) ?? [])]).toEqual(
          held < 2 ? [] : all.slice(-2, -1),
        );
        expect(ring.slice(ring.start - 1, ring.end)).toBeUndefined();
      },
    ),
  );
});

test("growing keeps what is held, and past the end there is nothing", () => {
  const ring = new ByteRing(100_000);
  const piece = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
  for (let count = 0; count < 90; count += 1) ring.add(piece);

  expect(ring.slice(0, 1000)).toEqual(piece);
  expect(ring.slice(89_000, 200_000)).toEqual(piece);
  expect(ring.slice(90_000, 200_000)).toEqual(new Uint8Array());
});

test("a full buffer allocates no more memory", () => {
  const ring = new ByteRing(300_000);
  const piece = new Uint8Array(65_536);
  for (let count = 0; count < 10; count += 1) ring.add(piece);
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < 10_000; count += 1) ring.add(piece);

  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(300_000);
});
