import * as fc from "fast-check";
import { expect, test } from "vitest";
import { at, directory, gone, world, type World } from "../../test/support/memory-stage.ts";
import { ToolError, type HostFs, type WriteEffect } from "../core/index.ts";
import type { JournalEntry } from "./history.ts";
import { createJournal, type Journal } from "./journal.ts";
import { runs } from "../../test/support/law-runs.ts";

const names = ["a.txt", "b.txt", "c.txt", "new"] as const;
const files = { "a.txt": "0", "b.txt": "0", "c.txt": "0" };
const writes = names.map((name): WriteEffect => {
  return { kind: "write", path: at(name), scope: "file", change: "any" };
});

/** Content of each file afterwards; null for a deleted one. */
type Changes = Readonly<Partial<Record<(typeof names)[number], string | null>>>;

/** Changes by one program of a call on its overlay, and changes by the call itself right before. */
interface Program {
  readonly own: Changes;
  readonly brought: Changes;
}

interface Call {
  /** Whether the call declares its writes; only then it writes itself. */
  readonly says: boolean;
  readonly programs: readonly Program[];
}

const someText = fc.constantFrom(null, "1", "2", "3");
const changes = fc.record(Object.fromEntries(names.map((name) => [name, someText])), {
  requiredKeys: [],
});
const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc.record({
    says: fc.boolean(),
    programs: fc.array(fc.record({ own: changes, brought: changes }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  { minLength: 1, maxLength: 4 },
);

function tree({ host }: World): Readonly<Record<string, string | undefined>> {
  const all = host.control.texts();
  return Object.fromEntries(names.map((name) => [name, all[at(name)]]));
}

function entriesOf(some: Changes): readonly (readonly [string, string | null])[] {
  return Object.entries(some).flatMap(([name, text]) => (text === undefined ? [] : [[name, text]]));
}

async function actBySelf({ fs }: World, own: Changes): Promise<void> {
  for (const [name, text] of entriesOf(own)) {
    if (text !== null) await fs.writeAtomic(at(name), new TextEncoder().encode(text));
    else await fs.remove(at(name)).catch(() => undefined);
  }
}

async function bring(
  it: World,
  journal: Journal,
  step: { readonly callId: string; readonly brought: Changes; readonly continues?: JournalEntry },
): Promise<JournalEntry | undefined> {
  it.host.control.advance(1000);
  const { callId, continues } = step;
  const staged = entriesOf(step.brought).map(([name, text]) =>
    text === null ? gone(name) : it.file(name, text),
  );
  const since = it.host.clock.now() + 1;
  return await journal.apply(
    callId,
    { since, changes: staged, refused: [], through: [] },
    { tool: "Bash", continues },
  );
}

async function run(
  it: World,
  journal: Journal,
  { callId, says, programs }: Call & { callId: string },
): Promise<void> {
  if (says) await journal.checkpoint(callId, writes, { tool: "Bash" });
  let latest: JournalEntry | undefined;
  for (const { own, brought } of programs) {
    if (says) await actBySelf(it, own);
    const continues = latest === undefined ? {} : { continues: latest };
    latest = (await bring(it, journal, { callId, brought, ...continues })) ?? latest;
  }
  await journal.settle(callId);
}

async function runAll(it: World, all: readonly Call[]) {
  const trees = [tree(it)];
  for (const [index, call] of all.entries()) {
    it.host.control.advance(5000);
    const callId = `call-${index}`;
    await run(it, it.journal, { ...call, callId });
    // A call whose changes cancel out is not in the history.
    const isKept = (await it.journal.history()).length === trees.length;
    expect(isKept ? undefined : tree(it)).toEqual(isKept ? undefined : trees.at(-1));
    if (isKept) trees.push(tree(it));
  }
  return trees;
}

test("whatever the programs of a call and the call itself did, it is one call, undone and redone exactly", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const it = world(files);
      const trees = await runAll(it, all);
      expect(await it.journal.history()).toHaveLength(trees.length - 1);

      for (const before of trees.slice(0, -1).toReversed()) {
        expect((await it.journal.undo({ last: 1 })).kept).toEqual([]);
        expect(tree(it)).toEqual(before);
      }
      for (const after of trees.slice(1)) {
        await it.journal.redo();
        expect(tree(it)).toEqual(after);
      }
      fc.pre(trees.length > 1);
      await createJournal({ host: it.host, directory }).undo({ last: trees.length - 1 });
      expect(tree(it)).toEqual(trees[0]);
    }),
    { numRuns: runs(100) },
  );
});

