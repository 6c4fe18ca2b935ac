import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryHost } from "../../../testing/index.ts";
import { repositoryConfig } from "./git-config.ts";
import { namesIn, strayName } from "./git-index.ts";

const repository = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/objects/x": "",
  ".git/refs/x": "",
  "/other/.git/HEAD": "ref: refs/heads/main\n",
  "/other/.git/objects/x": "",
  "/other/.git/refs/x": "",
  "/other/.git/worktrees/p/HEAD": "ref: refs/heads/p\n",
  "/other/.git/worktrees/p/commondir": "../..\n",
  "/other/secret": "",
};

async function kindOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = {},
): Promise<string> {
  const host = memoryHost({ files });
  for (const [path, target] of Object.entries(links)) {
    host.control.plant(`/project/${path}`, { kind: "symlink", target });
  }
  const { kind } = await repositoryConfig(host, "/project", "/project");
  return kind;
}

const other = Object.fromEntries(
  Object.entries(repository).filter(([name]) => name.startsWith("/other")),
);
const without = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(repository).filter(([name]) => !names.includes(name)));

describe("a repository of the workspace that takes its data from outside is unclear", () => {
  test("a file that names another repository", async () => {
    expect(await kindOf({ ...other, ".git": "gitdir: /other/.git\n" })).toBe("unclear");
  });

  test("a link to another repository", async () => {
    expect(await kindOf({ ...other, a: "" }, { ".git": "/other/.git" })).toBe("unclear");
  });

  test("a shared directory outside", async () => {
    expect(await kindOf({ ...repository, ".git/commondir": "/other/.git" })).toBe("unclear");
  });

  test("another store of objects", async () => {
    const files = { ...repository, ".git/objects/info/alternates": "/other/.git/objects\n" };
    expect(await kindOf(files)).toBe("unclear");
  });

  test("links among its parts", async () => {
    expect(await kindOf(repository, { ".git/packed-refs": "/other/secret" })).toBe("unclear");
    expect(await kindOf(repository, { ".git/info/attributes": "/other/secret" })).toBe("unclear");
    const objects = without(".git/objects/x");
    expect(await kindOf(objects, { ".git/objects": "/other/.git/objects" })).toBe("unclear");
  });

  test("an index with a name that leads out", async () => {
    const stray = { ...repository, ".git/index": indexOf(["a", "../../secret"]) };
    const plain = { ...repository, ".git/index": indexOf(["a", "b/c"]) };

    expect(await kindOf(stray)).toBe("unclear");
    expect(await kindOf(plain)).toBe("known");
  });
});

test("a worktree of another repository, which names it in return, is known", async () => {
  const worktree = {
    ...other,
    ".git": "gitdir: /other/.git/worktrees/p\n",
    "/other/.git/worktrees/p/gitdir": "/project/.git\n",
  };

  expect(await kindOf(worktree)).toBe("known");
  expect(await kindOf({ ...worktree, "/other/.git/worktrees/p/gitdir": "/x/.git\n" })).toBe(
    "unclear",
  );
});

const sha1 = 20;

test.each([
  { names: ["a/b", "c..d", "..a", "a.../b", "x".repeat(5000)], stray: undefined },
  { names: ["../a"], stray: "../a" },
  { names: ["a", "b/../../c"], stray: "b/../../c" },
  { names: ["a/.."], stray: "a/.." },
  { names: ["/etc/x"], stray: "/etc/x" },
])("the stray name of $names is $stray", ({ names, stray }) => {
  expect(strayName(indexOf(names), sha1)).toBe(stray);
});

test("an index that is cut, split or in another form is a reason by itself", () => {
  const whole = indexOf(["a"]);
  const split = withParts(whole, part("TREE", 3), part("link", 4));

  expect(strayName(whole.subarray(0, 40), sha1)).toBe("an index that is cut off");
  expect(strayName(new Uint8Array(3), sha1)).toBe("an index that is cut off");
  expect(strayName(indexOf(["../a"], 4), sha1)).toBe(notRead);
  expect(strayName(indexOf(["a"], 5), sha1)).toBe(notRead);
  expect(strayName(whole, undefined)).toBe("hashes of an unknown kind");
  expect(strayName(split, sha1)).toBe("an index in parts");
});

test("a directory whose name ends like the mark of a split index does not make one", () => {
  const tree = [...new TextEncoder().encode("TREE"), 0, 0, 0, 9];
  const named = [...tree, ...new TextEncoder().encode("uplink\0\0\u0004")];

  expect(strayName(withParts(indexOf(["uplink/a"]), named), sha1)).toBeUndefined();
});

test("a part of any size hides no mark of a split index that git sees", () => {
  const large = withParts(indexOf(["a"]), part("TREE", 0x1_00_00_00), part("link", 4));

  expect(strayName(large, sha1)).toBe("an index in parts");
});

