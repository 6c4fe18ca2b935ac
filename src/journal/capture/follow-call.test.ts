import { expect, test } from "vitest";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";

const write = { kind: "write", path: "/ws/a", scope: "file", change: "modify" } as const;

async function editedFile() {
  const host = memoryHost({ files: { "/ws/a": "before" } });
  const put = async (text: string): Promise<void> =>
    void (await host.fs.writeAtomic("/ws/a", new TextEncoder().encode(text)));
  const open = () => createJournal({ host, directory: "/data/journal" });
  const journal = open();
  await journal.checkpoint("c1", [write], { tool: "Edit" });
  await put("edited");
  await journal.settle("c1");
  const read = async (): Promise<string> =>
    new TextDecoder().decode((await host.fs.readFile("/ws/a")).bytes);
  return { host, journal, open, put, read };
}

test("a change of a followed file is part of the call", async () => {
  const { journal, put, read } = await editedFile();

  const end = await journal.follow({ callId: "c1", startedAt: 0 });
  await put("formatted");
  const changes = await end?.();
  const [difference] = await journal.diff("c1");
  await journal.undo({ call: "c1" });

  expect(changes).toMatchObject([{ path: "/ws/a" }]);
  expect(difference?.diff).toContain("-before");
  expect(difference?.diff).toContain("+formatted");
  expect(await read()).toBe("before");
});

test("a file that another program changed before is not followed, and undo refuses it", async () => {
  const { journal, put, read } = await editedFile();

  await put("foreign");
  const end = await journal.follow({ callId: "c1", startedAt: 0 });
  await put("formatted");

  expect(end).toBeUndefined();
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(await read()).toBe("formatted");
});

test("a change that a call of another process makes meanwhile is not that of the hook", async () => {
  const { journal, open, put, read } = await editedFile();
  const other = open();

  const end = await journal.follow({ callId: "c1", startedAt: 0 });
  await other.checkpoint("o1", [write], { tool: "Edit" });
  await put("by another call");
  await other.settle("o1");

  expect(await end?.()).toEqual([]);
  await expect(journal.undo({ call: "c1" })).rejects.toMatchObject({ code: "STALE_READ" });
  expect(await read()).toBe("by another call");
});

test("a call that is undone while its hooks run stays undone", async () => {
  const { journal, put } = await editedFile();

  const end = await journal.follow({ callId: "c1", startedAt: 0 });
  await journal.undo({ call: "c1" });
  await put("formatted");

  expect(await end?.()).toEqual([]);
  expect(await journal.history()).toMatchObject([{ callId: "c1", state: "undone" }]);
});

test("an earlier call with the same id is not followed", async () => {
  const { journal, host } = await editedFile();

  const startedAt = host.clock.now() + 1;

  expect(await journal.follow({ callId: "c1", startedAt })).toBeUndefined();
});
