import { expect, test } from "vitest";
import type { StagedChange, WriteEffect } from "../../core/index.ts";
import { memoryHost } from "../../host/index.ts";
import { createJournal } from "../journal.ts";
import type { JournalOptions } from "../journal-options.ts";

const at = (path: string): string => `/project/${path}`;
const gone = (path: string): StagedChange => ({ path: at(path), to: { kind: "absent" } });

function world(files: Readonly<Record<string, string>>, budget: JournalOptions["budget"] & object) {
  const host = memoryHost({ files, root: "/project" });
  const journal = createJournal({ host, directory: "/data/journal", budget });
  const { fs } = host;
  host.control.advance(10_000);
  const since = host.clock.now();
  host.control.advance(1000);
  return {
    fs,
    journal,
    textOf: async (path: string) => new TextDecoder().decode((await fs.readFile(at(path))).bytes),
    file: (path: string, content: string): StagedChange => {
      const source = `/stage/${path}`;
      host.control.plant(source, { kind: "file", content, mode: 0o644, mtimeMs: since });
      const { length: size } = content;
      return { path: at(path), to: { kind: "file", source, size, mode: 0o644, mtimeMs: since } };
    },
    apply: async (changes: readonly StagedChange[]) =>
      await journal.apply("1", { since, changes, refused: [], through: [] }, { tool: "Bash" }),
  };
}

test("a file that was not kept, because there are too many, is changed anyway", async () => {
  const { apply, file, textOf } = world({ a: "1", b: "2", c: "3" }, { paths: 1 });

  const entry = await apply([file("a", "one"), file("b", "two"), file("c", "3 and more")]);

  expect(entry?.level).toBe("partial");
  expect([await textOf("a"), await textOf("b"), await textOf("c")]).toEqual([
    "one",
    "two",
    "3 and more",
  ]);
});

test("what was moved and not kept is not lost by taking the move back", async () => {
  const { apply, file, journal, fs, textOf } = world(
    { kept: "kept", big: "1234567890" },
    { bytes: 5 },
  );
  await apply([gone("kept"), file("new", "kept"), gone("big"), file("moved", "1234567890")]);

  const { skipped } = await journal.undo({ last: 1 });

  expect(skipped).toContainEqual({
    path: at("moved"),
    because: "it may hold what /project/big held, which was not kept",
  });
  expect(await textOf("moved")).toBe("1234567890");
  await expect(fs.stat(at("new"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await textOf("kept")).toBe("kept");
});

test("a call that says what it moves does not lose by undo what was not kept of it", async () => {
  const { journal, fs, textOf } = world({ "old/a": "1234567890", "old/b": "2" }, { bytes: 5 });
  const writes: readonly WriteEffect[] = [
    { kind: "write", path: at("old"), scope: "tree", change: "delete" },
    { kind: "write", path: at("new"), scope: "tree", change: "create" },
  ];
  await journal.checkpoint("2", writes, { tool: "Bash" });
  await fs.mkdir(at("new"));
  await fs.move(at("old/a"), at("new/a"));
  await fs.move(at("old/b"), at("new/b"));
  await journal.settle("2");

  await journal.undo({ last: 1 });

  expect(await textOf("new/a")).toBe("1234567890");
  expect(await textOf("old/b")).toBe("2");
});

test("nor does undo restore a file over the only copy of one that was moved there", async () => {
  const { journal, apply, file, textOf } = world(
    { large: "0123456789 and more", b: "old", c: "old" },
    { bytes: 10 },
  );

  await apply([gone("large"), file("b", "0123456789 and more"), file("c", "new")]);
  const undone = await journal.undo({ last: 1 });

  expect(await textOf("b")).toBe("0123456789 and more");
  expect(await textOf("c")).toBe("old");
  expect(undone.skipped.map(({ path }) => path).toSorted()).toEqual([at("b"), at("large")]);
});

test("of more files of one size than are kept, undo restores those that are", async () => {
  const names = Array.from({ length: 50 }, (_, index) => `f${String(index).padStart(2, "0")}`);
  const files = Object.fromEntries(names.map((name) => [name, `old ${name}`]));
  const { apply, file, journal, textOf } = world(files, { paths: 20 });

  const entry = await apply(names.map((name) => file(name, `new ${name}`)));

  expect(entry).toMatchObject({ level: "partial" });
  expect([entry?.changes.length, entry?.skipped.length]).toEqual([20, 30]);
  const { changes, skipped } = await journal.undo({ last: 1 });
  expect([changes.length, skipped.length]).toEqual([20, 30]);
  const texts = await Promise.all(names.map(textOf));
  expect(texts).toEqual(names.map((name, index) => (index < 20 ? `old ${name}` : `new ${name}`)));
});

test("the copy of a file that was not kept stays among others of its size", async () => {
  const { apply, file, journal, textOf } = world({ a: "1111", b: "2222", c: "3333" }, { paths: 1 });
  await apply([file("a", "3333"), file("b", "4444"), file("c", "5555")]);

  const refused = journal.undo({ last: 1 });

  await expect(refused).rejects.toMatchObject({ code: "UNAVAILABLE" });
  expect(await textOf("a")).toBe("3333");
});

test("files that are only made leave the budget to those that are changed", async () => {
  const { apply, file, journal, textOf } = world({ z: "old" }, { paths: 20 });
  const made = Array.from({ length: 40 }, (_, index) => file(`m${index}`, `${index}`));

  const entry = await apply([...made, file("z", "new")]);

  expect(entry?.level).toBe("full");
  await journal.undo({ last: 1 });
  expect(await textOf("z")).toBe("old");
});
