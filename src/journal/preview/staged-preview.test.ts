import { describe, expect, test } from "vitest";
import type { StagedChange, StagedChanges } from "../../core/index.ts";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { summaryOfChanges, textOfChanges } from "./summarize.ts";
import { previewStaged, type StagedPreviewOptions } from "./staged-preview.ts";

const cwd = "/project";

/** Real tree, and an upper layer with the files that replace it. */
function machine(): MemoryHost {
  const host = memoryHost({
    files: {
      "a.txt": "one\ntwo\n",
      "bin.dat": new Uint8Array([1, 0, 2]),
      "old/x": "x\n",
      "old/deep/y": "yy\n",
      "old/.git/config": "c\n",
      "run.sh": "echo\n",
      "/upper/a.txt": "one\n2\n",
      "/upper/bin.dat": new Uint8Array([1, 0, 3]),
      "/upper/run.sh": "echo\n",
      "/upper/new.txt": "new\n",
    },
  });
  host.control.plant("link", { kind: "symlink", target: "a.txt" });
  host.control.plant("pipe", { kind: "fifo" });
  return host;
}

const staged = (...changes: readonly StagedChange[]): StagedChanges => ({
  since: 0,
  changes,
  refused: [],
  through: [],
});
const at = (name: string): string => `${cwd}/${name}`;
const file = (name: string, size: number, mode = 0o644): StagedChange => ({
  path: at(name),
  to: { kind: "file", source: `/upper/${name}`, size, mode, mtimeMs: 0 },
});
const gone = (name: string): StagedChange => ({ path: at(name), to: { kind: "absent" } });

async function shown(changes: StagedChanges, options: Partial<StagedPreviewOptions> = {}) {
  const { fs } = machine();
  return await previewStaged(changes, { before: fs, staged: fs, cwd, ...options });
}

