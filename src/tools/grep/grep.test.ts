import { expect, test } from "vitest";
import { gitIndex } from "../../../test/support/git-index.ts";
import {
  defaultSearchSettings,
  limitsWith,
  searchSettings,
  type GrepEvent,
} from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { callTool, toolBench, toolContract } from "../../testing/index.ts";
import { grep } from "./grep.ts";

const files = {
  "src/a.ts": "import x from 'x';\nconst foo = 1;\nfoo + foo;\n",
  "src/b.ts": "nothing\nfoo();\nbar\nbaz\nqux\nfoo again\n",
  "docs/c.md": "Foo in words\n",
  ".gitignore": "gen/\n",
  "gen/d.ts": "foo generated\n",
};

test("files that match, newest first", async () => {
  const host = memoryHost({ files });
  host.control.plant("src/a.ts", { kind: "file", content: files["src/a.ts"], mtimeMs: 1000 });
  host.control.plant("src/b.ts", { kind: "file", content: files["src/b.ts"], mtimeMs: 2000 });

  const result = await callTool(grep, { pattern: "foo" }, { host });

  expect(result.text).toBe(
    "src/b.ts\nsrc/a.ts\n(2 files, newest first. Not searched: gen/; include_ignored adds it.)",
  );
  expect(result).toMatchObject({
    title: "Grep foo",
    summary: "2 files, newest first",
    metadata: { root: "/project", files: 2, matches: 5, shown: 2, isCut: false, withheld: 0 },
  });
});

test("content shows each line as it is in the file", async () => {
  const result = await callTool(grep, { pattern: "foo", output_mode: "content" }, { files });

  expect(result.text).toMatchInlineSnapshot(`
    "src/a.ts
    2: const foo = 1;
    3: foo + foo;

    src/b.ts
    2: foo();
    6: foo again
    (4 matching lines in 2 files. Not searched: gen/; include_ignored adds it.)"
  `);
  expect(result.metadata).toMatchObject({ files: 2, matches: 4 });
});

test("context lines are told apart from matches, and gaps are marked", async () => {
  const result = await callTool(
    grep,
    { pattern: "foo", output_mode: "content", path: "src/b.ts", "-B": 1, "-A": 1 },
    { files },
  );

  expect(result.text).toMatchInlineSnapshot(`
    "src/b.ts
    1- nothing
    2: foo();
    3- bar
    --
    5- qux
    6: foo again
    (2 matching lines in 1 file.)"
  `);
});

const around = async (more: object): Promise<string> => {
  const input = { pattern: "bar", output_mode: "content", path: "src/b.ts", "-n": false };
  const { text } = await callTool(grep, { ...input, ...more }, { files });
  return text.split("\n").slice(1, -1).join(" ");
};

test("-C and context mean both sides, -A and -B win", async () => {
  expect(await around({ "-C": 1 })).toBe("foo(); bar baz");
  expect(await around({ context: 1 })).toBe("foo(); bar baz");
  expect(await around({ context: 1, "-A": 0 })).toBe("foo(); bar");
});

test("count says how often each file matches, by path", async () => {
  const result = await callTool(grep, { pattern: "foo", output_mode: "count" }, { files });

  expect(result.text).toBe(
    "src/a.ts: 3\nsrc/b.ts: 2\n(5 matches in 2 files. Not searched: gen/; include_ignored adds it.)",
  );
});

test("-o shows the matching parts alone", async () => {
  const result = await callTool(
    grep,
    { pattern: "fo+", output_mode: "content", "-o": true, path: "src/a.ts" },
    { files },
  );

  expect(result.text).toBe("src/a.ts\n2: foo\n3: foo\n3: foo\n(3 matching lines in 1 file.)");
});

test.for([
  { input: { "-i": true }, found: ["docs/c.md", "src/a.ts", "src/b.ts"], because: "case" },
  { input: { glob: "*.md", "-i": true }, found: ["docs/c.md"], because: "glob" },
  { input: { glob: "!*.md, !b.ts", "-i": true }, found: ["src/a.ts"], because: "several globs" },
  { input: { glob: "*.{md,txt}", "-i": true }, found: ["docs/c.md"], because: "braces" },
  { input: { type: "ts" }, found: ["src/a.ts", "src/b.ts"], because: "type" },
  { input: { path: "docs", "-i": true }, found: ["docs/c.md"], because: "path" },
  {
    input: { include_ignored: true },
    found: ["gen/d.ts", "src/a.ts", "src/b.ts"],
    because: "ignored",
  },
])("the search is narrowed or widened by $because", async ({ input, found }) => {
  const result = await callTool(
    grep,
    { pattern: "foo", output_mode: "count", ...input },
    { files },
  );

  expect(
    result.text
      .split("\n")
      .slice(0, -1)
      .map((line) => line.replace(/: \d+$/u, "")),
  ).toEqual(found);
});

test("matches across lines show each line", async () => {
  const result = await callTool(
    grep,
    { pattern: "bar.baz", multiline: true, output_mode: "content" },
    { files },
  );

  expect(result.text).toBe(
    "src/b.ts\n3: bar\n4: baz\n(2 matching lines in 1 file. Not searched: gen/; include_ignored adds it.)",
  );
});

