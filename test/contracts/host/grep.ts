import { describe, expect, test } from "vitest";
import type { GrepQuery } from "../../../src/core/index.ts";
import { encode, first, plantTree, type World } from "./world.ts";

/** Searching in files. */
export function grepContract(world: World): void {
  describe("grep", () => {
    test("a match has its line, its text and UTF-16 ranges", async () => {
      await world().put("a.txt", "none\nä 😀 needle and needle\r\nneedle");
      const { matches, end } = await world().grep({});

      expect(matches).toEqual([
        {
          kind: "match",
          path: world().at("a.txt"),
          line: 2,
          text: "ä 😀 needle and needle",
          ranges: [
            { start: 5, end: 11 },
            { start: 16, end: 22 },
          ],
        },
        {
          kind: "match",
          path: world().at("a.txt"),
          line: 3,
          text: "needle",
          ranges: [{ start: 0, end: 6 }],
        },
      ]);
      expect(end).toEqual({ kind: "end", excluded: 0, partial: false, notes: [] });
    });

    test("context comes in order, each line once", async () => {
      await world().put("a.txt", "1\n2\nneedle\n4\nneedle\n6\n7\n8\nneedle\n10\n");

      expect((await world().grep({ before: 1, after: 2 })).lines).toEqual([
        "a.txt:2-2",
        "a.txt:3:needle",
        "a.txt:4-4",
        "a.txt:5:needle",
        "a.txt:6-6",
        "a.txt:7-7",
        "a.txt:8-8",
        "a.txt:9:needle",
        "a.txt:10-10",
      ]);
      expect((await world().grep({ after: 1 })).lines).toEqual([
        "a.txt:3:needle",
        "a.txt:4-4",
        "a.txt:5:needle",
        "a.txt:6-6",
        "a.txt:9:needle",
        "a.txt:10-10",
      ]);
    });

    const patterns: readonly {
      readonly query: Partial<GrepQuery>;
      readonly lines: readonly string[];
      readonly because: string;
    }[] = [
      {
        query: { pattern: "n.edle" },
        lines: ["1:needle", "3:n.edle"],
        because: "a dot is any character",
      },
      { query: { pattern: "n.edle", literal: true }, lines: ["3:n.edle"], because: "plain text" },
      { query: { pattern: "NEEDLE" }, lines: ["2:NEEDLE"], because: "case counts" },
      {
        query: { pattern: "needle", ignoreCase: true },
        lines: ["1:needle", "2:NEEDLE"],
        because: "case can be ignored",
      },
      {
        query: { pattern: "(?i)NEEDLE" },
        lines: ["1:needle", "2:NEEDLE"],
        because: "also from inside the pattern",
      },
      { query: { pattern: "^tail$" }, lines: ["4:tail"], because: "a CRLF line ends before it" },
      { query: { pattern: "-x", literal: true }, lines: ["5:-x"], because: "no option" },
      { query: { pattern: "f(?=oo)" }, lines: ["6:foo"], because: "looking ahead works" },
      { query: { pattern: String.raw`a\-b` }, lines: ["7:a-b"], because: "a needless escape" },
      { query: { pattern: String.raw`\bfin\b` }, lines: ["8:fin"], because: "words" },
    ];
    test.for(patterns)("$query.pattern: $because", async ({ query, lines }) => {
      await world().put("a.txt", "needle\nNEEDLE\nn.edle\ntail\r\n-x\nfoo\na-b\nfin\n");

      expect((await world().grep(query)).lines).toEqual(lines.map((line) => `a.txt:${line}`));
    });

    test("multiline matches across lines, with neighbours in one block", async () => {
      await world().put("a.txt", "x\nfunction a(\n  b,\n) {\ny\n");
      const { matches } = await world().grep({ pattern: String.raw`a\(.*?\)`, multiline: true });

      expect(matches).toMatchObject([
        { line: 2, text: "function a(\n  b,\n) {", ranges: [{ start: 9, end: 18 }] },
      ]);
    });

    test("a line break in the pattern needs multiline", async () => {
      await world().put("a.txt", "one\ntwo\n");

      await expect(world().grep({ pattern: String.raw`one\ntwo` })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        hint: "Search with multiline switched on.",
      });
      expect(
        (await world().grep({ pattern: String.raw`one\ntwo`, multiline: true })).matches,
      ).toHaveLength(1);
    });

    test.for(["a(b", "[z", "*x", "a{3,1}"])(
      "%s is INVALID_INPUT with the reason",
      async (pattern) => {
        const failure = world().grep({ pattern });

        await expect(failure).rejects.toMatchObject({ code: "INVALID_INPUT" });
        await expect(failure).rejects.toThrow(/^.+ is not a usable regular expression: ./u);
      },
    );

    test("counts say how often, by file", async () => {
      await world().put("a.txt", "needle needle\nneedle\n");
      await world().put("b.txt", "needle");
      await world().put("c.txt", "nothing");
      const { counts, matches } = await world().grep({ countOnly: true });

      expect(counts).toEqual({ "a.txt": 3, "b.txt": 1 });
      expect(matches).toEqual([]);
    });

    test("a root that is a file is searched, whatever ignores it", async () => {
      await world().put(".gitignore", "*.log\n");
      await world().put("a.log", "needle");

      expect((await world().grep({ root: world().at("a.log") })).lines).toEqual(["a.log:1:needle"]);
      expect((await world().grep({ root: world().at("a.log"), countOnly: true })).counts).toEqual({
        "a.log": 1,
      });
      await expect(world().grep({ root: world().at("missing") })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
    });

    test("a FIFO is never opened", async () => {
      await world().fifo(world().at("fifo"));
      await world().put("a.txt", "needle");

      expect((await world().grep({})).lines).toEqual(["a.txt:1:needle"]);
      await expect(world().grep({ root: world().at("fifo") })).rejects.toMatchObject({
        code: "NOT_A_FILE",
      });
    });

    test("a binary file ends at its first NUL", async () => {
      await world().put("a.bin", "needle\n\0needle\n");

      expect((await world().grep({ countOnly: true })).counts).toEqual({});
      const { lines, end } = await world().grep({});
      expect(lines.length).toBeLessThanOrEqual(1);
      expect(end).toMatchObject({ kind: "end", excluded: 0, partial: false, notes: [] });
    });

    test("a match before a distant NUL is reported, and that the rest was not searched", async () => {
      await world().put("a.bin", `needle\n${"hay\n".repeat(100_000)}\0\nneedle\n`);
      const { lines, end } = await world().grep({});

      expect(lines).toEqual(["a.bin:1:needle"]);
      expect(end).toMatchObject({ skipped: { binary: 1, tooLarge: 0, unreadable: 0 } });
    });

    test("UTF-16 with a byte order mark is text", async () => {
      const utf16 = Buffer.from("\u{feff}a needle\n", "utf16le");
      await world().host.fs.writeAtomic(world().at("a.txt"), new Uint8Array(utf16));

      expect((await world().grep({})).lines).toEqual(["a.txt:1:a needle"]);
    });

    test("an invalid byte is replaced and the ranges still fit", async () => {
      await world().host.fs.writeAtomic(
        world().at("a.txt"),
        new Uint8Array([0xff, 0x20, ...encode("ä needle\n")]),
      );

      expect((await world().grep({})).matches).toMatchObject([
        { text: "\u{fffd} ä needle", ranges: [{ start: 4, end: 10 }] },
      ]);
    });

    const visibility: readonly {
      readonly query: Partial<GrepQuery>;
      readonly files: readonly string[];
      readonly because: string;
    }[] = [
      {
        query: {},
        files: [".hidden", "kept.log", "lib/b.ts", "lib/deep/c.ts", "readme.md", "src/a.ts"],
        because: "hidden files count, ignored ones and .git do not, an exception holds",
      },
      {
        query: { includeIgnored: true },
        files: [
          ".git/config",
          ".hidden",
          "all.log",
          "kept.log",
          "lib/b.ts",
          "lib/deep/c.ts",
          "lib/deep/secret.txt",
          "out/x.ts",
          "readme.md",
          "src/a.ts",
        ],
        because: "everything on request",
      },
      {
        query: { globs: ["*.ts"] },
        files: ["lib/b.ts", "lib/deep/c.ts", "src/a.ts"],
        because: "a glob without slash matches at any depth and brings nothing ignored back",
      },
      {
        query: { globs: ["lib/*.ts"] },
        files: ["lib/b.ts"],
        because: "a star stays in its place",
      },
      {
        query: { globs: ["lib/**"] },
        files: ["lib/b.ts", "lib/deep/c.ts"],
        because: "two do not",
      },
      {
        query: { globs: ["*.{md,log}"] },
        files: ["kept.log", "readme.md"],
        because: "alternatives, and all.log stays ignored",
      },
      {
        query: { globs: ["*.ts", "!lib/deep"] },
        files: ["lib/b.ts", "src/a.ts"],
        because: "what is left out takes its children along",
      },
      { query: { types: ["md"] }, files: ["readme.md"], because: "types by name" },
      {
        query: { types: ["ts", "md"], globs: ["!lib"] },
        files: ["readme.md", "src/a.ts"],
        because: "any of the types, and the globs as well",
      },
      { query: { types: ["md"], globs: ["*.ts"] }, files: [], because: "both must agree" },
    ];
    test.for(visibility)("$query: $because", async ({ query, files }) => {
      await plantTree(world());

      expect(Object.keys((await world().grep({ countOnly: true, ...query })).counts)).toEqual(
        files,
      );
      expect((await world().grep(query)).files).toEqual(files);
    });

    test("the usual clutter is left out, and a file called like it is a file", async () => {
      for (const path of ["node_modules/a.js", "sub/dist/b.js", "vendor/c", "d.pyc", "build/e"]) {
        await world().put(path, "needle");
      }
      await world().put("sub/build", "needle");

      expect((await world().grep({})).files).toEqual(["sub/build"]);
      expect((await world().grep({ includeIgnored: true })).files).toHaveLength(6);
    });

    test("presence is reported for binary files, too", async () => {
      await world().put("a.txt", "needle needle\nneedle\n");
      await world().put("b.bin", "x\0needle\n");
      await world().put("c.txt", "nothing");
      const query = { root: world().root, pattern: "needle", presenceOnly: true, countOnly: true };
      const found: string[] = [];
      for await (const event of world().host.search.grep(query)) {
        if (event.kind === "count") found.push(`${event.path}:${event.matches}`);
        else if (event.kind === "binary") found.push(`${event.path}:binary`);
        else found.push(event.kind);
      }

      expect(found.toSorted()).toEqual([world().at("a.txt:1"), world().at("b.bin:binary"), "end"]);
    });

    test("rules of the repository hold in a folder of it", async () => {
      await world().put(".git/HEAD", "ref");
      await world().put(".gitignore", "*.log\n");
      await world().put("sub/a.log", "needle");
      await world().put("sub/a.txt", "needle");

      expect((await world().grep({ root: world().at("sub") })).files).toEqual(["sub/a.txt"]);
    });

    test("an ignored folder asked for by name is searched", async () => {
      await world().put(".git/HEAD", "x");
      await world().put(".gitignore", "out/\n*.log\n/kept/x.txt\n");
      await world().put("out/deep/a.log", "needle");
      await world().put("node_modules/p/b.js", "needle");
      await world().put("kept/x.txt", "needle");
      await world().put("kept/y.log", "needle");
      await world().put("kept/z.txt", "needle");
      const filesBelow = async (name: string): Promise<readonly string[]> => {
        const root = world().at(name);
        const { files } = await world().grep({ root });
        expect((await world().glob({ root })).files).toEqual(
          files.map((file) => file.slice(name.length + 1)),
        );
        return files;
      };

      expect(await filesBelow("out")).toEqual(["out/deep/a.log"]);
      expect(await filesBelow("out/deep")).toEqual(["out/deep/a.log"]);
      expect(await filesBelow("node_modules")).toEqual(["node_modules/p/b.js"]);
      expect(await filesBelow("kept")).toEqual(["kept/z.txt"]);
    });

    test("links are not followed", async () => {
      await world().put("real/a.txt", "needle");
      await world().link(world().at("link"), "real");
      await world().link(world().at("file-link"), "real/a.txt");

      expect((await world().grep({})).files).toEqual(["real/a.txt"]);
    });

    test("an unknown type is INVALID_INPUT", async () => {
      await expect(world().grep({ types: ["no-such-type"] })).rejects.toMatchObject({
        code: "INVALID_INPUT",
        data: { type: "no-such-type" },
      });
    });

    test("withheld files are counted whether or not they match", async () => {
      await world().put("a.txt", "needle");
      await world().put("secret/one.txt", "needle");
      await world().put("secret/two.txt", "nothing");
      const isExcluded = (path: string): boolean => path.startsWith(world().at("secret/"));

      expect(await world().grep({ isExcluded })).toMatchObject({
        lines: ["a.txt:1:needle"],
        end: { excluded: 2 },
      });
      expect(await world().grep({ isExcluded, countOnly: true })).toMatchObject({
        counts: { "a.txt": 1 },
        end: { excluded: 2 },
      });
    });

    test("ending the loop early is fine", async () => {
      await world().put("a.txt", "needle\n".repeat(5000));
      let seen = 0;
      for await (const event of world().host.search.grep({
        root: world().root,
        pattern: "needle",
      })) {
        expect(event.kind).toBe("match");
        seen += 1;
        if (seen === 3) break;
      }

      expect(seen).toBe(3);
    });

    test("an aborted search rejects with ABORTED", async () => {
      await world().put("a.txt", "needle");

      await expect(
        first(
          world().host.search.grep(
            { root: world().root, pattern: "needle" },
            { signal: AbortSignal.abort() },
          ),
        ),
      ).rejects.toMatchObject({ code: "ABORTED" });
    });
  });
}
