import { describe, expect, test } from "vitest";
import type { GlobQuery } from "../../../src/core/index.ts";
import { first, plantTree, type World } from "./world.ts";

/** Finding files by name. */
export function globContract(world: World): void {
  describe("glob", () => {
    const cases: readonly {
      readonly query: Partial<GlobQuery>;
      readonly files: readonly string[];
      readonly because: string;
    }[] = [
      {
        query: { pattern: "*.ts" },
        files: ["lib/b.ts", "lib/deep/c.ts", "src/a.ts"],
        because: "at any depth",
      },
      { query: { pattern: "lib/*.ts" }, files: ["lib/b.ts"], because: "a slash anchors" },
      { query: { pattern: "./lib/*.ts" }, files: ["lib/b.ts"], because: "here is the root" },
      {
        query: { pattern: "**/*.{md,ts}" },
        files: ["lib/b.ts", "lib/deep/c.ts", "readme.md", "src/a.ts"],
        because: "alternatives, also at the top",
      },
      { query: { pattern: "[a-b].ts" }, files: ["lib/b.ts", "src/a.ts"], because: "classes" },
      {
        query: { pattern: "?.ts", root: "lib" },
        files: ["b.ts", "deep/c.ts"],
        because: "a root",
      },
      {
        query: { pattern: "lib/" },
        files: ["lib/b.ts", "lib/deep/.ignore", "lib/deep/c.ts"],
        because: "a folder",
      },
      { query: { pattern: ".h*" }, files: [".hidden"], because: "hidden files are files" },
      { query: { pattern: "*.none" }, files: [], because: "no match is not an error" },
    ];
    test.for(cases)("$query.pattern: $because", async ({ query, files }) => {
      await plantTree(world());
      const root = query.root === undefined ? world().root : world().at(query.root);
      const found = await world().glob({ ...query, root });

      expect(found.files).toEqual(files);
      expect(found.end).toMatchObject({ kind: "end", excluded: 0, links: [], partial: false });
    });

    const leftOut = [
      ".DS_Store",
      ".git/HEAD",
      "a.pyc",
      "build/x",
      "dist/x",
      "ignored.txt",
      "node_modules/p/index.js",
      "sub/__pycache__/x",
      "sub/node_modules/q/index.js",
      "vendor/x",
    ];
    test("the usual clutter is left out at any depth, unless asked for", async () => {
      for (const path of leftOut) await world().put(path, "x");
      await world().put(".gitignore", "ignored.txt\n");
      await world().put("kept/distant.txt", "x");
      const kept = [".gitignore", "kept/distant.txt"];

      const usual = await world().glob({});
      expect(usual.files).toEqual(kept);
      // Those in folders that were not opened are not known.
      expect(usual.end).toMatchObject({ ignored: 3 });
      expect((await world().glob({ includeIgnored: true })).files).toEqual(
        [...leftOut, ...kept].toSorted(),
      );
    });

    test("withheld files are counted, links do not count as files", async () => {
      await world().put("a.txt", "x");
      await world().put("secret/b.txt", "x");
      await world().put("secret/c.md", "x");
      await world().link(world().at("link.txt"), "a.txt");
      await world().link(world().at("gone.txt"), "nowhere");
      await world().link(world().at("link.md"), "a.txt");
      await world().link(world().at("secret/d.txt"), "b.txt");
      const isExcluded = (path: string): boolean => path.startsWith(world().at("secret/"));
      const { files, end } = await world().glob({ pattern: "*.txt", isExcluded });

      expect(files).toEqual(["a.txt"]);
      expect(end).toMatchObject({ kind: "end", excluded: 2, ignored: 0, partial: false });
      const links = end?.kind === "end" ? end.links.toSorted() : [];
      expect(links).toEqual([world().at("gone.txt"), world().at("link.txt")]);
    });

    test("a file called like a folder of clutter is a file", async () => {
      await world().put("build", "x");
      await world().put("sub/dist", "x");

      expect((await world().glob({})).files).toEqual(["build", "sub/dist"]);
    });

    test("size and time are reported on request", async () => {
      await world().put("a.txt", "four");
      const { mtimeMs } = await world().host.fs.stat(world().at("a.txt"));
      const query = { root: world().root, pattern: "*" };

      expect(await first(world().host.search.glob(query))).toEqual({
        kind: "files",
        files: [{ path: world().at("a.txt") }],
      });
      expect(await first(world().host.search.glob({ ...query, dated: true }))).toEqual({
        kind: "files",
        files: [{ path: world().at("a.txt"), size: 4, mtimeMs: expect.closeTo(mtimeMs, 2) }],
      });
    });

    test("an ignored folder asked for by name is looked into", async () => {
      await world().put(".git/HEAD", "x");
      await world().put(".gitignore", "out/\n*.log\n");
      await world().put("out/a.log", "x");
      await world().put("node_modules/p/b.js", "x");

      expect((await world().glob({ root: world().at("out") })).files).toEqual(["a.log"]);
      expect((await world().glob({ root: world().at("node_modules") })).files).toEqual(["p/b.js"]);
    });

    test.for(["[z-a]", "[abc", "*.{ts", "src/{a,b/*.ts"])(
      "%s is INVALID_INPUT, for it would silently match nothing",
      async (pattern) => {
        await world().put("a.ts", "x");

        const refusal = {
          code: "INVALID_INPUT",
          message: `${pattern} is not a usable glob.`,
          hint: expect.stringContaining("[abc] and {a,b}"),
        };
        await expect(world().glob({ pattern })).rejects.toMatchObject(refusal);
        await expect(world().grep({ globs: [pattern] })).rejects.toMatchObject(refusal);
      },
    );

    test("a round bracket, and one that closes nothing, is a letter of a name", async () => {
      for (const name of ["a (1.txt", "b).txt", "c].txt", "d}.txt"]) await world().put(name, "x");

      for (const name of ["a (1.txt", "b).txt", "c].txt", "d}.txt"]) {
        expect((await world().glob({ pattern: name })).files).toEqual([name]);
      }
    });

    test("an empty pattern is INVALID_INPUT, a missing root NOT_FOUND", async () => {
      await expect(world().glob({ pattern: "" })).rejects.toMatchObject({ code: "INVALID_INPUT" });
      await expect(world().glob({ root: world().at("missing") })).rejects.toMatchObject({
        code: "NOT_FOUND",
      });
      await world().put("file", "x");
      await expect(world().glob({ root: world().at("file") })).rejects.toMatchObject({
        code: "NOT_A_DIRECTORY",
      });
    });
  });
}
