import { expect, test } from "vitest";
import type { GlobEvent } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { glob } from "./glob.ts";
import { searchRoot } from "./search-root.ts";

const files = {
  "src/a.ts": "1",
  "src/deep/b.ts": "x".repeat(2000),
  "src/c.js": "",
  "node_modules/p/index.ts": "",
  ".gitignore": "gen/\n",
  "gen/d.ts": "",
};

test("newest first, with sizes, ignored ones left out", async () => {
  const host = memoryHost({ files });
  host.control.plant("src/a.ts", { kind: "file", content: "1", mtimeMs: 1000 });
  host.control.plant("src/deep/b.ts", { kind: "file", content: "x".repeat(2000), mtimeMs: 2000 });

  const result = await callTool(glob, { pattern: "*.ts" }, { host });

  expect(result.text).toBe("src/deep/b.ts\t2 kB\nsrc/a.ts\t1 B");
  expect(result).toMatchObject({
    title: "Glob *.ts",
    summary: "2 files",
    metadata: { root: "/project", found: 2, shown: 2, isCut: false, withheld: 0 },
  });
});

test("ignored files are found when asked for", async () => {
  const result = await callTool(glob, { pattern: "*.ts", include_ignored: true }, { files });

  expect(result.text).toContain("gen/d.ts");
  expect(result.text).toContain("node_modules/p/index.ts");
});

test("100 are shown with the count and how to see more", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`f${String(index).padStart(3, "0")}.txt`, ""]),
  );
  const bench = toolBench({ files: many });

  const first = await bench.call(glob, { pattern: "*.txt" });
  const last = await bench.call(glob, { pattern: "*.txt", offset: 201 });
  const beyond = await bench.call(glob, { pattern: "*.txt", offset: 900 });

  expect(first.text).toMatch(
    /\n\(1 to 100 of 250 files, newest first\. Continue with offset 101, or narrow the pattern\.\)$/u,
  );
  expect(first.metadata).toMatchObject({ found: 250, shown: 100, next: 101 });
  expect(last.text).toMatch(/\n\(201 to 250 of 250 files, newest first\.\)$/u);
  expect(last.metadata).not.toHaveProperty("next");
  expect(beyond.text).toBe("(There are only 250 files.)");
});

test("after 10,000 files the search stops and says what that means", async () => {
  const host = memoryHost({ files: { a: "" } });
  let given = 0;
  const endless = {
    ...host.search,
    async *glob(): AsyncGenerator<GlobEvent> {
      for (;;) {
        given++;
        yield { kind: "files", files: [{ path: "/project/a", size: 0, mtimeMs: 0 }] };
      }
    },
  };
  const result = await callTool(
    glob,
    { pattern: "*" },
    {
      host: {
        ...host,
        fs: host.fs,
        proc: host.proc,
        search: endless,
        [Symbol.asyncDispose]: async () => undefined,
      },
    },
  );

  expect(given).toBe(10_001);
  expect(result.metadata).toMatchObject({ found: 10_000, isCut: true });
  expect(result.text).toContain("1 to 100 of 10,000+ files");
  expect(result.text).toContain("newer ones may be among the rest");
});

test("nothing found is an answer, not an error", async () => {
  const result = await callTool(glob, { pattern: "*.zig", path: "src" }, { files });

  expect(result.isError).toBe(false);
  expect(result.text).toMatchInlineSnapshot(`
    "No file matches *.zig in src.
    (No ignored file matches either.)"
  `);
});

test("withheld files are counted, never named", async () => {
  const result = await callTool(glob, { pattern: "*.ts" }, { files, deny: ["src/deep"] });

  expect(result.text).toContain("src/a.ts");
  expect(result.text).not.toContain("b.ts");
  expect(result.text).toContain("1 file withheld by permission rules.");
});

test.for([
  { pattern: "*.ts", path: ".", root: ".", rest: "*.ts" },
  { pattern: "/project/src/**/*.ts", path: ".", root: "/project/src", rest: "**/*.ts" },
  { pattern: "/project/src/a.ts", path: ".", root: "/project/src", rest: "/a.ts" },
  { pattern: "/*.ts", path: ".", root: "/", rest: "/*.ts" },
  { pattern: "../lib/*.ts", path: ".", root: "../lib", rest: "/*.ts" },
  { pattern: "../lib/*.ts", path: "src", root: "src/../lib", rest: "/*.ts" },
])("$pattern from $path looks in $root", ({ pattern, path, root, rest }) => {
  expect(searchRoot(pattern, path)).toEqual({ root, pattern: rest });
});

test("a pattern with its own folder finds what is there, and declares it", async () => {
  const bench = toolBench({ files });
  const input = { pattern: "/project/src/*.ts" };

  expect(await bench.effects(glob, input)).toEqual([
    { kind: "read", path: "/project/src", scope: "tree" },
  ]);
  expect((await bench.call(glob, input)).text).toBe("src/a.ts\t1 B");
});

test("a missing folder and a file in its place are told apart", async () => {
  await expect(callTool(glob, { pattern: "*", path: "scr" }, { files })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "scr does not exist.",
    hint: "Did you mean src?",
  });
  await expect(callTool(glob, { pattern: "*", path: "src/a.ts" }, { files })).rejects.toMatchObject(
    {
      code: "NOT_A_DIRECTORY",
      message: "src/a.ts is not a folder.",
      hint: "Give the folder to search in as path, and the pattern as pattern.",
    },
  );
});

test.for(
  toolContract(glob, [
    { name: "files", input: { pattern: "**/*.ts" }, files },
    { name: "no files", input: { pattern: "*.none" }, files },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
