import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentLine, contentOfLine, maxInlineBytes, parseLine } from "./log-line.ts";
import { codePoint } from "../../../test/support/code-point.ts";

const hash = `sha256:${"0f".repeat(32)}`;
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Parsed line of a content. */
function readBack(bytes: Uint8Array) {
  const text = contentLine(hash, bytes);
  const line = encode(text);
  const content = Buffer.from(contentOfLine(line) ?? []).toString("hex");
  return { content, head: parseLine(line, "log"), isOneLine: !text.includes("\n") };
}

function expected(bytes: Uint8Array): ReturnType<typeof readBack> {
  const head = { kind: "content", hash, size: bytes.length } as const;
  return { content: Buffer.from(bytes).toString("hex"), head, isOneLine: true };
}

test("a line gives back any content byte for byte", () => {
  const text = fc.string({ unit: codePoint }).map(encode);
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), text), (bytes) => {
      expect(readBack(bytes)).toEqual(expected(bytes));
    }),
  );
});

test.each([
  { content: "", because: "nothing is a content too" },
  { content: "\uFEFFone", because: "a mark at the beginning is part of it" },
  { content: 'a"\\\r\n\t\u2028\u{1F600}', because: "what JSON writes out comes back" },
  { content: "é".repeat(1024), because: "as long as a text may be" },
  { content: `${"é".repeat(1024)}x`, because: "one byte longer" },
  { content: "x".repeat(maxInlineBytes), because: "as long as a line may be" },
])("a line gives back a text: $because", ({ content }) => {
  const bytes = encode(content);
  expect(readBack(bytes)).toEqual(expected(bytes));
});

test("part of some memory is kept, not all of it", () => {
  const part = encode(`${"y".repeat(1000)}${"z".repeat(7000)}y`).subarray(1000, 8000);
  expect(readBack(part)).toEqual(expected(part));
});

test("a short text is readable in its line; a long one is not, so that it is written at once", () => {
  expect(contentLine(hash, encode("x".repeat(2048)))).toContain(`"text":"${"x".repeat(2048)}"`);
  expect(contentLine(hash, encode("x".repeat(2049)))).not.toContain("text");
});

test("a line truncated anywhere is damaged, whatever its text looks like there", () => {
  const likely = fc.string({
    unit: fc.constantFrom("}", '"', "\\", "x", "\n", "é"),
    maxLength: 40,
  });
  fc.assert(
    fc.property(fc.oneof(likely.map(encode), fc.uint8Array({ maxLength: 40 })), (bytes) => {
      const line = encode(contentLine(hash, bytes));
      const cut = Array.from(line, (_, length) => parseLine(line.subarray(0, length), "log"));
      expect(cut.filter(({ kind }) => kind !== "damaged")).toEqual([]);
      expect(parseLine(line, "log")).toEqual(expected(bytes).head);
    }),
  );
});

test("of a damaged line no more paths are read than a record names", () => {
  const paths = Array.from({ length: 5000 }, (_, at) => `{"path":"/project/${at}"}`);
  const text = `{"version":2,"kind":"call","id":"abc","callId":"1","at":1,"paths":[${paths.join()}],}`;

  const line = parseLine(encode(text), "log");

  expect(line).toMatchObject({ kind: "damaged", record: { callId: "1" } });
  const count = line.kind === "damaged" ? line.record?.paths.length : undefined;
  expect(count).toBe(8);
});
