import { expect, test } from "vitest";
import {
  at,
  directory,
  folder,
  gone,
  link,
  stage,
  world,
} from "../../../test/support/memory-stage.ts";
import { createJournal } from "../journal.ts";

test("what a command made is on the disk before the plan says that it may be moved", async () => {
  const { fs, file, apply } = world({ "a.txt": "old" });
  const order: string[] = [];
  for (const operation of ["flush", "move", "appender"] as const) {
    const method = fs[operation];
    Object.assign(fs, {
      [operation]: async (...given: never[]): Promise<unknown> => {
        const done: unknown = await Reflect.apply(method as () => unknown, fs, given);
        order.push(`${operation} ${String(given[0])}`);
        return done;
      },
    });
  }

  await apply([file("a.txt", "new"), file("b", "b"), gone("none")]);

  expect(order).toEqual([
    `flush ${stage}/a.txt,${stage}/b`,
    expect.stringMatching(/^appender .*\/log\//u),
    expect.stringMatching(/^appender .*\/calls\//u),
    `move ${stage}/a.txt`,
    `move ${stage}/b`,
  ]);
});

test("where it cannot be flushed to disk, nothing is changed", async () => {
  const { host, file, apply, seen } = world({ "a.txt": "old" });
  const staged = [file("a.txt", "new"), gone("link")];
  const before = await seen();
  host.control.fail({ operation: "flush", fails: "ENOSPC" });

  await expect(apply(staged)).rejects.toMatchObject({ code: "NO_SPACE" });
  expect(await seen()).toEqual(before);
});

const small = { budget: { bytes: 10 } };
const large = "0123456789 and more";

test("where everything has to be kept, what cannot be is reported before anything is changed", async () => {
  const { journal, file, seen } = world({ "a.txt": "old", large }, small);
  const staged = [file("a.txt", "new"), gone("large"), file("made", "made")];
  const before = await seen();
  const changes = { since: Date.now(), changes: staged, refused: [], through: [] };

  expect(await journal.unkept(changes)).toEqual([{ path: at("large"), because: tooLarge }]);
  await expect(journal.apply("1", changes, { tool: "Bash", keepsAll: true })).rejects.toMatchObject(
    {
      code: "LIMIT_REACHED",
      message: `${at("large")} could not be undone: ${tooLarge}.`,
      data: { count: 1, unkept: [{ path: at("large"), because: tooLarge }] },
    },
  );
  expect(await seen()).toEqual(before);
  expect(await journal.history()).toEqual([]);
});

const tooLarge = "its 19 bytes are more than a call's journal keeps";

test("links, directories and new files are kept however many paths there are", async () => {
  const { journal, file, apply, seen } = world({ "a.txt": "old" }, { budget: { paths: 1 } });
  const before = await seen();
  const staged = [
    file("a.txt", "new"),
    folder("d"),
    file("d/b", "b"),
    file("d/c", "c"),
    gone("link"),
  ];
  const changes = { since: Date.now(), changes: staged, refused: [], through: [] };

  expect(await journal.unkept(changes)).toEqual([]);
  expect(await apply(staged)).toMatchObject({ level: "full", skipped: [] });
  await journal.undo({ last: 1 });

  const after = await seen();
  for (const path of [at("a.txt"), at("link")]) expect(after[path]).toBe(before[path]);
  expect(Object.keys(after).filter((path) => path.startsWith(at("d")))).toEqual([]);
});

test("a file that was not kept is restored from where it was set aside if the rest fails", async () => {
  for (const fault of [
    { operation: "move", path: `${stage}/z` },
    { operation: "move", path: `${stage}/other` },
    { operation: "move", path: at("large") },
    { operation: "remove", path: at("a.txt") },
  ] as const) {
    const { host, journal, file, apply, seen } = world(
      { "a.txt": "a", large, other: large },
      small,
    );
    const staged = [file("z", "z"), gone("a.txt"), gone("large"), file("other", "other")];
    const before = await seen();
    host.control.fail({ ...fault, fails: "ENOSPC" });

    await expect(apply(staged, { aside: `${stage}/aside` })).rejects.toMatchObject({
      code: "NO_SPACE",
    });
    const after = await seen();
    for (const name of ["large", "other", "a.txt"]) expect(after[at(name)]).toBe(before[at(name)]);
    expect(await journal.history()).toEqual([]);
  }
});

test("a file that was not kept is reported as lost, and the rest is undone", async () => {
  const { journal, file, apply, seen } = world({ "a.txt": "a", large, other: large }, small);
  const before = await seen();

  const entry = await apply([gone("a.txt"), gone("large"), file("other", "other")], {
    aside: `${stage}/aside`,
  });
  expect(entry).toMatchObject({ level: "partial" });
  expect((await seen())[at("large")]).toBeUndefined();
  const undone = await journal.undo({ last: 1 });

  expect(undone.changes.map(({ path }) => path)).toEqual([at("a.txt")]);
  expect(undone.skipped.map(({ path }) => path).toSorted()).toEqual([at("large"), at("other")]);
  expect((await seen())[at("a.txt")]).toBe(before[at("a.txt")]);
});

test("what a killed process had set aside is restored by the next", async () => {
  const { host, file, apply, seen } = world({ large, "z.txt": "z" }, small);
  const staged = [gone("large"), file("z.txt", "new")];
  const before = await seen();
  const move = host.fs.move.bind(host.fs);
  const killed = Promise.withResolvers<void>();
  let moves = 0;
  Object.assign(host.fs, {
    move: async (from: string, to: string): Promise<void> => {
      moves += 1;
      if (moves === 1) return await move(from, to);
      killed.resolve();
      // A killed process does nothing more.
      return await new Promise<never>(() => undefined);
    },
  });
  void apply(staged, { aside: `${stage}/aside` });
  await killed.promise;
  Reflect.deleteProperty(host.fs, "move");
  // The file it was about to move is gone too, so the call cannot be completed.
  await host.fs.remove(`${stage}/z.txt`);

  await createJournal({ host, directory, ...small }).recover();

  const after = await seen();
  for (const name of ["large", "z.txt"]) expect(after[at(name)]).toBe(before[at(name)]);
});

test("a failure in the middle restores files that are too large to be read, too", async () => {
  const { host, file, apply, journal, seen } = world({ large, z: "z" }, small);
  const staged = [file("large", `new ${large}`), file("made", large), link("z", "made")];
  const before = await seen();
  host.control.fail({ operation: "makeLink", fails: "ENOSPC" });

  await expect(apply(staged, { aside: `${stage}/aside` })).rejects.toMatchObject({
    code: "NO_SPACE",
  });

  const { [`${stage}/aside`]: _aside, ...after } = await seen();
  expect(after).toEqual(before);
  expect(await journal.history()).toEqual([]);
});

test.each([
  ["making", "made"],
  ["restoring", "a.txt"],
])("the draft of a file that a killed process was %s is removed by the next", async (_, name) => {
  const { host, file, apply, seen } = world({ "a.txt": "old" });
  const killed = Promise.withResolvers<void>();
  Object.assign(host.fs, {
    move: async (): Promise<void> => {
      killed.resolve();
      // A killed process does nothing more.
      return await new Promise<never>(() => undefined);
    },
  });
  void apply([gone("a.txt"), file("made", "new")]);
  await killed.promise;
  Reflect.deleteProperty(host.fs, "move");
  const draft = at(`.${name}.0123456789abcdef01.draft`);
  host.control.plant(draft, { kind: "file", content: "half" });

  await createJournal({ host, directory }).recover();

  expect(Object.keys(await seen())).not.toContain(draft);
});

test("a file that may be removed but not read is removed, and undo names it and continues with the call before", async () => {
  const it = world({ "a.txt": "old", secret: "secret" });
  it.host.control.fail({ operation: "readFile", path: at("secret"), fails: "EACCES" });
  await it.apply([it.file("a.txt", "new")]);
  it.host.control.advance(1000);
  const since = it.host.clock.now() + 1;
  const changes = { since, changes: [gone("secret")], refused: [], through: [] };

  const entry = await it.journal.apply("2", changes, { tool: "Bash" });

  expect(entry).toMatchObject({ level: "none", skipped: [{ path: at("secret") }] });
  await expect(it.fs.stat(at("secret"))).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(it.journal.undo({ call: "2" })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    hint: "Name an earlier call, or force its paths to skip this one.",
  });
  const { calls, skipped } = await it.journal.undo({ last: 1 });
  const because = "Bash (2) may have changed it, and nothing of that was kept";
  expect([calls, skipped]).toEqual([["1"], [{ path: at("secret"), because }]]);
  expect(it.host.control.texts()[at("a.txt")]).toBe("old");
  const again = it.journal.undo({ last: 1 });
  await expect(again).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
