import { expect, test } from "vitest";
import type { MemoryHost } from "../host/index.ts";
import { a, pair } from "../../test/support/two-journals.ts";

const writeOfA = { kind: "write", path: a, scope: "file", change: "modify" } as const;

async function overwrite(host: MemoryHost, text: string): Promise<void> {
  await host.fs.writeAtomic(a, new TextEncoder().encode(text));
}

test("a call waits for an undo of another program on its paths, so that its own undo brings back nothing undone", async () => {
  const { host, other, edit, stopInUndo } = pair();
  await edit("1", a, "1");
  const { undone } = await stopInUndo();

  await other.checkpoint("2", [writeOfA], { tool: "Write" });
  await expect(undone).resolves.toMatchObject({ calls: ["1"] });
  await overwrite(host, "2");
  await other.settle("2");
  await other.undo({ last: 1 });

  expect(host.control.texts()[a]).toBe("0");
});

test("a call whose record comes after that of another program's undo reads the paths again", async () => {
  const { host, other, edit, stopInUndo, before } = pair();
  await edit("1", a, "1");
  before('"state":"open"', stopInUndo);

  await other.checkpoint("2", [writeOfA], { tool: "Write" });
  await overwrite(host, "2");
  await other.settle("2");
  await other.undo({ last: 1 });

  expect(host.control.texts()[a]).toBe("0");
  expect((await other.history()).map(({ callId, state }) => [callId, state])).toEqual([
    ["2", "undone"],
    ["1", "undone"],
  ]);
});

test("an undo chooses again when another program has begun a call on its paths meanwhile", async () => {
  const { host, one, other, edit, before } = pair();
  await edit("1", a, "1");
  before('"kind":"undo"', () => one.checkpoint("2", [writeOfA], { tool: "Write" }));

  await expect(other.undo({ last: 1 })).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "Write (2) is still running.",
  });

  expect(host.control.texts()[a]).toBe("1");
  await overwrite(host, "2");
  await one.settle("2");
  await other.undo({ last: 2 });
  expect(host.control.texts()[a]).toBe("0");
});

test("a redo gives way to a call that another program has begun on its paths meanwhile", async () => {
  const { host, one, other, edit, before } = pair();
  await edit("1", a, "1");
  await one.undo({ last: 1 });
  before('"state":"redoing"', () => one.checkpoint("2", [writeOfA], { tool: "Write" }));

  await expect(other.redo()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "Write (2) is still running.",
  });

  await overwrite(host, "0");
  await one.settle("2");
  expect(host.control.texts()[a]).toBe("0");
});

test.each(["before the call is recorded", "while it is recorded"])(
  "a call completes the undo of a program that ended %s, before it reads the paths",
  async (when) => {
    const { host, other, edit, stopInUndo, before, endOne } = pair();
    await edit("1", a, "1");
    // It has recovered what there was to recover before the undo begins.
    await other.history();
    const interrupt = async (): Promise<void> => {
      await stopInUndo();
      endOne();
    };
    if (when.startsWith("before")) await interrupt();
    else before('"state":"open"', interrupt);

    await other.checkpoint("2", [writeOfA], { tool: "Write" });
    expect(host.control.texts()[a]).toBe("0");
    await overwrite(host, "2");
    await other.settle("2");
    await other.undo({ last: 1 });

    expect(host.control.texts()[a]).toBe("0");
    expect((await other.history()).map(({ callId, state }) => [callId, state])).toEqual([
      ["2", "undone"],
      ["1", "undone"],
    ]);
  },
);
