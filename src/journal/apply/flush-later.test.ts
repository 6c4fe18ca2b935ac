import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";

const file = "/project/a.txt";
const write = { kind: "write", path: file, scope: "file", change: "any" } as const;
const large = "x".repeat(100_000);

/** Call that makes its before states durable before it changes something, or omits that. */
async function world() {
  const host = memoryHost({ files: { [file]: large }, root: "/project" });
  const journal = createJournal({ host, directory: "/data/journal" });
  const { hash } = await host.fs.readFile(file);
  const path = `/data/journal/blobs/${hash.replace(":", "-")}`;
  let flush: (() => Promise<unknown>) | undefined;
  const begin = async (callId: string): Promise<void> => {
    const info = { tool: "Test", isTransaction: true };
    const { transaction } = await journal.checkpoint(callId, [write], info);
    transaction?.changing([file]);
    flush = () => transaction?.durable() ?? Promise.reject(new Error("no transaction"));
  };
  const put = async (text: string): Promise<unknown> =>
    await host.fs.writeAtomic(file, new TextEncoder().encode(text));
  const failing = (): unknown =>
    host.control.fail({ path, operation: "writeAtomic", fails: "ENOSPC" });
  return { host, journal, failing, begin, put, flush: async () => await flush?.() };
}

test("what a call changed without waiting for its images is not told to be kept where they are not", async () => {
  const { host, journal, failing, begin, put } = await world();
  failing();
  await begin("c1");
  await put("after");

  await expect(journal.settle("c1")).rejects.toMatchObject({ code: "NO_SPACE" });
  const [entry] = await journal.history();
  expect(entry?.state).toBe("open");
  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(host.control.texts()[file]).toBe("after");
});

test("a call that could not have its images made safe, and changed nothing, leaves nothing", async () => {
  const { journal, failing, begin, flush } = await world();
  failing();
  await begin("c1");

  await expect(flush()).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(await journal.settle("c1")).toBeUndefined();
  expect(await journal.history()).toEqual([]);
});

test("a deferred write can be undone", async () => {
  const { host, journal, begin, put, flush } = await world();
  await begin("c1");
  await flush();
  await put("after");
  await journal.settle("c1");

  await journal.undo({ last: 1 });
  expect(host.control.texts()[file]).toBe(large);
});
