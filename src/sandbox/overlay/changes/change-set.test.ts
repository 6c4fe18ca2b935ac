import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeSet } from "./change-set.ts";
import type { OverlayLayers } from "./overlay-layers.ts";

/** Layers as plain directories: the test itself writes what overlayfs would show. */
let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-layers-"));
  for (const name of ["real", "upper", "merged", "index"]) mkdirSync(path.join(base, name));
});
afterEach(() => rmSync(base, { recursive: true }));

function file(name: string, content = "", { mode = 0o644, seconds = 1000 } = {}): void {
  const at = path.join(base, name);
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, content);
  chmodSync(at, mode);
  utimesSync(at, seconds, seconds);
}

async function told(options: Partial<OverlayLayers> = {}) {
  const { changes, refused } = await changeSet({
    root: path.join(base, "real"),
    upper: path.join(base, "upper"),
    merged: path.join(base, "merged"),
    index: path.join(base, "index"),
    extra: path.join(base, "extra"),
    through: new Set(),
    keepsLinks: true,
    opened: new Map(),
    ...options,
  });
  const short = (at: string) => path.relative(path.join(base, "real"), at);
  return {
    changes: changes.map(({ path: at, to }) => `${short(at)} ${to.kind}`),
    refused: refused.map(({ path: at }) => short(at)),
  };
}

test.runIf(process.getuid?.() !== 0)(
  "a root of another owner whose layer is ours is not a change",
  async () => {
    // A system directory: only root can create a layer with its owner.
    const root = "/usr";
    chmodSync(path.join(base, "upper"), statSync(root).mode);
    expect(await told({ root, merged: root })).toEqual({ changes: [], refused: [] });
  },
);

test("an empty upper layer is not a change", async () => {
  file("real/a");
  file("merged/a");
  expect(await told()).toEqual({ changes: [], refused: [] });
});

test.each([
  { because: "content", is: { content: "new" } },
  { because: "content of the same length", is: { content: "ald" } },
  { because: "permission bits", is: { mode: 0o600 } },
  { because: "date", is: { seconds: 1001 } },
])("a file differs by its $because", async ({ is }) => {
  file("real/a", "old");
  file("upper/a", is.content ?? "old", is);
  file("merged/a");
  expect((await told()).changes).toEqual(["a file"]);
});

test("a copy that equals the real file is not a change", async () => {
  file("real/d/a", "x".repeat(200_000));
  file("upper/d/a", "x".repeat(200_000));
  file("merged/d/a");
  expect((await told()).changes).toEqual([]);
});

test("a difference far inside is found", async () => {
  file("real/a", `${"x".repeat(150_000)}y`);
  file("upper/a", `${"x".repeat(150_000)}z`);
  file("merged/a");
  expect((await told()).changes).toEqual(["a file"]);
});

test("an empty file that does not show stands for a removal, one that shows for itself", async () => {
  file("real/gone", "old");
  file("real/emptied", "old");
  file("upper/gone");
  file("upper/emptied");
  file("merged/emptied");
  expect((await told()).changes).toEqual(["emptied file", "gone absent"]);
});

test("a file that was made and removed again is not a change", async () => {
  file("upper/gone");
  expect((await told()).changes).toEqual([]);
});

test("a directory that shows nothing of the real one replaces it", async () => {
  file("real/d/old/deep", "old");
  file("real/d/kept", "kept");
  file("upper/d/kept", "kept");
  file("merged/d/kept", "kept");
  expect((await told()).changes).toEqual(["d/old absent", "d/old/deep absent"]);
});

test("a directory that shows some of the real one shows all of it", async () => {
  file("real/d/a");
  file("real/d/made by others meanwhile");
  file("upper/d/n");
  file("merged/d/a");
  file("merged/d/n");
  expect((await told()).changes).toEqual(["d/n file"]);
});

test("what lies below a replaced directory is compared as well", async () => {
  file("real/d/e/old");
  file("real/d/x");
  file("upper/d/e/new");
  file("merged/d/e/new");
  expect((await told()).changes).toEqual(["d/e/new file", "d/e/old absent", "d/x absent"]);
});

test("kinds replace each other", async () => {
  file("real/file/inner");
  file("upper/file", "now a file");
  file("merged/file", "now a file");
  file("real/directory", "was a file");
  mkdirSync(path.join(base, "upper/directory"));
  mkdirSync(path.join(base, "merged/directory"));
  symlinkSync("a", path.join(base, "real/link"));
  symlinkSync("b", path.join(base, "upper/link"));
  symlinkSync("a", path.join(base, "real/same"));
  symlinkSync("a", path.join(base, "upper/same"));
  expect((await told()).changes).toEqual([
    "directory directory",
    "file file",
    "file/inner absent",
    "link symlink",
  ]);
});

test("the root itself may change", async () => {
  chmodSync(path.join(base, "real"), 0o755);
  chmodSync(path.join(base, "upper"), 0o700);
  expect((await told()).changes).toEqual([" directory"]);
});

test("what goes through is not looked at", async () => {
  file("real/node_modules/a");
  file("upper/node_modules/b");
  file("merged/node_modules/a");
  const through = new Set([path.join(base, "real/node_modules")]);
  expect((await told({ through })).changes).toEqual([]);
});

test("names of one new file are reported together, although one of them was there", async () => {
  file("real/a", "a");
  file("upper/a", "a");
  file("merged/a", "a");
  linkSync(path.join(base, "upper/a"), path.join(base, "upper/b"));
  file("merged/b", "a");
  expect((await told()).changes).toEqual(["a file", "b file"]);
});

test("a name that was cut from its file is reported, although it looks the same", async () => {
  file("real/a", "a");
  linkSync(path.join(base, "real/a"), path.join(base, "real/b"));
  file("upper/a", "a");
  file("merged/a", "a");
  file("merged/b", "a");
  expect((await told()).changes).toEqual(["a file"]);
  expect((await told({ keepsLinks: false })).changes).toEqual([]);
});

test("sources that are nowhere else are only made where they are needed", async () => {
  file("upper/a", "a");
  file("merged/a", "a");
  await told();
  expect(readdirSync(base).toSorted()).toEqual(["index", "merged", "real", "upper"]);
});
