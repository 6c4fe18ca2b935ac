import { expect, test } from "vitest";
import type { WriteEffect } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";

const path = "/project/a.txt";
const directory = "/data/journal";
const write: WriteEffect = { kind: "write", path, scope: "file", change: "modify" };
const encoder = new TextEncoder();

test("undo names a file whose stored content another program has overwritten, and changes nothing", async () => {
  const host = memoryHost({ files: { "a.txt": "the old content" }, root: "/project" });
  const journal = createJournal({ host, directory });
  await journal.checkpoint("1", [write], { tool: "Edit" });
  await host.fs.writeAtomic(path, encoder.encode("the new content"));
  await journal.settle("1");
  await journal.diff("1");
  for (const [log, text] of Object.entries(host.control.texts())) {
    if (!log.startsWith(`${directory}/log/`)) continue;
    await host.fs.writeAtomic(log, encoder.encode(text.replaceAll("the old", "the 0ld")));
  }

  await expect(journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: `Nothing was changed: the journal's copy of ${path} is damaged or lost.`,
    hint: "Its content cannot be restored; haft doctor says what is damaged.",
  });
});
