import { describe, expect, test } from "vitest";
import type { DefaultExcludes, ListEvent } from "../../../src/core/index.ts";
import { gitIndex } from "../../support/git-index.ts";
import type { World } from "./world.ts";

/** Files that git tracks are found, whatever their names. */
export function trackedContract(world: World): void {
  describe("tracked files", () => {
    const tracked = [
      "build/a.js",
      "dist/deep/b.js",
      "forced.log",
      "lib/vendor/c.go",
      "out/e.txt",
      "private/f.txt",
      "src/d.ts",
    ];
    const untracked = [
      "build/untracked.js",
      "dist/deep/untracked.js",
      "dist/other/u.js",
      "lib/node_modules/p/i.js",
      "other.log",
      "out/untracked.txt",
    ];
    const plant = async (): Promise<void> => {
      for (const path of [...tracked, ...untracked]) await world().put(path, "needle");
      await world().put(".gitignore", "*.log\n/out/\n");
      // Meant for searches, so it holds for tracked files as well.
      await world().put(".ignore", "/private/\n");
      await world().put(".git/HEAD", "ref: refs/heads/main\n");
      const index = gitIndex([...tracked, ".gitignore", ".ignore", "build/deleted.js"]);
      await world().host.fs.writeAtomic(world().at(".git/index"), index);
    };
    const visible = tracked.filter((path) => !path.startsWith("private/"));
    const own = [".gitignore", ".ignore"];

    test("grep, glob and list find them, and nothing next to them", async () => {
      await plant();

      expect((await world().grep({})).files).toEqual(visible);
      expect(Object.keys((await world().grep({ countOnly: true })).counts)).toEqual(visible);
      expect((await world().glob({})).files).toEqual([...own, ...visible].toSorted());
      const listed: string[] = [];
      for await (const event of world().host.search.list({ root: world().root, depth: 9 })) {
        if (event.kind === "entry" && event.entry.kind === "file") {
          listed.push(event.entry.path.slice(world().root.length + 1));
        }
      }
      expect(listed.toSorted()).toEqual([...own, ...visible].toSorted());
    });

    const settings: readonly {
      readonly defaultExcludes: DefaultExcludes;
      readonly files: readonly string[];
    }[] = [
      { defaultExcludes: "untracked", files: visible },
      { defaultExcludes: "always", files: ["forced.log", "out/e.txt", "src/d.ts"] },
      {
        defaultExcludes: "never",
        files: [
          ...visible,
          "build/untracked.js",
          "dist/deep/untracked.js",
          "dist/other/u.js",
          "lib/node_modules/p/i.js",
        ].toSorted(),
      },
    ];
    test.for(settings)("defaultExcludes $defaultExcludes", async ({ defaultExcludes, files }) => {
      await plant();

      expect((await world().grep({ defaultExcludes })).files).toEqual(files);
      const found = (await world().glob({ defaultExcludes })).files;
      expect(found).toEqual([...own, ...files].toSorted());
    });

    test("globs, types and what is withheld hold for them", async () => {
      await plant();
      const isExcluded = (path: string): boolean => path === world().at("build/a.js");

      expect((await world().grep({ globs: ["*.js"] })).files).toEqual([
        "build/a.js",
        "dist/deep/b.js",
      ]);
      expect((await world().grep({ globs: ["*.js", "!dist"] })).files).toEqual(["build/a.js"]);
      expect((await world().grep({ types: ["go"] })).files).toEqual(["lib/vendor/c.go"]);
      const { files, end } = await world().grep({ globs: ["*.js"], isExcluded });
      expect(files).toEqual(["dist/deep/b.js"]);
      expect(end).toMatchObject({ excluded: 1 });
    });

    test("below a root inside the repository they are found as well", async () => {
      await plant();
      const root = world().at("lib");

      expect(Object.keys((await world().grep({ root, countOnly: true })).counts)).toHaveLength(1);
      expect((await world().glob({ root })).files).toEqual(["vendor/c.go"]);
    });

    test("a linked worktree has its own index", async () => {
      await world().put("main/.git/worktrees/tree/HEAD", "ref: refs/heads/other\n");
      const index = gitIndex(["build/a.js"]);
      await world().host.fs.writeAtomic(world().at("main/.git/worktrees/tree/index"), index);
      await world().put("tree/.git", `gitdir: ${world().at("main/.git/worktrees/tree")}\n`);
      await world().put("tree/build/a.js", "needle");
      await world().put("tree/build/b.js", "needle");
      const root = world().at("tree");

      const { files, end } = await world().glob({ root });
      expect(files).toEqual(["build/a.js"]);
      expect((await world().grep({ root })).matches).toHaveLength(1);
      // The untracked file, and not the file `.git`.
      expect(end).toMatchObject({ ignored: 1 });
      const events: ListEvent[] = [];
      for await (const event of world().host.search.list({ root, depth: 9 })) events.push(event);
      expect(events.at(-1)).toMatchObject({ kind: "end", ignored: 1 });
    });

    test("a directory that became a link is not followed", async () => {
      await plant();
      await world().put("elsewhere/a.js", "needle");
      await world().host.fs.remove(world().at("build"), { recursive: true });
      await world().link(world().at("build"), "elsewhere");

      expect((await world().grep({ globs: ["*.js"] })).files).toEqual([
        "dist/deep/b.js",
        "elsewhere/a.js",
      ]);
    });

    test("an index that names paths outside leads nowhere", async () => {
      await world().put("node_modules/s.txt", "needle");
      await world().put("secret.log", "needle");
      await world().put("top/.git/HEAD", "ref: refs/heads/main\n");
      await world().put("top/.gitignore", "*.log\n");
      await world().put("top/src/private/build/s.txt", "needle");
      await world().put("top/build/a.js", "needle");
      const planted = [
        "../node_modules/s.txt",
        "../secret.log",
        "build/a.js",
        "src/./private/build/s.txt",
        "src/../../node_modules/s.txt",
        "src/x/../private/build/s.txt",
      ];
      await world().host.fs.writeAtomic(world().at("top/.git/index"), gitIndex(planted));
      const root = world().at("top");

      expect((await world().grep({ root })).matches).toEqual([]);
      expect((await world().glob({ root })).files).toEqual([".gitignore"]);
    });

    test("directories that were not opened are counted", async () => {
      await plant();
      const { end } = await world().glob({ pattern: "**" });

      expect(end).toMatchObject({
        ignored: 4,
        ignoredDirectories: {
          count: 3,
          examples: ["private", "dist/other", "lib/node_modules"].map((path) => world().at(path)),
        },
      });
    });
  });
}
