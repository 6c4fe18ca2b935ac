import { expect, test } from "vitest";
import { at, folder, gone, world, type World } from "../../../test/support/memory-stage.ts";
import { ToolError, type StagedChange } from "../../core/index.ts";

const large = "0123456789 and more";
const small = { budget: { bytes: 10 } };

/** Call of a command on an overlay. */
async function call(it: World, callId: string, changes: readonly StagedChange[]): Promise<void> {
  it.host.control.advance(1000);
  const staged = { since: it.host.clock.now() + 1, changes, refused: [], through: [] };
  await it.journal.apply(callId, staged, { tool: "Bash" });
}

function textAt({ host }: World, path: string): string | undefined {
  return host.control.texts()[at(path)];
}

/** Calls, the undo of some of them, and the path of a file too large for the journal afterwards. */
const ways: readonly {
  readonly name: string;
  readonly calls: (it: World) => readonly (readonly StagedChange[])[];
  readonly stays: string;
}[] = [
  {
    name: "one call copied, the next one removed the first",
    calls: (it) => [[it.file("copy", large), it.file("a.txt", "1")], [gone("large")]],
    stays: "copy",
  },
  {
    name: "two calls moved on",
    calls: (it) => [
      [gone("large"), it.file("b", large), it.file("a.txt", "1")],
      [gone("b"), it.file("c", large)],
    ],
    stays: "c",
  },
  {
    name: "one call copied over another file, the next one removed the first",
    calls: (it) => [[it.file("other", large), it.file("a.txt", "1")], [gone("large")]],
    stays: "other",
  },
  {
    name: "a call made it, and a later one has written over what it was made from",
    calls: (it) => [[it.file("copy", large), it.file("a.txt", "1")], [it.file("large", "2")]],
    stays: "copy",
  },
];

test.each(
  ways.flatMap((way) => [{ force: false }, { force: true }].map((how) => ({ ...way, ...how }))),
)(
  "where $name, no undo loses it, force of another path: $force",
  async ({ calls, stays, force }) => {
    for (const target of [{ last: 1 }, { last: 2 }, { call: "0" }] as const) {
      const it = world({ large, "a.txt": "0", other: "o" }, small);
      for (const [index, changes] of calls(it).entries()) await call(it, `${index}`, changes);

      const how = force ? { force: [at("a.txt")] } : {};
      const refused = await it.journal.undo(target, how).then(
        () => undefined,
        (error: unknown) => (ToolError.is(error) ? error.code : error),
      );

      expect([undefined, "UNAVAILABLE"]).toContain(refused);
      expect(textAt(it, stays)).toBe(large);
    }
  },
);

test("a large file that a call wrote itself stays, whether it is looked at again or known", async () => {
  for (const isKnown of [false, true]) {
    const it = world({}, small);
    const path = at("big");
    const write = { kind: "write", path, scope: "file", change: "create" } as const;
    const info = { tool: "Write", isTransaction: isKnown };
    const { transaction } = await it.journal.checkpoint("1", [write], info);
    transaction?.changing([path]);
    const stat = await it.host.fs.writeAtomic(path, new TextEncoder().encode(large));
    transaction?.wrote(path, { stat, hash: stat.hash });

    await it.journal.settle("1");

    await expect(it.journal.undo({ last: 1 })).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(textAt(it, "big")).toBe(large);
  }
});

test("a large file that a call made stays, with the reason, and everything else is undone", async () => {
  const it = world({ "a.txt": "0" }, small);
  await call(it, "1", [folder("out"), it.file("out/big", large), it.file("a.txt", "1")]);

  const undone = await it.journal.undo({ last: 1 });

  expect(undone.kept).toEqual([
    {
      path: at("out/big"),
      because: "its 19 bytes are more than the journal keeps, so nothing could bring it back",
    },
    { path: at("out"), because: "it holds files the call did not make" },
  ]);
  expect(textAt(it, "out/big")).toBe(large);
  expect(textAt(it, "a.txt")).toBe("0");
  await it.journal.redo();
  expect(textAt(it, "out/big")).toBe(large);
  expect(textAt(it, "a.txt")).toBe("1");
});

test("forced, it is removed and reported, and redo brings back the rest", async () => {
  const it = world({ "a.txt": "0" }, small);
  await call(it, "1", [it.file("big", large), it.file("a.txt", "1")]);

  const undone = await it.journal.undo({ last: 1 }, { force: [at("big")] });

  expect(undone.skipped).toMatchObject([{ path: at("big") }]);
  expect(textAt(it, "big")).toBeUndefined();
  const redone = await it.journal.redo();
  expect(redone.kept).toEqual([
    { path: at("big"), because: "it was too large to be stored when it was removed" },
  ]);
  expect(textAt(it, "a.txt")).toBe("1");
  await it.journal.undo({ last: 1 });
  expect(textAt(it, "a.txt")).toBe("0");
});

test("where what was there before lies in its place, nothing is changed until it is moved or forced", async () => {
  const it = world({ "d/b.txt": "b" }, small);
  await call(it, "1", [gone("d/b.txt"), it.file("d", large)]);

  await expect(it.journal.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    data: { paths: [at("d")] },
  });
  expect(textAt(it, "d")).toBe(large);
  await it.journal.undo({ last: 1 }, { force: [at("d")] });
  expect(textAt(it, "d/b.txt")).toBe("b");
});
