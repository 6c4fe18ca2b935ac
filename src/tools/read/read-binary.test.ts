import { expect, test } from "vitest";
import { callTool } from "../../testing/index.ts";
import { read } from "./read.ts";

test("only the first 512 bytes decide, and what is lost later is said", async () => {
  const late = Uint8Array.from([...Buffer.from(`\u00E9${"x".repeat(600)}`), 0xff, 10]);

  const result = await callTool(read, { file_path: "a" }, { files: { a: late } });

  expect(result.metadata).toMatchObject({ lossyDecode: true });
  expect(result.text).toContain("this text is not exact");
});

test("a NUL is looked for in the first 512 bytes", async () => {
  const files = { early: `${"x".repeat(511)}\0\n`, late: `${"x".repeat(512)}\0\n` };

  const late = await callTool(read, { file_path: "late" }, { files });

  expect(late.metadata).toMatchObject({ encoding: "utf-8" });
  await expect(callTool(read, { file_path: "early" }, { files })).rejects.toMatchObject({
    code: "BINARY_FILE",
  });
});

test("a sequence cut by the 512th byte is no reason to call a file binary", async () => {
  const result = await callTool(
    read,
    { file_path: "a" },
    { files: { a: `${"x".repeat(511)}\u00E9 and \uFFFD` } },
  );

  expect(result.text).toContain("\u00E9 and \uFFFD");
  expect(result.metadata).not.toHaveProperty("lossyDecode");
});
