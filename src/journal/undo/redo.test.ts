import { expect, test } from "vitest";
import type { WriteEffect } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";

const write = (path: string): WriteEffect => ({
  kind: "write",
  path,
  scope: "file",
  change: "any",
});

interface World {
  readonly journal: Journal;
  readonly call: (id: string, path: string, act: () => Promise<unknown>) => Promise<void>;
  readonly put: (path: string, text: string) => Promise<unknown>;
  readonly texts: () => Record<string, string>;
}

function world(files: Readonly<Record<string, string>>): World {
  const host = memoryHost({ files, root: "/project" });
  const journal = createJournal({ host, directory: "/data/journal" });
  return {
    journal,
    call: async (id, path, act) => {
      await journal.checkpoint(id, [write(path)], { tool: "Test" });
      await act();
      await journal.settle(id);
    },
    put: async (path, text) => await host.fs.writeAtomic(path, new TextEncoder().encode(text)),
    texts: () =>
      Object.fromEntries(
        Object.entries(host.control.texts()).filter(([path]) => path.startsWith("/project/")),
      ),
  };
}

test("a new change ends what can be redone, also after it was undone itself", async () => {
  const { texts, journal, call, put } = world({ "a.txt": "a1", "b.txt": "b1" });
  await call("1", "/project/a.txt", () => put("/project/a.txt", "a2"));
  await call("2", "/project/a.txt", () => put("/project/a.txt", "a3"));
  await journal.undo({ last: 2 });
  await call("3", "/project/b.txt", () => put("/project/b.txt", "b2"));

  const ended = { code: "NOT_FOUND", data: { callId: "3" } };
  await expect(journal.redo()).rejects.toMatchObject(ended);
  await expect(journal.redo({ force: true })).rejects.toMatchObject(ended);
  await journal.undo({ last: 1 });
  expect((await journal.redo()).calls).toEqual(["3"]);
  await expect(journal.redo()).rejects.toMatchObject(ended);
  expect(texts()).toEqual({ "/project/a.txt": "a1", "/project/b.txt": "b2" });
});

test("a call that changed nothing, or nothing yet, ends nothing", async () => {
  const { texts, journal, call, put } = world({ "a.txt": "a1", "b.txt": "b1" });
  await call("1", "/project/a.txt", () => put("/project/a.txt", "a2"));
  await journal.undo({ last: 1 });
  await call("2", "/project/b.txt", async () => undefined);
  await journal.checkpoint("3", [write("/project/b.txt")], { tool: "Test" });

  await put("/project/b.txt", "b2");
  await expect(journal.redo()).rejects.toMatchObject({ code: "NOT_FOUND" });
  await put("/project/b.txt", "b1");
  await journal.redo();
  expect(texts()).toEqual({ "/project/a.txt": "a2", "/project/b.txt": "b1" });
});

test("a longer file that a forced redo overwrites is stored first", async () => {
  const { texts, journal, call, put } = world({ "a.txt": "a1" });
  await call("1", "/project/a.txt", () => put("/project/a.txt", "a2"));
  await journal.undo({ last: 1 });
  await put("/project/a.txt", "a text of another program");

  const { skipped, kept } = await journal.redo({ force: ["/project/a.txt"] });

  expect([kept, skipped]).toEqual([[], []]);
  expect(texts()).toEqual({ "/project/a.txt": "a2" });
});
