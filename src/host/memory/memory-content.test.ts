import * as fc from "fast-check";
import { expect, test } from "vitest";
import { MemoryContent } from "./memory-content.ts";

test("what is added is there when it is read, however often, and what was read before stays as it was", () => {
  const step = fc.record({ part: fc.uint8Array({ maxLength: 9 }), isRead: fc.boolean() });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 9 }), fc.array(step), (start, steps) => {
      const content = new MemoryContent(Uint8Array.from(start));
      let all = [...start];
      const seen: (readonly [found: Uint8Array, expected: readonly number[]])[] = [];
      for (const { part, isRead } of steps) {
        const added = Uint8Array.from(part);
        content.append(added);
        all = [...all, ...part];
        // The caller may reuse the buffer it added.
        added.fill(255);
        expect(content.length).toBe(all.length);
        if (isRead) seen.push([content.bytes, all]);
      }

      expect([...content.bytes]).toEqual(all);
      for (const [found, expected] of seen) expect([...found]).toEqual(expected);
    }),
  );
});
