import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  act,
  declared,
  root,
  someDeed,
  stagedBy,
  treeOf,
  worldOfEverything,
  type Deed,
} from "../../test/support/journal-world.ts";
import { runs } from "../../test/support/law-runs.ts";
import { parentPath } from "../text/index.ts";
import { type WriteEffect } from "../core/index.ts";
import type { MemoryHost } from "../host/index.ts";
import type { JournalEntry } from "./history.ts";
import { createJournal, type Journal } from "./journal.ts";

// One call is one unit, whatever its parts: programs on overlays and the call itself change the same paths in turn.

const directory = "/data/journal";
const deeds = fc.array(someDeed, { minLength: 1, maxLength: 3 });
const part = fc.record({ by: fc.constantFrom("program", "call"), deeds });
const calls = fc.array(
  fc.record({
    /** Declared writes; only with them the call writes itself. */
    says: fc.constantFrom("nothing", "each path", "the whole tree"),
    parts: fc.array(part, { minLength: 1, maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 3 },
);

type Call = (typeof calls extends fc.Arbitrary<infer C> ? C : never)[number];
type Tree = Readonly<Record<string, string>>;

const whole: readonly WriteEffect[] = [{ kind: "write", path: root, scope: "tree", change: "any" }];

function own(parts: Call["parts"]): readonly Deed[] {
  return parts.flatMap((each) => (each.by === "call" ? each.deeds : []));
}

/** Also declares a directory that a write creates: a link that was there before may be gone by then. */
function withParents(writes: readonly WriteEffect[]): readonly WriteEffect[] {
  return writes.flatMap((write) => {
    const all: WriteEffect[] = [write];
    for (let at = parentPath(write.path); at !== root; at = parentPath(at)) {
      all.push({ ...write, path: at, scope: "file" });
    }
    return all;
  });
}

async function run(
  host: MemoryHost,
  journal: Journal,
  { says, parts, callId }: Call & { callId: string },
) {
  const isSaid = says !== "nothing";
  if (isSaid) {
    const writes = says === "each path" ? withParents(declared(own(parts))) : whole;
    await journal.checkpoint(callId, writes, { tool: "Bash" });
  }
  let latest: JournalEntry | undefined;
  for (const { by, deeds: some } of parts) {
    host.control.advance(1000);
    if (by === "call") {
      for (const deed of isSaid ? some : []) await act(host.fs, deed);
      continue;
    }
    const changes = await stagedBy(host, some);
    const staged = { since: host.clock.now() + 1, changes, refused: [], through: [] };
    const info = { tool: "Bash", goesOn: true, continues: latest };
    latest = (await journal.apply(callId, staged, info)) ?? latest;
  }
  await journal.settle(callId);
}

async function runAll(host: MemoryHost, journal: Journal, all: readonly Call[]) {
  const trees: Tree[] = [await treeOf(host.fs)];
  for (const [index, call] of all.entries()) {
    host.control.advance(5000);
    await run(host, journal, { ...call, callId: `call-${index}` });
    // A call without a net change is not in the history.
    const isKept = (await journal.history()).length === trees.length;
    const tree = await treeOf(host.fs);
    expect(isKept ? undefined : tree).toEqual(isKept ? undefined : trees.at(-1));
    if (isKept) trees.push(tree);
  }
  return trees;
}

test("whatever the parts of calls did to the same paths, each call is undone and redone exactly", async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const host = worldOfEverything();
      const journal = createJournal({ host, directory });
      const trees = await runAll(host, journal, all);
      const history = await journal.history();
      expect(history).toHaveLength(trees.length - 1);
      expect(history.every(({ level, state }) => level === "full" && state === "done")).toBe(true);

      for (const before of trees.slice(0, -1).toReversed()) {
        expect((await journal.undo({ last: 1 })).kept).toEqual([]);
        expect(await treeOf(host.fs)).toEqual(before);
      }
      for (const after of trees.slice(1)) {
        expect((await journal.redo()).kept).toEqual([]);
        expect(await treeOf(host.fs)).toEqual(after);
      }
      fc.pre(trees.length > 1);
      await createJournal({ host, directory }).undo({ last: trees.length - 1 });
      expect(await treeOf(host.fs)).toEqual(trees[0]);
    }),
    { numRuns: runs(500) },
  );
});
