import type { Host, HostFs } from "../../core/index.ts";
import type { ContractCheck } from "../tool-contract.ts";
import {
  all,
  checksOf,
  decoded,
  encoded,
  refused,
  requireTrue,
  same,
  type Law,
  type ContractHost,
} from "./requirements.ts";

type World = Pick<Host, "fs"> & ContractHost;

/**
 * Requirements on the files of every host. `open` opens one with an empty directory for each check. Laws about links
 * are checked where the host can create them.
 *
 * @example
 * const open = async () => ({ fs: memoryHost().fs, root: "/project" });
 * for (const { name, run } of hostFsContract("memory", open)) test(name, run);
 */
export function hostFsContract(
  name: string,
  open: () => Promise<Pick<Host, "fs"> & ContractHost>,
): readonly ContractCheck[] {
  return checksOf(name, open, laws);
}

const laws: readonly Law<World>[] = [
  {
    name: "what was written is read, with its hash and its state",
    async check({ fs, root }) {
      const written = await fs.writeAtomic(`${root}/a.txt`, encoded("héllo"));
      const { bytes, hash, stat } = await fs.readFile(`${root}/a.txt`);
      same(decoded(bytes), "héllo", "content");
      same(hash, written.hash, "hash");
      requireTrue(/^sha256:[\da-f]{64}$/u.test(hash), "the hash is not sha256:…");
      same([stat.path, stat.kind, stat.size], [`${root}/a.txt`, "file", 6], "state");
      same(await fs.stat(`${root}/a.txt`), stat, "state from stat");
    },
  },
  {
    name: "a file is replaced only if it is what was read",
    async check({ fs, root }) {
      const path = `${root}/a.txt`;
      const first = await fs.writeAtomic(path, encoded("1"), { ifMatch: null });
      await refused(fs.writeAtomic(path, encoded("2"), { ifMatch: null }), ["ALREADY_EXISTS"]);
      await fs.writeAtomic(path, encoded("3"), { ifMatch: first.hash });
      await refused(fs.writeAtomic(path, encoded("4"), { ifMatch: first.hash }), ["STALE_READ"]);
      same(await textOf(fs, path), "3", "content");
      same(await namesIn(fs, root), ["a.txt:file"], "names, without drafts");
    },
  },
  {
    name: "of several that create one file, one succeeds",
    async check({ fs, root }) {
      const writes = Array.from({ length: 4 }, async (_, at) => {
        await fs.writeAtomic(`${root}/a.txt`, encoded(String(at)), { ifMatch: null });
      });
      const done = await Promise.allSettled(writes);
      same(done.filter(({ status }) => status === "fulfilled").length, 1, "successes");
    },
  },
  {
    name: "a write changes the version of a file, a read does not",
    async check({ fs, root }) {
      const path = `${root}/a.txt`;
      await fs.writeAtomic(path, encoded("one"));
      const before = await fs.stat(path);
      await fs.readFile(path);
      same((await fs.stat(path)).version, before.version, "version after a read");
      await fs.writeAtomic(path, encoded("two"));
      const after = await fs.stat(path);
      requireTrue(after.version !== before.version, "the version is that of the old content");
    },
  },
  {
    name: "a range is what lies there, shorter at the end",
    async check({ fs, root }) {
      await fs.writeAtomic(`${root}/a.txt`, encoded("0123456789"));
      const range = async (offset: number, length: number): Promise<string | undefined> =>
        decoded(await fs.readRange(`${root}/a.txt`, { offset, length }));
      same(await range(4, 2), "45", "a range inside");
      same(await range(8, 100), "89", "a range beyond the end");
      same(await range(99, 1), "", "a range after the end");
    },
  },
  {
    name: "a file is read in pieces from an offset, and the reader may leave early",
    async check({ fs, root }) {
      const content = "0123456789".repeat(30_000);
      await fs.writeAtomic(`${root}/big.txt`, encoded(content));
      const decoder = new TextDecoder();
      let read = "";
      for await (const piece of fs.open(`${root}/big.txt`, { offset: 5, reuse: true })) {
        read += decoder.decode(piece, { stream: true });
      }
      requireTrue(read === content.slice(5), "the pieces are not the content");
      for await (const piece of fs.open(`${root}/big.txt`)) {
        requireTrue(piece.length > 0, "a piece is empty");
        break;
      }
      await fs.remove(`${root}/big.txt`);
    },
  },
  {
    name: "a limit of bytes refuses a file and does not cut it",
    async check({ fs, root }) {
      await fs.writeAtomic(`${root}/a.txt`, encoded("12345"));
      same((await fs.readFile(`${root}/a.txt`, { maxBytes: 5 })).bytes.length, 5, "bytes");
      await refused(fs.readFile(`${root}/a.txt`, { maxBytes: 4 }), ["TOO_LARGE"]);
    },
  },
  {
    name: "each kind of wrong path has its code",
    async check({ fs, root }) {
      await fs.writeAtomic(`${root}/file`, encoded("x"));
      await fs.mkdir(`${root}/folder`);
      for (const read of readers(fs)) {
        await refused(read(`${root}/missing`), ["NOT_FOUND"]);
        await refused(read(`${root}/file/below`), ["NOT_A_DIRECTORY"]);
      }
      await refused(fs.readFile(`${root}/folder`), ["IS_DIRECTORY"]);
      await refused(all(fs.list(`${root}/file`)), ["NOT_A_DIRECTORY"]);
      await refused(fs.writeAtomic(`${root}/missing/a`, encoded("x")), ["NOT_FOUND"]);
      await refused(fs.writeAtomic(`${root}/folder`, encoded("x")), ["IS_DIRECTORY"]);
      await refused(fs.remove(`${root}/missing`), ["NOT_FOUND"]);
    },
  },
  {
    name: "a directory is created with its parents, and removed only if that is meant",
    async check({ fs, root }) {
      await fs.mkdir(`${root}/a/b`);
      await fs.mkdir(`${root}/a/b`);
      await fs.writeAtomic(`${root}/a/b/c.txt`, encoded("x"));
      await refused(fs.mkdir(`${root}/a/b/c.txt`), ["ALREADY_EXISTS"]);
      same(await namesIn(fs, `${root}/a`), ["b:directory"], "names");
      await refused(fs.remove(`${root}/a`), ["IS_DIRECTORY"]);
      await fs.remove(`${root}/a`, { recursive: true });
      same(await namesIn(fs, root), [], "names after the removal");
    },
  },
  {
    name: "a file is moved over a file, never over a directory",
    async check({ fs, root }) {
      await fs.writeAtomic(`${root}/a`, encoded("a"));
      await fs.writeAtomic(`${root}/b`, encoded("b"));
      await fs.mkdir(`${root}/folder`);
      await fs.move(`${root}/a`, `${root}/b`);
      same(await textOf(fs, `${root}/b`), "a", "content");
      await refused(fs.move(`${root}/b`, `${root}/folder`), ["IS_DIRECTORY", "ALREADY_EXISTS"]);
      same(await namesIn(fs, root), ["b:file", "folder:directory"], "names");
    },
  },
  {
    name: "what is appended follows what was there",
    async check({ fs, root }) {
      await fs.append(`${root}/a.txt`, encoded("one "));
      await fs.append(`${root}/a.txt`, encoded("two"));
      same(await textOf(fs, `${root}/a.txt`), "one two", "content");
    },
  },
  {
    name: "a canonical path has no dots and need not exist",
    async check({ fs, root }) {
      const canonical = await fs.canonical("a/./b/../c.txt", { base: root });
      same(canonical, `${root}/a/c.txt`, "path");
      same(await fs.canonical(canonical), canonical, "path, made canonical again");
    },
  },
  {
    name: "a link is resolved on request and refused on the way",
    async check({ fs, root }) {
      if (fs.makeLink === undefined) return;
      await fs.mkdir(`${root}/real`);
      await fs.writeAtomic(`${root}/real/a.txt`, encoded("x"));
      await fs.makeLink(`${root}/link`, "real");
      same(await fs.readLink(`${root}/link`), "real", "text of the link");
      same((await fs.stat(`${root}/link`)).kind, "symlink", "kind");
      same(await fs.canonical(`${root}/link/a.txt`), `${root}/real/a.txt`, "canonical path");
      await refused(fs.readFile(`${root}/link/a.txt`), ["PATH_CHANGED"]);
      await refused(fs.writeAtomic(`${root}/link/b.txt`, encoded("x")), ["PATH_CHANGED"]);
      await fs.remove(`${root}/link`);
      same(await textOf(fs, `${root}/real/a.txt`), "x", "content of what the link named");
    },
  },
  {
    name: "an operation that was aborted before does nothing",
    async check({ fs, root }) {
      const signal = AbortSignal.abort();
      await refused(fs.writeAtomic(`${root}/a`, encoded("x"), { signal }), ["ABORTED"]);
      await refused(fs.mkdir(`${root}/b`, { signal }), ["ABORTED"]);
      same(await namesIn(fs, root), [], "names");
    },
  },
];

function readers(fs: HostFs): readonly ((path: string) => Promise<unknown>)[] {
  return [
    async (path) => await fs.stat(path),
    async (path) => await fs.readFile(path),
    async (path) => await fs.readRange(path, { offset: 0, length: 1 }),
    async (path) => await all(fs.open(path)),
    async (path) => await all(fs.list(path)),
  ];
}

async function textOf(fs: HostFs, path: string): Promise<string | undefined> {
  return decoded((await fs.readFile(path)).bytes);
}

async function namesIn(fs: HostFs, path: string): Promise<readonly string[]> {
  return (await all(fs.list(path))).map(({ name, kind }) => `${name}:${kind}`).toSorted();
}
