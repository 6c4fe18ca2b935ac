import { expect, test } from "vitest";
import { memoryHost, type MemoryHost } from "../../host/index.ts";
import { createJournal, type Journal } from "../journal.ts";

const path = "/project/a.txt";
const encoder = new TextEncoder();

/** Two journals of live processes in one directory. */
function pair(): { host: MemoryHost; one: Journal; other: Journal } {
  const host = memoryHost({ files: { "a.txt": "0", "b.txt": "0" }, root: "/project" });
  const journal = (own: string): Journal =>
    createJournal({
      host,
      directory: "/data/journal",
      processes: { own, isRunning: () => true },
    });
  return { host, one: journal("1/boot/1/space"), other: journal("2/boot/2/space") };
}

async function edit(host: MemoryHost, journal: Journal, text: string): Promise<void> {
  await journal.checkpoint("edit", [{ kind: "write", path, scope: "file", change: "modify" }], {
    tool: "Edit",
  });
  await host.fs.writeAtomic(path, encoder.encode(text));
  await journal.settle("edit");
}

test("what another program's call changed in watched trees is not charged to a command", async () => {
  const { host, one, other } = pair();
  await one.watch("run", ["/project"], { tool: "Bash" });

  await edit(host, other, "theirs");
  await host.fs.writeAtomic("/project/b.txt", encoder.encode("own"));

  const entry = await one.settle("run");
  expect(entry?.skipped.map((each) => each.path)).toEqual(["/project/b.txt"]);
  expect(entry?.seen).toEqual(["/project/b.txt"]);
});

test("what another program undid meanwhile is not charged either", async () => {
  const { host, one, other } = pair();
  await edit(host, other, "theirs");
  await one.watch("run", ["/project"], { tool: "Bash" });

  await other.undo({ last: 1 });

  expect(await one.settle("run")).toBeUndefined();
});

test("what came after the other call is the command's", async () => {
  const { host, one, other } = pair();
  await one.watch("run", ["/project"], { tool: "Bash" });

  await edit(host, other, "theirs");
  await host.fs.writeAtomic(path, encoder.encode("own"));

  expect((await one.settle("run"))?.seen).toEqual([path]);
});

test("staged changes that meet another program's call are refused by its name", async () => {
  const { host, one, other } = pair();
  host.control.plant("/stage/a", { kind: "file", content: "staged", mode: 0o644, mtimeMs: 0 });
  const to = { kind: "file", source: "/stage/a", size: 6, mode: 0o644, mtimeMs: 0 } as const;
  const since = host.clock.now();
  host.control.advance(1000);
  await edit(host, other, "theirs");

  const staged = { since, changes: [{ path, to }], refused: [], through: [] };
  const applied = one.apply("run", staged, { tool: "Bash" });

  await expect(applied).rejects.toMatchObject({
    code: "STALE_READ",
    message:
      "No change of the command was applied: /project/a.txt changed while it ran, by Edit (edit) of another haft program (process 2).",
  });
});

test("staged changes that meet a call of this program name no other program", async () => {
  const { host, one } = pair();
  host.control.plant("/stage/a", { kind: "file", content: "staged", mode: 0o644, mtimeMs: 0 });
  const to = { kind: "file", source: "/stage/a", size: 6, mode: 0o644, mtimeMs: 0 } as const;
  const since = host.clock.now();
  host.control.advance(1000);
  await edit(host, one, "own");

  const staged = { since, changes: [{ path, to }], refused: [], through: [] };
  const applied = one.apply("run", staged, { tool: "Bash" });

  await expect(applied).rejects.toMatchObject({
    message: "No change of the command was applied: /project/a.txt changed while it ran.",
  });
});
