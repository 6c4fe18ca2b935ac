import * as fc from "fast-check";
import { expect, test } from "vitest";
import { gitIndex } from "../../../../test/support/git-index.ts";
import { parseGitIndex } from "./git-index.ts";

const listed = ["build/a.js", "dist/deep/b.js", "src/c.ts", "src/link", "src/ä ö.ts"];

test.for([
  { name: "version 4, with shared beginnings", bytes: () => version4 },
  { name: "version 2 with SHA-256", bytes: () => sha256 },
])("an index as git writes it: $name", ({ bytes }) => {
  const index = parseGitIndex(Buffer.from(bytes(), "base64"))?.index;

  expect([...(index?.below("") ?? [])]).toEqual(listed);
});

test("every path that is listed is found, and no other", () => {
  const name = fc
    .string({ unit: fc.constantFrom("a", "b", "-", ".", "ä"), minLength: 1 })
    .filter((text) => text !== "." && text !== "..");
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), path, (paths, other) => {
      const index = parseGitIndex(gitIndex(paths))?.index;

      for (const each of paths) expect(index?.has(each)).toBe(true);
      expect(index?.has(other)).toBe(paths.includes(other));
      const isAbove = paths.some((each) => each.startsWith(`${other}/`));
      expect(index?.hasBelow(other)).toBe(isAbove);
      const below = paths.filter((each) => each.startsWith(`${other}/`));
      expect([...(index?.below(other) ?? [])].toSorted()).toEqual([...new Set(below)].toSorted());
    }),
  );
});

test("a name of more than 4,095 bytes is read to its end", () => {
  const long = `build/${"x".repeat(5000)}`;

  expect(parseGitIndex(gitIndex(["a", long, "z"]))?.index.has(long)).toBe(true);
});

test("a split index names the shared one it adds to", () => {
  const whole = Buffer.from(gitIndex(["a"]));
  const hash = Buffer.alloc(20, 7);
  const length = Buffer.from([0, 0, 0, 20]);
  const split = Buffer.concat([
    whole.subarray(0, -20),
    Buffer.from("link"),
    length,
    hash,
    whole.subarray(-20),
  ]);

  expect(parseGitIndex(split)?.shared).toBe("07".repeat(20));
  expect(parseGitIndex(whole)?.shared).toBeUndefined();
});

test.for([
  "../secret.txt",
  "src/../../secret.txt",
  "src/../src/a.ts",
  "src/./a.ts",
  "/etc/passwd",
  "src//a.ts",
  "src/",
  ".git/config",
  "sub/.GIT/config",
  "src/a\0b",
  "x".repeat(8193),
])("an index with the path %j is not one of git's", (path) => {
  const index = parseGitIndex(gitIndex(["a.ts", path, "z.ts"]));

  expect(index).toBeUndefined();
});

test("names that begin with dots are names", () => {
  const paths = [".a", "..a/b", ".../c", "a/.gitignore", "a/..b"];

  expect([...(parseGitIndex(gitIndex(paths))?.index.below("") ?? [])]).toHaveLength(5);
});

test("a small index of version 4 cannot name more than memory holds", () => {
  const count = 200_000;
  const header = Buffer.from("DIRC\0\0\0\u0004\0\0\0\0", "latin1");
  header.writeUInt32BE(count, 8);
  const fixed = Buffer.alloc(62);
  fixed.writeUInt32BE(0o100644, 24);
  const first = Buffer.concat([fixed, Buffer.from(`\0${"x".repeat(8000)}\0`)]);
  const same = Buffer.concat([fixed, Buffer.from("\0\0")]);
  const bytes = Buffer.concat([
    header,
    first,
    ...Array.from({ length: count - 1 }, () => same),
    Buffer.alloc(20),
  ]);

  expect(parseGitIndex(bytes)).toBeUndefined();
});

test("bytes that are not an index are refused, and a damaged one does no harm", () => {
  expect(parseGitIndex(Buffer.from("DIRC"))).toBeUndefined();
  expect(parseGitIndex(Buffer.from("no index at all, and no paths"))).toBeUndefined();
  const whole = Buffer.from(gitIndex(listed));
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      for (const bytes of [damaged, whole.subarray(0, at)]) parseGitIndex(bytes)?.index.has("a");
    }),
  );
});