describe("staged changes", () => {
  test("text is shown with its difference, everything else in a word", async () => {
    const { changes, moreChanges } = await shown(
      staged(
        file("a.txt", 6),
        file("bin.dat", 3),
        file("new.txt", 4, 0o755),
        file("run.sh", 5, 0o755),
        { path: at("link"), to: { kind: "symlink", target: "run.sh" } },
        gone("pipe"),
        { path: at("old"), to: { kind: "symlink", target: "a.txt" } },
      ),
    );

    expect(moreChanges).toBe(0);
    expect(changes.map(({ change, kind, mode }) => [change, kind, mode])).toEqual([
      ["modified", "file", undefined],
      ["modified", "file", undefined],
      ["created", "file", 0o755],
      ["mode", "file", 0o755],
      ["modified", "symlink", undefined],
      ["deleted", "special", undefined],
      ["replaced", "symlink", undefined],
    ]);
    expect(textOfChanges(changes, { cwd })).toMatchInlineSnapshot(`
      "--- a.txt
      +++ a.txt
      @@ -1,2 +1,2 @@
       one
      -two
      +2
      bin.dat: changed (3 bytes; It is not text)
      --- new.txt
      +++ new.txt
      @@ -0,0 +1,1 @@
      +new
      run.sh: mode changed (mode 755)
      link: changed (a link, to run.sh)
      pipe: deleted (neither file, directory nor link)
      old: replaced (a link, to a.txt)
      "
    `);
    expect(summaryOfChanges(changes, { cwd })).toBe(
      "Would change 3, create 1, change the mode of 1, delete 1, replace 1 paths.",
    );
  });

  test("a tree that goes is one entry with its count; what is protected in it is named", async () => {
    const tree = staged(
      gone("old"),
      gone("old/.git"),
      gone("old/.git/config"),
      gone("old/deep"),
      gone("old/deep/y"),
      gone("old/x"),
    );
    const { changes } = await shown(tree, { isProtected: (path) => path.includes("/.git") });

    expect(changes.map(({ path, below, isProtected }) => [path, below, isProtected])).toEqual([
      [at("old"), { entries: 5, bytes: 7 }, undefined],
      [at("old/.git"), undefined, true],
      [at("old/.git/config"), undefined, true],
    ]);
    expect(summaryOfChanges(changes.slice(0, 1), { cwd })).toBe(
      "Would delete old with the 5 entries below.",
    );
  });

  test("a small new tree is listed, a large one is one entry", async () => {
    const folder: StagedChange = { path: at("made"), to: { kind: "directory", mode: 0o755 } };
    const filled = (count: number): StagedChanges =>
      staged(
        folder,
        ...Array.from({ length: count }, (_, index): StagedChange => ({
          path: at(`made/${index}`),
          to: { kind: "file", source: "/upper/new.txt", size: 4, mode: 0o644, mtimeMs: 0 },
        })),
      );

    const small = await shown(filled(20));
    const large = await shown(filled(21));

    expect(small.changes).toHaveLength(21);
    expect(small.changes[0]?.below).toBeUndefined();
    expect(large.changes).toMatchObject([{ path: at("made"), below: { entries: 21, bytes: 84 } }]);
  });

  test("an identical file is not a change", async () => {
    const { changes } = await shown(
      staged(
        { ...file("run.sh", 5) },
        { path: at("link"), to: { kind: "symlink", target: "a.txt" } },
        { path: at("old"), to: { kind: "directory", mode: 0o755 } },
      ),
    );

    expect(changes).toEqual([]);
    expect(summaryOfChanges(changes, { cwd })).toBe("Would change nothing.");
  });

  test("lists, differences and their length have an end, and say so", async () => {
    const all = staged(file("a.txt", 6), file("new.txt", 4), gone("bin.dat"));

    const two = await shown(all, { limits: { changes: 2 } });
    const one = await shown(all, { limits: { diffs: 1 } });
    const short = await shown(all, { limits: { diffChars: 10 } });
    const none = await shown(all, { limits: { textBytes: 3 } });

    expect([two.changes.length, two.moreChanges]).toEqual([2, 1]);
    expect(textOfChanges(two.changes, { cwd, more: 1 })).toContain(
      "(1 more changes are not shown)",
    );
    expect(one.changes.map(({ diff }) => diff !== undefined)).toEqual([true, false, false]);
    expect(short.changes[0]).toMatchObject({
      added: 1,
      removed: 1,
      because: "Its difference is too long.",
    });
    expect(none.changes[0]?.because).toContain("too large");
    expect(none.changes[0]?.hash).toMatch(/^sha256:/u);
  });

  test("another encoding is reported, and read", async () => {
    const host = machine();
    const wide = new Uint8Array([0xfe, 0xff, 0, 0x78, 0, 0x0a]);
    host.control.plant("/upper/wide", { kind: "file", content: wide });
    const { changes } = await previewStaged(staged(file("wide", wide.length)), {
      before: host.fs,
      staged: host.fs,
      cwd,
    });

    expect(changes).toMatchObject([{ encoding: "UTF-16BE", added: 1, removed: 0 }]);
  });

  test("a path that is now behind a link is new", async () => {
    const { changes } = await shown(
      staged(
        { path: at("link"), to: { kind: "directory", mode: 0o755 } },
        {
          path: at("link/in"),
          to: { kind: "file", source: "/upper/new.txt", size: 4, mode: 0o644, mtimeMs: 0 },
        },
      ),
    );

    expect(changes.map(({ change }) => change)).toEqual(["replaced", "created"]);
  });
});

test("a change without a diff says why, and its size", () => {
  const because = "It is not text.";
  const change = { path: at("bin.dat"), change: "modified", because } as const;

  expect(textOfChanges([change], { cwd })).toBe("bin.dat: changed (0 bytes; It is not text)\n");
  expect(textOfChanges([{ ...change, size: 3 }], { cwd })).toContain("(3 bytes; It is not text)");
});