const changing: ReadonlySet<string | symbol> = new Set([
  "writeAtomic",
  "append",
  "move",
  "remove",
  "setModified",
]);

/** Journal of a process that is killed after this number of changes. */
function dying({ host, fs }: World, after: number): Journal {
  let left = after;
  const enter = (key: string | symbol): void => {
    if (changing.has(key)) left -= 1;
    if (left < 0) throw new Error("killed");
  };
  const own: HostFs = new Proxy(fs, {
    get(target, key) {
      const method: unknown = Reflect.get(target, key);
      if (typeof method !== "function") return method;
      if (key === "appender") return undefined;
      return (...given: unknown[]): unknown => {
        enter(key);
        return Reflect.apply(method, target, given);
      };
    },
  });
  return createJournal({ host: { fs: own, clock: host.clock }, directory });
}

const twoPrograms: Call = {
  says: true,
  programs: [
    { own: {}, brought: { "a.txt": "1", "b.txt": "1" } },
    { own: {}, brought: { "a.txt": "2", "c.txt": null, new: "2" } },
  ],
};

test("killed at any point of a call, of its undo or its redo, what is left of it goes whole", async () => {
  const found = new Set<string>();
  for (let after = 0, ended = false; !ended; after += 1) {
    const it = world(files);
    await run(it, it.journal, {
      says: false,
      programs: [{ own: {}, brought: { "b.txt": "before" } }],
      callId: "before",
    });
    const first = tree(it);
    const journal = dying(it, after);
    const failure = await run(it, journal, { ...twoPrograms, callId: "1" })
      .then(() => journal.undo({ last: 1 }))
      .then(() => journal.redo())
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    ended = failure === undefined;
    expect(failure instanceof Error ? failure.message : "killed").toBe("killed");

    const next = createJournal({ host: it.host, directory });
    for (const { kept } of await next.recover()) expect(kept).toEqual([]);
    found.add(JSON.stringify(tree(it)));
    const [left] = (await next.undo({ last: 1 })).calls;
    const middle = tree(it);
    if (left === "1") await next.undo({ last: 1 });
    expect(middle).toEqual(left === "1" ? first : tree(it));
    expect(tree(it)).toEqual({ ...files, new: undefined });
  }
  expect([...found].map((text): unknown => JSON.parse(text))).toEqual([
    { "a.txt": "0", "b.txt": "before", "c.txt": "0" },
    { "a.txt": "1", "b.txt": "1", "c.txt": "0" },
    { "a.txt": "2", "b.txt": "1", new: "2" },
  ]);
});

test("a file that another process wrote between two programs of a call is never lost", async () => {
  await fc.assert(
    fc.asyncProperty(calls, fc.constantFrom(...names), async (all, name) => {
      const it = world(files);
      const silent = all.map((call) => ({ ...call, says: false }));
      const trees = await runAll(it, silent.slice(0, -1));
      const [one, other] = silent.at(-1)?.programs ?? [];
      fc.pre(one !== undefined && other !== undefined);
      const first = await bring(it, it.journal, { callId: "last", brought: one.brought });
      await it.fs.writeAtomic(at(name), new TextEncoder().encode("theirs"));
      fc.pre(first !== undefined);
      await bring(it, it.journal, { callId: "last", brought: other.brought, continues: first });
      const edited = tree(it);
      const [last] = await it.journal.history();
      fc.pre(last?.callId === "last");

      const code = await it.journal.undo({ last: 1 }).then(
        () => undefined,
        (error: unknown) => (ToolError.is(error) ? error.code : error),
      );

      expect([undefined, "STALE_READ"]).toContain(code);
      const before = { ...trees.at(-1), [name]: "theirs" };
      expect(tree(it)).toEqual(code === undefined ? before : edited);
    }),
    { numRuns: runs(100) },
  );
});