// Written by git 2.39: `git update-index --index-version 4`, `git init --object-format=sha256`.
const version4 = [
  "RElSQwAAAAQAAAAFawPS7jTLcQRrA9LuNMtxBAAA/gAAISiEAACBpAAAAAAAAAAAAAAAAlh75rTD+T+TxInAERu6VZ",
  "YUeibLAAoAYnVpbGQvYS5qcwBrA9LuNMtxBGsD0u40y3EEAAD+AAAhKIUAAIGkAAAAAAAAAAAAAAACl1++yCVtPoo3",
  "l+ejYROA8nxJ9KwADgpkaXN0L2RlZXAvYi5qcwBrA9LuNQh6BGsD0u41CHoEAAD+AAAhKIYAAIGkAAAAAAAAAAAAAA",
  "ACtoAlNF1TAautTZ7JFm9FUkOg10YACA5zcmMvYy50cwBrA9LuNbClWWsD0u41sKVZAAD+AAAhKJQAAKAAAAAAAAAA",
  "AAAAAAAEqnERtFzxsZoZZ63LxbWmod2YREEACARsaW5rAGsD0u41CHoEawPS7jUIegQAAP4AACEohwAAgaQAAAAAAA",
  "AAAAAAAAK8pw81MY8x3R0dHS0uZMGbiAiZ/wAMBMOkIMO2LnRzAFRSRUUAAACNADUgMwrt0MBHFMB4Bj5OHfpx6aoC",
  "0GiSvXNyYwAzIDAKKwk5Zt3k+ZM2ClM3iVljElNX335kaXN0ADEgMQpAtU3a7VvpHcJvhQ5tGd6V9aO97mRlZXAAMS",
  "AwChmmIJ1SY/uesZUNVGyZLK3Io4GxYnVpbGQAMSAwCoDOuha2/rG2+G0196Fa/WmUwsRqDvvD2H5t0BtkFPWV60E9",
  "cxVRJV8=",
].join("");
const sha256 = [
  "RElSQwAAAAIAAAAFawPS7yF7l/NrA9LvIXuX8wAA/gAAISl6AACBpAAAAAAAAAAAAAAAAhT1Fi4v49JA0NN6qrD5Dk",
  "r5p8+nljnzurAFtb+0F02fAApidWlsZC9hLmpzAAAAAGsD0u8he5fzawPS7yF7l/MAAP4AACEpfwAAgaQAAAAAAAAA",
  "AAAAAAJE3GNCGK3sCeNPN4ObOEC62MYQNpPpIWYmsy0A4JP6NQAOZGlzdC9kZWVwL2IuanMAAAAAAAAAAGsD0u8he5",
  "fzawPS7yF7l/MAAP4AACEp+QAAgaQAAAAAAAAAAAAAAAI6QEugMKSvqRIVXEdqSKJT1LOkPQCYQxttbKblVL14+wAI",
  "c3JjL2MudHMAAAAAAABrA9LvI2Pf8msD0u8jY9/yAAD+AAAhKXcAAKAAAAAAAAAAAAAAAAAEySZDSux9hExO25e4jz",
  "XxI1lCVzgrgn12vMkEZ5jfYdwACHNyYy9saW5rAAAAAAAAawPS7yF7l/NrA9LvIXuX8wAA/gAAISn6AACBpAAAAAAA",
  "AAAAAAAAAgsxMSBwc66rzGrltdV6SHXlYr9O87dXrba3Xe+y7J3xAAxzcmMvw6Qgw7YudHMAAFRSRUUAAADJADUgMw",
  "oYhc+sA18UfPsCbMbW2Anat9Lmi6vHjoJZ7Iz5F8chKXNyYwAzIDAKAN4MBXNE1aYAWyjb51HatB7jjn+GK389BIdA",
  "aIQSlXpkaXN0ADEgMQqepGSUIJpq2tna5dBKChngGOehEDPzAHl2KCTOxjrEMmRlZXAAMSAwCujiRODDaQ9dOImDBZ",
  "Yk4iPEtuhVS/3s0/f2BoO8zhjIYnVpbGQAMSAwCgkP7u7HTLIqBLB/CQhmxnZir1mARu7tq1Qh9svnBp1TRaqZsbak",
  "fGeElBpFAVA7ZBmi3gV7eXSsM2kZg1sqoZQ=",
].join("");