test("head_limit and offset page through lines and files", async () => {
  const many = { "a.txt": "hit\n".repeat(9), "b.txt": "hit\n" };
  const bench = toolBench({ files: many });
  const content = { pattern: "hit", output_mode: "content" };

  const first = await bench.call(grep, { ...content, head_limit: 3 });
  const last = await bench.call(grep, { ...content, head_limit: 4, offset: 8 });
  const beyond = await bench.call(grep, { ...content, offset: 50 });
  const names = await bench.call(grep, { pattern: "hit", head_limit: 1 });

  expect(first.text).toBe(
    "a.txt\n1: hit\n2: hit\n3: hit\n(Lines 1 to 3; more with offset 4, or narrow the search. The search stopped here, so they are in the order found; later pages have the rest.)",
  );
  expect(first.metadata).toMatchObject({ next: 4, shown: 3, isCut: true });
  expect(last.text).toBe(
    "a.txt\n8: hit\n9: hit\n\nb.txt\n1: hit\n(10 matching lines in 2 files. In the order of their paths, whatever earlier pages showed.)",
  );
  expect(beyond.text).toBe("(There are only 10 lines; use a smaller offset.)");
  expect(names.text).toContain(
    "(Files 1 to 1; more with offset 2, or narrow the search. The search stopped here, so they are in the order found; later pages have the rest.)",
  );
});

test("100 lines are shown unless more are asked for", async () => {
  const many = { "a.txt": "hit\n".repeat(400) };
  const input = { pattern: "hit", output_mode: "content" };

  expect((await callTool(grep, input, { files: many })).metadata).toMatchObject({ shown: 100 });
  expect(
    (await callTool(grep, { ...input, head_limit: 0 }, { files: many })).metadata,
  ).toMatchObject({ shown: 400, isCut: false });
});

test("head_limit 0 shows up to 10,000", async () => {
  const input = { pattern: "hit", output_mode: "content", head_limit: 0 };
  const found = async (count: number) =>
    await callTool(grep, input, { files: { "a.txt": "hit\n".repeat(count) } });

  expect((await found(10_000)).metadata).toMatchObject({ shown: 10_000, isCut: false });
  expect((await found(10_001)).metadata).toMatchObject({ shown: 10_000, isCut: true });
});

test("the search stops when enough is found", async () => {
  const host = memoryHost({ files: { a: "" } });
  let given = 0;
  let ended = false;
  async function* endless(): AsyncGenerator<GrepEvent> {
    try {
      for (;;) {
        given++;
        yield { kind: "match", path: "/project/a", line: given, text: "hit", ranges: [] };
      }
    } finally {
      ended = true;
    }
  }
  const searching = {
    ...host,
    fs: host.fs,
    search: { ...host.search, grep: endless },
    [Symbol.asyncDispose]: async () => undefined,
  };

  await callTool(
    grep,
    { pattern: "hit", output_mode: "content", head_limit: 5 },
    { host: searching },
  );

  expect({ given, ended }).toEqual({ given: 6, ended: true });
});

test("nothing found is an answer, not an error", async () => {
  const result = await callTool(grep, { pattern: "zebra", path: "src" }, { files });

  expect(result.isError).toBe(false);
  expect(result.text).toMatchInlineSnapshot(`"(No match for zebra in text files in src.)"`);
});

test("nothing is searched twice: what was not looked into is named", async () => {
  const left = { "dist/a.js": "zebra", "node_modules/b.js": "zebra", "c.bin": "\0zebra" };
  const host = memoryHost({ files: { ...left, ".git/config": "zebra\n", "d.txt": "horse" } });
  let searches = 0;
  const search = host.search.grep.bind(host.search);
  host.search.grep = (query, options) => {
    searches += 1;
    return search(query, options);
  };

  for (const output_mode of ["content", "files_with_matches", "count"]) {
    searches = 0;
    const result = await callTool(grep, { pattern: "zebra", output_mode }, { host });
    expect(result.text).toBe(
      "(No match for zebra in text files. Not searched: dist/, node_modules/; include_ignored adds them.)",
    );
    expect(searches).toBe(1);
  }
});

test("many directories that were left out are counted, some of them named", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 6 }, (_, index) => [`p${index}/node_modules/a.js`, "hit"]),
  );
  const world = { files: { ...many, "a.txt": "hit", ".gitignore": "*.log\n", "b.log": "hit" } };

  const { text, metadata } = await callTool(grep, { pattern: "hit" }, world);

  expect(text).toBe(
    "a.txt\n(1 file, newest first. Not searched: 6 ignored directories such as p0/node_modules/, p1/node_modules/, p2/node_modules/, 1 ignored file; include_ignored adds them.)",
  );
  expect(metadata).toMatchObject({ ignoredDirectories: { count: 6 } });
});

