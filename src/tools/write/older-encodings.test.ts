import { expect, test } from "vitest";
import { toolBench, type ToolBench } from "../../testing/index.ts";
import { edit } from "../edit/edit.ts";
import { read } from "../read/read.ts";
import { write } from "./write.ts";

async function seen(hex: string, encoding?: string): Promise<ToolBench> {
  const files = { a: Buffer.from(hex.replaceAll(" ", ""), "hex") };
  const bench = toolBench({ files });
  await bench.call(read, { file_path: "a", ...(encoding === undefined ? {} : { encoding }) });
  return bench;
}

const bytesOf = async (bench: ToolBench): Promise<string> =>
  Buffer.from((await bench.host.fs.readFile("/project/a")).bytes).toString("hex");

test("a file is replaced in the encoding in which it was read, with its line endings, and edited so afterwards", async () => {
  const bench = await seen("95 5c 0d 0a 83 5c 0d 0a", "shift_jis");

  const same = await bench.call(write, { file_path: "a", content: "\u8868\n\u30BD\n" });
  const result = await bench.call(write, { file_path: "a", content: "\u80FD\\\n\u30BD\n" });
  expect(same.text).toContain("already has exactly this content");
  expect(result.text).toContain("Kept its CRLF line endings and encoding, shift_jis.");
  expect(await bytesOf(bench)).toBe("945c5c0d0a835c0d0a");

  await bench.call(edit, { file_path: "a", old_string: "\\", new_string: "\u8868" });
  expect(await bytesOf(bench)).toBe("945c955c0d0a835c0d0a");
});

test("a character that the encoding lacks is refused; with overwrite the file becomes UTF-8", async () => {
  const bench = await seen("63 61 66 e9 0a", "windows-1252");
  const input = { file_path: "a", content: "caf\u00E9 \u4E2D\n" };

  await expect(bench.call(write, input)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: `a is in windows-1252, which has no "\u4E2D" (U+4E2D).`,
  });
  expect(await bytesOf(bench)).toBe("636166e90a");

  const result = await bench.call(write, { ...input, overwrite: true });
  expect(result.text).not.toContain("Kept");
  expect(bench.files()["a"]).toBe(input.content);
  await bench.call(edit, { file_path: "a", old_string: "\u4E2D", new_string: "\u6587" });
  expect(bench.files()["a"]).toBe("caf\u00E9 \u6587\n");
});

test.for([
  { why: "what was only guessed", hex: "c7 d1 b1 db 0a", encoding: undefined },
  { why: "what would not come out the same", hex: "87 90 0a", encoding: "shift_jis" },
])("$why is replaced with overwrite alone, by UTF-8", async ({ hex, encoding }) => {
  const bench = await seen(hex, encoding);
  const input = { file_path: "a", content: "\u4E2D\n" };

  await expect(bench.call(write, input)).rejects.toMatchObject({ code: "BINARY_FILE" });
  await bench.call(write, { ...input, overwrite: true });
  expect(bench.files()["a"]).toBe(input.content);
});
