import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { snapshotPath } from "./snapshot.ts";

const host = memoryHost({ root: "/p", files: { "a.txt": "text", "d/b.txt": "b" } });
host.control.plant("link", { kind: "symlink", target: "d" });
host.control.plant("odd", { kind: "fifo" });

test.for([
  { path: "/p/a.txt", image: { kind: "file", size: 4, mode: 0o644 }, because: "a file is read" },
  { path: "/p/d", image: { kind: "directory", mode: 0o755 }, because: "a directory is not a file" },
  { path: "/p/link", image: { kind: "symlink", target: "d" }, because: "a link is not followed" },
  { path: "/p/odd", image: { kind: "special", type: "fifo" }, because: "a FIFO is never opened" },
  { path: "/p/none", image: { kind: "absent" }, because: "nothing is there" },
  { path: "/p/a.txt/x", image: { kind: "absent" }, because: "nothing is below a file" },
  { path: "/p/link/b.txt", image: { kind: "absent" }, because: "nothing is behind a link" },
])("$path is $image: $because", async ({ path, image }) => {
  expect((await snapshotPath(host.fs, path, 4)).image).toMatchObject(image);
});

test("a file that is too large is known by its version", async () => {
  const { image, bytes } = await snapshotPath(host.fs, "/p/a.txt", 3);
  const { version, mtimeMs } = await host.fs.stat("/p/a.txt");

  expect(image).toEqual({
    kind: "file",
    hash: `version:${version}`,
    size: 4,
    mode: 0o644,
    mtimeMs,
  });
  expect(bytes).toBeUndefined();
});

test.for(["readFile", "stat"] as const)(
  "what %s may not look at is an error, never nothing",
  async (operation) => {
    const heal = host.control.fail({ path: "/p/d", operation, fails: "EACCES" });

    await expect(snapshotPath(host.fs, "/p/d", 4)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
    heal();
  },
);
