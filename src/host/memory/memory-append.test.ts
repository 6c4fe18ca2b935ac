import * as fc from "fast-check";
import { expect, test } from "vitest";
import { memoryHost } from "./memory-host.ts";

test("a file that grows by parts holds them in order, and what was read before stays as it was", async () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(parts, async (all) => {
      const { fs } = memoryHost({ root: "/project" });
      const seen: Uint8Array[] = [];
      for (const [index, part] of all.entries()) {
        await fs.append("/project/log", part);
        await fs.append("/project/other", Uint8Array.of(index));
        seen.push((await fs.readFile("/project/log")).bytes);
      }

      const expected = all.map((_, index) => Buffer.concat(all.slice(0, index + 1)));
      expect(seen.map((each) => [...each])).toEqual(expected.map((each) => [...each]));
    }),
  );
});

test("a file that is written again has nothing of what was appended before", async () => {
  const { fs } = memoryHost({ root: "/project" });
  for (const text of ["one", "two", "three"]) await fs.append("/project/log", bytesOf(text));

  await fs.writeAtomic("/project/log", bytesOf("new"));
  await fs.append("/project/log", bytesOf("er"));

  expect((await fs.readFile("/project/log")).bytes).toEqual(bytesOf("newer"));
});

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