test("in a large tree as many directories are looked at as a tenth of the search allows", async () => {
  const wide = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [`p${index}/node_modules/a.js`, "x"]),
  );
  const host = memoryHost({ files: { ...wide, "dist/a.js": "x", "a.txt": "hit" } });
  let listed = 0;
  const list = host.search.list.bind(host.search);
  host.search.list = async function* counting(query, options) {
    for await (const event of list(query, options)) {
      listed += 1;
      host.control.advance(1);
      yield event;
    }
  };

  const { text } = await callTool(grep, { pattern: "hit" }, { host });

  expect(text).toBe(
    "a.txt\n(1 file, newest first. Not searched: at least 1 ignored directory such as dist/; include_ignored adds it.)",
  );
  expect(listed).toBeLessThan(20);
});

test("tracked files in a directory called build are found, and the rest of it is named", async () => {
  const host = memoryHost({
    files: { "build/a.js": "hit", "build/tmp/b.js": "hit", ".git/HEAD": "ref: refs/heads/main" },
  });
  await host.fs.writeAtomic("/project/.git/index", gitIndex(["build/a.js"]));

  expect((await callTool(grep, { pattern: "hit" }, { host })).text).toBe(
    "build/a.js\n(1 file, newest first. Not searched: build/tmp/; include_ignored adds it.)",
  );
});

test.for([
  { markMatches: "people", text: "1: hit me", marked: "1: >>hit<< me" },
  { markMatches: "model", text: "1: >>hit<< me", marked: undefined },
  { markMatches: "never", text: "1: hit me", marked: undefined },
] as const)("grep.markMatches $markMatches", async ({ markMatches, text, marked }) => {
  const services = { [searchSettings.id]: { ...defaultSearchSettings, markMatches } };
  const input = { pattern: "hit", output_mode: "content" };

  const result = await callTool(grep, input, { files: { "a.txt": "hit me\n" }, services });

  expect(result.text).toBe(`a.txt\n${text}\n(1 matching line in 1 file.)`);
  expect(result.metadata?.["marked"]).toBe(marked && `a.txt\n${marked}`);
});

test.each([
  ["zebra", "(c.bin is a binary file that matches zebra; no line of it can be shown.)"],
  ["horse", "(No match for horse in c.bin.)"],
])("in a binary file named by itself %s is answered in one sentence", async (pattern, text) => {
  const input = { pattern, path: "c.bin", output_mode: "content" };

  const result = await callTool(grep, input, { files: { "c.bin": "\0zebra\n" } });

  expect(result.text).toBe(text);
  expect(result.summary).toBe("no match");
});

test("what was skipped is counted by its reason", async () => {
  const host = memoryHost({
    files: { "a.bin": "needle\n\0", "b.txt": "needle", "c.txt": "needle" },
  });
  host.control.fail({ path: "c.txt", operation: "readFile", fails: "EACCES" });

  const result = await callTool(grep, { pattern: "needle" }, { host });

  expect(result.text).toBe(
    "b.txt\n(1 file, newest first. 1 binary file searched only up to the first NUL byte. 1 could not be read. The operating system does not permit this on /project/c.txt.)",
  );
  expect(result.metadata).toMatchObject({ skipped: { binary: 1, tooLarge: 0, unreadable: 1 } });
});

test("the limits of the toolkit hold", async () => {
  const services = { limits: limitsWith({ grep: { lines: 2, lineChars: 20 } }) };
  const many = { "a.txt": `${"x".repeat(30)}hit\nhit\nhit\n` };
  const input = { pattern: "hit", output_mode: "content" };
  const result = await callTool(grep, input, { files: many, services });

  expect(result.metadata).toMatchObject({ shown: 2, next: 3, isCut: true });
  expect(result.text).toContain("[line of 33 characters cut]");
});

test("withheld files are counted, never named", async () => {
  const result = await callTool(grep, { pattern: "foo" }, { files, deny: ["src/b.ts"] });

  expect(result.text).toBe(
    "src/a.ts\n(1 file, newest first. 1 file withheld by permission rules. Not searched: gen/; include_ignored adds it.)",
  );
});

test("include and case_insensitive are understood, though both are optional", async () => {
  const input = { pattern: "foo", include: "*.md", case_insensitive: true };
  const result = await callTool(grep, input, { files });

  expect(result.text).toBe(
    "docs/c.md\n(1 file, newest first. Not searched: gen/; include_ignored adds it.)",
  );
  expect(result.repairs).toHaveLength(2);
});

test("a file is declared as a file, a folder as a tree", async () => {
  const bench = toolBench({ files });

  expect(await bench.effects(grep, { pattern: "a", path: "src/a.ts" })).toMatchObject([
    { path: "/project/src/a.ts", scope: "file" },
  ]);
  expect(await bench.effects(grep, { pattern: "a" })).toMatchObject([
    { path: "/project", scope: "tree" },
  ]);
});

test.for(
  toolContract(grep, [
    { name: "files", input: { pattern: "foo" }, files },
    { name: "content", input: { pattern: "foo", output_mode: "content", "-C": 2 }, files },
    { name: "one file", input: { pattern: "foo", path: "src/a.ts" }, files },
  ]),
)("$name", async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});
