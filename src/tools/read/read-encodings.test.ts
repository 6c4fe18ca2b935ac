import { expect, test } from "vitest";
import { callTool, toolBench } from "../../testing/index.ts";
import { encodeText } from "../files/encodings/codec.ts";
import { read } from "./read.ts";

test.for([
  { encoding: "utf-16le", bytes: Buffer.from("\uFEFFfirst\nsecond \u00E9", "utf16le") },
  { encoding: "utf-16be", bytes: Buffer.from("\uFEFFfirst\nsecond \u00E9", "utf16le").swap16() },
  {
    encoding: "utf-32le",
    bytes: encodeText("first\nsecond \u00E9", {
      encoding: "utf-32le",
      markBytes: 4,
      isSure: true,
    }),
  },
])("text with a $encoding mark is read, and the encoding named", async ({ encoding, bytes }) => {
  const result = await callTool(read, { file_path: "a" }, { files: { a: bytes ?? "" } });

  expect(result.text).toBe(`1\tfirst\n2\tsecond \u00E9\n(Decoded from ${encoding}.)`);
  expect(result.metadata).toMatchObject({ encoding, totalLines: 2 });
});

test("an older encoding is detected, named, and another one can be asked for", async () => {
  const files = { a: Buffer.from("x = 1 # caf\xE9 cr\xE8me\n", "latin1") };

  const detected = await callTool(read, { file_path: "a" }, { files });
  const asked = await callTool(read, { file_path: "a", encoding: "windows-1251" }, { files });

  expect(detected.text).toMatchInlineSnapshot(`
    "1	x = 1 # café crème
    (Decoded from windows-1252, as its bytes suggest; encoding reads it as another.)"
  `);
  expect(asked.text).toMatchInlineSnapshot(`
    "1	x = 1 # cafй crиme
    (Decoded from windows-1251.)"
  `);
  await expect(
    callTool(read, { file_path: "a", encoding: "klingon" }, { files }),
  ).rejects.toMatchObject({ code: "INVALID_INPUT", message: "klingon is not a known encoding." });
});

test("an older encoding that shows only after the first 512 bytes is detected too", async () => {
  const files = { a: Buffer.from(`${"code();\n".repeat(100)}// caf\xE9 cr\xE8me\n`, "latin1") };

  const result = await callTool(read, { file_path: "a", offset: 101 }, { files });

  expect(result.text).toContain("101\t// caf\u00E9 cr\u00E8me\n");
  expect(result.metadata).toMatchObject({ encoding: "windows-1252" });
  expect(result.metadata).not.toHaveProperty("lossyDecode");
});

test("a huge file in another encoding is read by pages as well", async () => {
  const text = "\u041F\u0440\u0438\u0432\u0435\u0442, \u043C\u0438\u0440\n";
  const form = { encoding: "windows-1251", markBytes: 0, isSure: false };
  const line = encodeText(text, form) ?? new Uint8Array(0);
  const bytes = Buffer.alloc(line.length * 800_000, line);

  const result = await callTool(
    read,
    { file_path: "a", offset: 700_000, limit: 1 },
    { files: { a: bytes } },
  );

  expect(result.text).toContain(`700000\t${text}`);
  expect(result.metadata).toMatchObject({ encoding: "windows-1251", next: 700_001 });
});

test.for([
  { why: "named", hex: "636166e90a", named: "latin1", view: { name: "windows-1252" } },
  { why: "letters", hex: "636166e90a", view: { name: "windows-1252", isConcluded: true } },
  {
    why: "nothing else is near",
    hex: "82b182ea82cd8365835883678365834c835883670a",
    view: { name: "shift_jis" },
  },
  { why: "a guess", hex: "c7d1b1db0a", view: undefined },
  { why: "UTF-8", hex: "c3a90a", view: undefined },
  { why: "named UTF-8", hex: "610a", named: "utf8", view: undefined },
  { why: "its mark says so", hex: "fffe61000a00", view: undefined },
  { why: "only the call says so", hex: "61000a00", named: "utf-16le", view: { name: "utf-16le" } },
  { why: "a mark of UTF-32", hex: "fffe000061000000", view: { name: "utf-32le" } },
])("how a file may be written again is remembered: $why", async ({ hex, named, view }) => {
  const bench = toolBench({ files: { a: Buffer.from(hex, "hex") } });

  await bench.call(read, { file_path: "a", ...(named === undefined ? {} : { encoding: named }) });

  expect(bench.seenFiles.view("/project/a")).toEqual({
    hash: expect.stringMatching(/^sha256:/u),
    ...(view === undefined ? {} : { encoding: view }),
  });
});

test("a guess is called one", async () => {
  const result = await callTool(
    read,
    { file_path: "a" },
    { files: { a: Buffer.from("c7d1b1db0a", "hex") } },
  );

  expect(result.text).toContain(
    "(Decoded from gb18030, which is a guess; to change the file, read it with encoding.)",
  );
});
