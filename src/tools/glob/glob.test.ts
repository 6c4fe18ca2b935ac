import { expect, test } from "vitest";
import { limitsWith, type GlobEvent } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { glob } from "./glob.ts";
import { searchRoot } from "./glob.ts";

const files = {
  "src/a.ts": "1",
  "src/deep/b.ts": "x".repeat(2000),
  "src/c.js": "",
  "node_modules/p/index.ts": "",
  ".gitignore": "gen/\n",
  "gen/d.ts": "",
};

test("newest first, ignored ones left out", async () => {
  const host = memoryHost({ files });
  host.control.plant("src/a.ts", { kind: "file", content: "1", mtimeMs: 1000 });
  host.control.plant("src/deep/b.ts", { kind: "file", content: "x".repeat(2000), mtimeMs: 2000 });

  const result = await callTool(glob, { pattern: "*.ts" }, { host });

  expect(result.text).toBe(
    "src/deep/b.ts\nsrc/a.ts\n(Not searched: gen/, node_modules/; include_ignored adds them.)",
  );
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
  expect(result.text).toMatchInlineSnapshot(`"No file matches *.zig in src."`);
});

test("directories that were not looked into are named, and nothing is walked twice", async () => {
  const host = memoryHost({ files: { "dist/a.zig": "", "vendor/b.zig": "", ".git/c.zig": "" } });
  let walks = 0;
  const walk = host.search.glob.bind(host.search);
  host.search.glob = (query, options) => {
    walks += 1;
    return walk(query, options);
  };

  const result = await callTool(glob, { pattern: "*.zig" }, { host });

  expect(result).toMatchObject({
    text: "No file matches *.zig.\n(Not searched: dist/, vendor/; include_ignored adds them.)",
    metadata: { found: 0, ignored: 0, ignoredDirectories: { count: 2 } },
  });
  expect(walks).toBe(1);
});

test("ignored files that the walk came by are counted", async () => {
  const mixed = { "a.log": "", "b.log": "", ".gitignore": "b.log", "c.pyc": "" };

  expect((await callTool(glob, { pattern: "*.log" }, { files: mixed })).text).toBe(
    "a.log\n(Not searched: 1 ignored file; include_ignored adds it.)",
  );
});

test("links that match are named and not followed, broken ones too", async () => {
  const host = memoryHost({ files: { "AGENTS.md": "x" } });
  host.control.plant("CLAUDE.md", { kind: "symlink", target: "AGENTS.md" });
  host.control.plant("gone.md", { kind: "symlink", target: "nowhere" });

  const { text, metadata } = await callTool(glob, { pattern: "*.md" }, { host });

  expect(text).toBe("AGENTS.md\n(Links are not followed; CLAUDE.md, gone.md would match.)");
  expect(metadata).toMatchObject({ found: 1 });
});

test("of many links that match five are named", async () => {
  const host = memoryHost();
  const links = (count: number) => {
    host.control.plant(`${count}.md`, { kind: "symlink", target: "nowhere" });
  };
  for (let count = 1; count <= 5; count++) links(count);
  const five = await callTool(glob, { pattern: "*.md" }, { host });
  links(6);

  const six = await callTool(glob, { pattern: "*.md" }, { host });

  expect(five.text).toContain("; 1.md, 2.md, 3.md, 4.md, 5.md would match.");
  expect(six.text).toContain("; 1.md, 2.md, 3.md, 4.md, 5.md, and others would match.");
});

test("the limits of the toolkit hold", async () => {
  const services = { limits: limitsWith({ glob: { found: 3, shown: 2 } }) };
  const five = Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [`${name}.txt`, ""]));
  const result = await callTool(glob, { pattern: "*.txt" }, { files: five, services });

  expect(result.metadata).toMatchObject({ found: 3, shown: 2, isCut: true, next: 3 });
  expect(result.text).toContain("(1 to 2 of 3+ files, newest first.");
  expect(result.text).toContain("The search stopped at 3 files");
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
  expect((await bench.call(glob, input)).text).toBe("src/a.ts");
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
      message: "src/a.ts is not a directory.",
      hint: "Give the directory to search as path, and the pattern as pattern.",
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
