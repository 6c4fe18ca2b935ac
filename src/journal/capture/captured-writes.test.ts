import { expect, test } from "vitest";
import type { HostAppender, HostFile, WriteEffect } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";
import { CapturedWrites } from "./captured-writes.ts";

const directory = "/data/journal";
const write: WriteEffect = {
  kind: "write",
  path: "/project/a.txt",
  scope: "file",
  change: "modify",
};

/** Files with the names `0`, `1`, …, each of this size. */
async function filesOf(count: number, size: number): Promise<readonly HostFile[]> {
  const names = Array.from({ length: count }, (_, index) => String(index));
  const host = memoryHost({
    files: Object.fromEntries(names.map((name) => [name, "x".repeat(size)])),
    root: "/project",
  });
  return await Promise.all(names.map((name) => host.fs.readFile(`/project/${name}`)));
}

function transactionOf(files: readonly HostFile[]): CapturedWrites {
  return new CapturedWrites(files, async () => undefined);
}

test("what is flushed later is written at once, and durable when the flush says so", async () => {
  const host = memoryHost({ files: { "a.txt": "old" }, root: "/project" });
  const said: string[] = [];
  const watched = new Proxy(host.fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      if (key !== "appender") return method.bind(target);
      return async (path: string): Promise<HostAppender> => ({
        append: async (data, { durable = false } = {}) => {
          said.push(`${data.length > 0 ? "written" : "nothing"} ${durable ? "safe" : "soon"}`);
          await target.append(path, data);
        },
        close: async () => undefined,
      });
    },
  });
  const journal = createJournal({ host: { fs: watched, clock: host.clock }, directory });
  const info = { tool: "Edit", isTransaction: true };
  const { transaction } = await journal.checkpoint("1", [write], info);

  expect(said).toEqual(["written soon"]);
  await transaction?.durable();
  await transaction?.durable();
  expect(said).toEqual(["written soon", "nothing safe"]);
  await journal.checkpoint("2", [{ ...write, path: "/project/b.txt" }], { tool: "Edit" });
  expect(said).toEqual(["written soon", "nothing safe", "written soon", "nothing safe"]);
});

test("the files that a checkpoint reads are handed on, with their contents", async () => {
  const host = memoryHost({ files: { "a.txt": "old" }, root: "/project" });
  const journal = createJournal({ host, directory });

  const info = { tool: "Edit", isTransaction: true };
  const { transaction } = await journal.checkpoint("1", [write], info);

  expect(transaction?.captured("/project/a.txt")?.bytes).toEqual(new TextEncoder().encode("old"));
});

test.each([
  { size: 65_536, isBuffered: true },
  { size: 65_537, isBuffered: false },
])("a captured file of $size bytes is buffered: $isBuffered", async ({ size, isBuffered }) => {
  const transaction = transactionOf(await filesOf(1, size));

  expect(transaction.captured("/project/0") !== undefined).toBe(isBuffered);
  expect(() => transaction.requireCaptured("/project/0", "other")).toThrow(
    "/project/0 changed when the call began.",
  );
});

test("32 captured files are buffered; of the others the hash is known", async () => {
  const transaction = transactionOf(await filesOf(33, 1));

  expect(transaction.captured("/project/31")).toBeDefined();
  expect(transaction.captured("/project/32")).toBeUndefined();
  expect(() => transaction.requireCaptured("/project/32", "other")).toThrow("changed");
});

test("32 written files are recorded; the others are read again when the call ends", async () => {
  const files = await filesOf(33, 1);
  const transaction = transactionOf([]);
  for (const file of files) {
    transaction.changing([file.stat.path]);
    transaction.wrote(file.stat.path, file);
  }

  const { written } = transaction;

  expect(written === "nothing" ? [] : [...written.keys()]).toEqual(
    files.slice(0, 32).map(({ stat }) => stat.path),
  );
});
