import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool } from "../../testing/index.ts";
import { grep } from "./grep.ts";

const files = {
  "src/a.ts": "import x from 'x';\nconst foo = 1;\nfoo + foo;\n",
  "src/b.ts": "nothing\nfoo();\nbar\nbaz\nqux\nfoo again\n",
  "docs/c.md": "Foo in words\n",
  ".gitignore": "gen/\n",
  "gen/d.ts": "foo generated\n",
};

test("a pattern that is not a regular expression is explained, and literal is offered", async () => {
  const call = callTool(grep, { pattern: "foo(" }, { files });

  await expect(call).rejects.toMatchObject({
    code: "INVALID_INPUT",
    message: expect.stringContaining("foo( is not a usable regular expression"),
    hint: "Escape characters that are meant literally, or set literal to true to search for exactly this text.",
  });
  const result = await callTool(grep, { pattern: "foo(", literal: true }, { files });
  expect(result.text).toBe(
    "src/b.ts\n(1 file, newest first. Not searched: gen/; include_ignored adds it.)",
  );
});

test("a line break in the pattern is answered with multiline", async () => {
  await expect(callTool(grep, { pattern: "a\\nb" }, { files })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    hint: "Set multiline to true to match across lines.",
  });
});

test("an unknown type explains itself", async () => {
  const error: unknown = await callTool(grep, { pattern: "a", type: "klingon" }, { files }).catch(
    (reason: unknown) => reason,
  );

  expect(ToolError.is(error) && error.message).toBe("There is no file type klingon.");
});

test("a missing path and a pipe are told apart", async () => {
  const host = memoryHost({ files });
  host.control.plant("pipe", { kind: "fifo" });

  await expect(callTool(grep, { pattern: "a", path: "scr" }, { host })).rejects.toMatchObject({
    code: "NOT_FOUND",
    hint: "Did you mean src?",
  });
  await expect(callTool(grep, { pattern: "a", path: "pipe" }, { host })).rejects.toMatchObject({
    code: "NOT_A_FILE",
    hint: "Search a regular file or a directory.",
  });
});
