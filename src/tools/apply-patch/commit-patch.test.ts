import { expect, test } from "vitest";
import { ToolError } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { toolBench } from "../../testing/index.ts";
import { read } from "../read/read.ts";
import { applyPatch } from "./apply-patch.ts";

const patch = (...lines: readonly string[]) => ({
  patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
});

test.for([
  { path: "b.ts", operation: "writeAtomic", because: "a later change" },
  { path: "c.ts", operation: "writeAtomic", because: "a new file" },
  { path: "d.ts", operation: "remove", because: "the first file to go" },
] as const)("where $because fails, all before it is undone", async ({ path, operation }) => {
  const files = { "a.ts": "one\n", "b.ts": "two\n", "d.ts": "four\n" };
  const host = memoryHost({ files });
  const bench = toolBench({ host });
  for (const file_path of Object.keys(files)) await bench.call(read, { file_path });
  const before = host.control.texts();
  host.control.fail({ path, operation, fails: "ENOSPC" });
  const input = patch(
    ...["a.ts", "b.ts"].flatMap((name, at) => [
      `*** Update File: ${name}`,
      "@@",
      at === 0 ? "-one" : "-two",
      "+changed",
    ]),
    "*** Add File: n.ts",
    "+new",
    "*** Add File: c.ts",
    "+new",
    "*** Delete File: d.ts",
  );

  await expect(bench.call(applyPatch, input)).rejects.toMatchObject({
    code: "NO_SPACE",
    message: expect.stringContaining("Every file is as it was."),
  });
  expect(host.control.texts()).toEqual(before);
});

test("a file that is gone when a later one fails is named", async () => {
  const files = { "a.ts": "one\n", "b.ts": "two\n", "c.ts": "three\n" };
  const host = memoryHost({ files });
  const bench = toolBench({ host });
  for (const file_path of Object.keys(files)) await bench.call(read, { file_path });
  host.control.fail({ path: "c.ts", operation: "remove", fails: "EACCES" });

  const input = patch(
    "*** Update File: a.ts",
    "@@",
    "-one",
    "+1",
    "*** Delete File: b.ts",
    "*** Delete File: c.ts",
  );
  await expect(bench.call(applyPatch, input)).rejects.toMatchObject({
    code: "ACCESS_DENIED",
    message: expect.stringContaining("Not undone: b.ts; undo reverts the call."),
    data: { left: ["b.ts"] },
  });
  expect(host.control.texts()).toEqual({
    "/project/a.ts": "one\n",
    "/project/c.ts": "three\n",
  });
});

/** A bench whose host changes other files at the moment when one is written or removed. */
async function interrupted(
  files: Readonly<Record<string, string>>,
  on: (event: {
    readonly operation: "writeAtomic" | "remove";
    readonly path: string;
    readonly write: (path: string, text: string) => Promise<void>;
  }) => Promise<void>,
) {
  const host = memoryHost({ files });
  const writeAtomic = host.fs.writeAtomic.bind(host.fs);
  const remove = host.fs.remove.bind(host.fs);
  const write = async (path: string, text: string): Promise<void> => {
    await writeAtomic(path, Buffer.from(text));
  };
  host.fs.writeAtomic = async (path, data, options) => {
    await on({ operation: "writeAtomic", path, write });
    return writeAtomic(path, data, options);
  };
  host.fs.remove = async (path, options) => {
    await on({ operation: "remove", path, write });
    await remove(path, options);
  };
  const bench = toolBench({ host });
  for (const file_path of Object.keys(files)) await bench.call(read, { file_path });
  return { host, bench };
}

test("a moved file whose source is gone keeps its new place when a later one fails", async () => {
  const files = { "a.ts": "one\n", "b.ts": "two\n" };
  const host = memoryHost({ files });
  const bench = toolBench({ host });
  for (const file_path of Object.keys(files)) await bench.call(read, { file_path });
  host.control.fail({ path: "b.ts", operation: "remove", fails: "EACCES" });

  const input = patch("*** Update File: a.ts", "*** Move to: moved.ts", "*** Delete File: b.ts");
  await expect(bench.call(applyPatch, input)).rejects.toMatchObject({
    message: expect.stringContaining("Not undone: a.ts, moved.ts;"),
  });
  expect(host.control.texts()).toEqual({
    "/project/moved.ts": "one\n",
    "/project/b.ts": "two\n",
  });
});

test("no file goes when another one that is to go has changed", async () => {
  const files = { "a.ts": "one\n", "b.ts": "two\n" };
  const { host, bench } = await interrupted(files, async ({ operation, path, write }) => {
    if (operation === "writeAtomic" && path.endsWith("/n.ts")) {
      await write("/project/b.ts", "theirs\n");
    }
  });

  const input = patch(
    "*** Add File: n.ts",
    "+new",
    "*** Delete File: a.ts",
    "*** Delete File: b.ts",
  );
  await expect(bench.call(applyPatch, input)).rejects.toMatchObject({
    code: "STALE_READ",
    message: "b.ts changed while the patch was applied. Every file is as it was.",
  });
  expect(host.control.texts()).toEqual({
    "/project/a.ts": "one\n",
    "/project/b.ts": "theirs\n",
  });
});

test("a new file that another process changed in the meantime is not undone", async () => {
  const { host, bench } = await interrupted(
    { "a.ts": "one\n" },
    async ({ operation, path, write }) => {
      if (operation !== "remove" || path.endsWith("/n.ts")) return;
      await write("/project/n.ts", "theirs\n");
      throw new ToolError("ACCESS_DENIED", "It may not go.");
    },
  );

  const input = patch("*** Add File: n.ts", "+new", "*** Delete File: a.ts");
  await expect(bench.call(applyPatch, input)).rejects.toMatchObject({ data: { left: ["n.ts"] } });
  expect(host.control.texts()).toEqual({ "/project/a.ts": "one\n", "/project/n.ts": "theirs\n" });
});