test("an index that git may read from elsewhere on is a reason by itself", () => {
  const whole = indexOf(["a"]);

  expect(strayName(withParts(whole, part("IEOT", 12)), sha1)).toBe(notRead);
  expect(strayName(withParts(whole, ends(12)), sha1)).toBe(notRead);
  expect(strayName(withParts(whole, ends(whole.length)), sha1)).toBeUndefined();
});

test("a length in the flags that is not the name's hides no entry", () => {
  const index = indexOf(["!", "../../secret"]);
  index[12 + 61] = 60;

  expect(strayName(index, sha1)).toBe(notRead);
  expect(namesIn(index, sha1)).toBeUndefined();
});

test("the hashes are as long as the repository's settings say", async () => {
  const sha256 = "[core]\nrepositoryformatversion = 1\n[extensions]\nobjectFormat = sha256";
  const long = { ...repository, ".git/config": sha256 };

  expect(await kindOf({ ...long, ".git/index": indexOf(["a", "b"], 2, 32) })).toBe("known");
  expect(await kindOf({ ...long, ".git/index": indexOf(["a", "../b"], 2, 32) })).toBe("unclear");
  expect(await kindOf({ ...long, ".git/index": indexOf(["a", "b"]) })).toBe("unclear");
  const unknown = { ...repository, ".git/config": sha256.replace("= 1", "= 0") };
  expect(await kindOf({ ...unknown, ".git/index": indexOf(["a"]) })).toBe("unclear");
});

describe("the index that git writes", () => {
  test.each(["2", "3", "4"])("is read in version %s", async (version) => {
    const folder = await mkdtemp(join(tmpdir(), "index-"));
    const git = (...args: readonly string[]): void => {
      execFileSync("git", ["-C", folder, "-c", "core.splitIndex=false", ...args]);
    };
    try {
      git("init", "-q");
      await mkdir(join(folder, "uplink"));
      const names = ["a.txt", "uplink/one.txt", "uplink/other.txt"];
      for (const name of names) await writeFile(join(folder, name), name);
      git("add", ".");
      git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all");
      await writeFile(join(folder, "new"), "");
      if (version === "3") git("add", "-N", "new");
      git("update-index", "--index-version", version);
      const index = await readFile(join(folder, ".git/index"));

      expect(index[7]).toBe(Number(version));
      expect(strayName(index, sha1)).toBeUndefined();
      expect(namesIn(index, sha1)).toEqual(
        version === "3" ? ["a.txt", "new", ...names.slice(1)] : names,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test("a name of version 4 that leads out in two pieces is found", () => {
  const index = indexOf(["", ""], 4);
  const packed = [
    ...index.subarray(0, 12),
    ...packedEntry(0, "a/.b", 4),
    ...packedEntry(1, "./c", 6),
  ];

  expect(strayName(Uint8Array.from(packed), sha1)).toBe("a/../c");
});

const notRead = "an index in a form that is not read";

/** Extension that tells where the entries end. */
const ends = (at: number): number[] => [
  ...new TextEncoder().encode("EOIE"),
  0,
  0,
  0,
  24,
  0,
  0,
  0,
  at,
  ...new Uint8Array(20),
];

/** Entry of version 4 that continues the name before it. */
const packedEntry = (dropped: number, rest: string, length: number): number[] => [
  ...new Uint8Array(60),
  0,
  length,
  dropped,
  ...new TextEncoder().encode(`${rest}\0`),
];

/** Extension of an index with this many bytes. */
function part(name: string, size: number): Uint8Array {
  const bytes = Buffer.alloc(8 + size);
  bytes.write(name);
  bytes.writeUInt32BE(size, 4);
  return bytes;
}

/** Index with extensions and a checksum. */
function withParts(index: Uint8Array, ...parts: readonly Iterable<number>[]): Uint8Array {
  return Buffer.concat([index, ...parts.map((each) => Uint8Array.from(each)), new Uint8Array(20)]);
}

/** Index of git with these names and nothing known about their files. */
function indexOf(names: readonly string[], version = 2, hashBytes = 20): Uint8Array {
  const bytes: number[] = [...new TextEncoder().encode("DIRC"), 0, 0, 0, version];
  bytes.push(0, 0, 0, names.length);
  for (const name of names) {
    const text = [...new TextEncoder().encode(name)];
    const length = Math.min(text.length, 0xf_ff);
    const entry = [...new Uint8Array(40 + hashBytes), length >> 8, length & 255, ...text, 0];
    while (entry.length % 8 !== 0) entry.push(0);
    bytes.push(...entry);
  }
  return Uint8Array.from(bytes);
}
