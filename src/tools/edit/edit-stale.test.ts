import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { change, numbered, seen } from "../../../test/support/edit-bench.ts";
import { toolBench } from "../../testing/index.ts";
import { read } from "../read/read.ts";
import { edit } from "./edit.ts";

test("a file that was not read is not edited", async () => {
  const bench = toolBench({ files: { "a.ts": "one" } });

  await expect(bench.call(edit, change("one", "two"))).rejects.toMatchObject({
    code: "NOT_READ",
    message: "a.ts was not read in this session.",
    hint: "Read it, or the lines to change, then edit.",
  });
  expect(bench.files()["a.ts"]).toBe("one");
});

test("a file changed since it was read is not edited", async () => {
  const bench = await seen("one\n");
  await bench.host.fs.writeAtomic("/project/a.ts", Buffer.from("one\nmore\n"));

  await expect(bench.call(edit, change("one", "two"))).rejects.toMatchObject({
    code: "STALE_READ",
    message: "a.ts changed since you read it.",
    hint: "Read it again, then edit.",
  });
});

test("a file changed between its check and its write is not edited", async () => {
  const host = memoryHost({ files: { "a.ts": "one\n" } });
  const bench = toolBench({ host });
  await bench.call(read, { file_path: "a.ts" });
  const racing = {
    ...host.fs,
    canonical: host.fs.canonical.bind(host.fs),
    stat: host.fs.stat.bind(host.fs),
    readFile: async (path: string) => {
      const file = await host.fs.readFile(path);
      await host.fs.writeAtomic(path, Buffer.from("theirs\n"));
      return file;
    },
    writeAtomic: host.fs.writeAtomic.bind(host.fs),
  };
  const raced = toolBench({
    host: { ...host, fs: racing, [Symbol.asyncDispose]: async () => undefined },
  });
  const view = bench.seenFiles.view("/project/a.ts");
  if (view !== undefined) raced.seenFiles.saw("/project/a.ts", view);

  await expect(raced.call(edit, change("one", "two"))).rejects.toMatchObject({
    code: "STALE_READ",
  });
  expect(host.control.texts()["/project/a.ts"]).toBe("theirs\n");
});

test("a page is enough for an edit in it, and only in it", async () => {
  const bench = await seen(numbered(10), { offset: 3, limit: 3 });

  await expect(bench.call(edit, change("line 9", "nine"))).rejects.toMatchObject({
    code: "NOT_READ",
    message: "Line 9 of a.ts was not read in this session.",
    hint: "Read the file with offset 9 and limit 1, then edit.",
  });
  await bench.call(edit, change("line 4\n", "four\nfour and a half\n"));
  expect(bench.seenFiles.view("/project/a.ts")?.ranges).toEqual([[3, 6]]);
  await bench.call(edit, change("line 5\n", "five\n"));
  await expect(bench.call(edit, change("line 6\n", "six\n"))).rejects.toMatchObject({
    code: "NOT_READ",
    data: { firstLine: 7, lastLine: 7 },
  });
});

test("an edit may follow an edit without a new read", async () => {
  const bench = await seen("one\ntwo\n");

  await bench.call(edit, change("one", "1"));
  await bench.call(edit, change("two", "2"));

  expect(bench.files()["a.ts"]).toBe("1\n2\n");
});
