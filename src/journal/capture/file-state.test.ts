import { expect, test } from "vitest";
import { absent, changeBetween, describeImage, isSameState, type FileState } from "./file-state.ts";

const file: FileState = { kind: "file", hash: "sha256:1", size: 1, mode: 0o644 };
const directory: FileState = { kind: "directory", mode: 0o755 };
const link: FileState = { kind: "symlink", target: "a" };
const fifo: FileState = { kind: "special", type: "fifo" };
const images: readonly FileState[] = [
  absent,
  file,
  { ...file, hash: "sha256:2" },
  { ...file, mode: 0o600 },
  directory,
  { ...directory, mode: 0o700 },
  link,
  { ...link, target: "b" },
  fifo,
  { ...fifo, type: "socket" },
];

test("an image is the same as itself and as no other", () => {
  for (const [i, a] of images.entries()) {
    for (const [j, b] of images.entries()) expect(isSameState(a, { ...b })).toBe(i === j);
  }
});

test.for<{ before: FileState; after: FileState; change: string; because: string }>([
  { before: file, after: file, change: "none", because: "nothing differs" },
  { before: absent, after: file, change: "created", because: "it was not there" },
  { before: directory, after: absent, change: "deleted", because: "it is not there" },
  {
    before: file,
    after: { ...file, hash: "sha256:2" },
    change: "modified",
    because: "its content differs",
  },
  {
    before: file,
    after: { ...file, mode: 0o600 },
    change: "mode",
    because: "only its bits differ",
  },
  {
    before: file,
    after: { ...file, hash: "sha256:2", mode: 0o600 },
    change: "modified",
    because: "both differ",
  },
  {
    before: directory,
    after: { ...directory, mode: 0o700 },
    change: "mode",
    because: "its bits differ",
  },
  {
    before: link,
    after: { ...link, target: "b" },
    change: "modified",
    because: "its text differs",
  },
  { before: link, after: file, change: "replaced", because: "it is another kind" },
])("$change: $because", ({ before, after, change }) => {
  expect(changeBetween(before, after)).toBe(change);
});

test("an image is described for a person", () => {
  expect(images.map(describeImage)).toMatchInlineSnapshot(`
    [
      "nothing",
      "a file of 1 bytes, mode 644",
      "a file of 1 bytes, mode 644",
      "a file of 1 bytes, mode 600",
      "a directory, mode 755",
      "a directory, mode 700",
      "a link to a",
      "a link to b",
      "a fifo",
      "a socket",
    ]
  `);
});
