import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parentPath } from "../../src/text/index.ts";
import { ToolError, type WriteEffect } from "../../src/core/index.ts";
import type { MemoryHost } from "../../src/host/index.ts";
import { createJournal, type Journal } from "../../src/journal/index.ts";
import {
  act,
  contentsWith,
  declared,
  root,
  someDeed,
  somePath,
  stagedBy,
  treeOf,
  worldOfEverything,
  type Deed,
} from "../support/journal-world.ts";
import { runs } from "../support/law-runs.ts";

// Whatever calls did, by themselves or on an overlay, undone in reverse they leave the original tree: contents,
// modes, links, empty directories and the times of files. Content that others wrote in between is never lost.

const numRuns = runs(500);
const directory = "/data/journal";
const whole: readonly WriteEffect[] = [{ kind: "write", path: root, scope: "tree", change: "any" }];
const someDeeds = fc.array(someDeed, { minLength: 1, maxLength: 5 });
const someCall = fc.oneof(
  fc.record({ kind: fc.constant("direct" as const), deeds: someDeeds, isWhole: fc.boolean() }),
  fc.record({ kind: fc.constant("staged" as const), deeds: someDeeds }),
);
type SomeCall = typeof someCall extends fc.Arbitrary<infer C> ? C : never;

interface World {
  readonly host: MemoryHost;
  readonly journal: Journal;
}

function world(): World {
  const host = worldOfEverything();
  return { host, journal: createJournal({ host, directory }) };
}

/** Whether the call left an entry. `meanwhile` happens while a command runs on its overlay. */
async function run(
  { host, journal }: World,
  call: { readonly id: string; readonly does: SomeCall; readonly meanwhile?: () => Promise<void> },
): Promise<boolean> {
  const { id, does, meanwhile } = call;
  host.control.advance(3000);
  if (does.kind === "direct") {
    const writes = does.isWhole ? whole : declared(does.deeds);
    await journal.checkpoint(id, writes, { tool: "Tool" });
    for (const deed of does.deeds) await act(host.fs, deed);
    return (await journal.settle(id)) !== undefined;
  }
  const since = host.clock.now();
  const changes = await stagedBy(host, does.deeds);
  host.control.advance(10);
  await meanwhile?.();
  const before = await treeOf(host.fs);
  try {
    const staged = { since, changes, refused: [], through: [] };
    return (await journal.apply(id, staged, { tool: "Bash" })) !== undefined;
  } catch (error) {
    // Refused is refused whole.
    if (!ToolError.is(error) || error.code !== "STALE_READ") throw error;
    if (JSON.stringify(await treeOf(host.fs)) !== JSON.stringify(before)) throw error;
    return false;
  }
}

test("calls and applied commands, undone in reverse, leave exactly the tree there was", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(someCall, { minLength: 1, maxLength: 6 }), async (calls) => {
      const it = world();
      const trees = [await treeOf(it.host.fs)];
      for (const [index, does] of calls.entries()) {
        const isEntry = await run(it, { id: `${index}`, does });
        const tree = await treeOf(it.host.fs);
        expect(isEntry).toBe(JSON.stringify(tree) !== JSON.stringify(trees.at(-1)));
        if (isEntry) trees.push(tree);
      }
      for (const tree of trees.slice(0, -1).toReversed()) {
        expect((await it.journal.undo({ last: 1 })).kept).toEqual([]);
        expect(await treeOf(it.host.fs)).toEqual(tree);
      }
      for (const tree of trees.slice(1)) {
        expect((await it.journal.redo()).kept).toEqual([]);
        expect(await treeOf(it.host.fs)).toEqual(tree);
      }
      await it.journal.undo({ last: trees.length }).catch(() => undefined);
      expect(await treeOf(it.host.fs)).toEqual(trees[0]);
    }),
    { numRuns },
  );
}, 300_000);

const someStep = fc.oneof(
  { weight: 3, arbitrary: someCall },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("outside" as const), path: somePath }) },
);

test("what others wrote before, between or during calls is never lost by applying or undoing", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(someStep, { minLength: 2, maxLength: 8 }),
      fc.array(somePath, { maxLength: 2 }),
      async (steps, during) => {
        const it = world();
        let written = 0;
        const outside = async (path: string): Promise<void> => {
          it.host.control.advance(5);
          written += 1;
          await writeText(it.host, path, `outside ${written}`);
        };
        const paths = [...during];
        for (const [index, step] of steps.entries()) {
          if (step.kind === "outside") await outside(step.path);
          else
            await run(it, { id: `${index}`, does: step, meanwhile: meanwhileOf(paths, outside) });
        }
        for (let isMore = true; isMore;) {
          const before = await treeOf(it.host.fs);
          const mine = contentsWith(it.host, "outside");
          const code = await codeOf(it.journal.undo({ last: 1 }));
          isMore = code === undefined;
          expect([undefined, "STALE_READ", "NOT_FOUND"]).toContain(code);
          expect(isMore ? before : await treeOf(it.host.fs)).toEqual(before);
          expect(contentsWith(it.host, "outside")).toEqual(expect.arrayContaining([...mine]));
        }
      },
    ),
    { numRuns },
  );
}, 300_000);

/** Where it can be written: what the host refuses is not done. */
async function writeText({ fs }: MemoryHost, path: string, text: string): Promise<void> {
  try {
    await fs.mkdir(parentPath(path));
    await fs.writeAtomic(path, new TextEncoder().encode(text));
  } catch (error) {
    if (!ToolError.is(error)) throw error;
  }
}

function meanwhileOf(
  paths: string[],
  outside: (path: string) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const path = paths.shift();
    if (path !== undefined) await outside(path);
  };
}

async function codeOf(doing: Promise<unknown>): Promise<string | undefined> {
  try {
    await doing;
    return undefined;
  } catch (error) {
    if (ToolError.is(error)) return error.code;
    throw error;
  }
}

test("the deeds do change things of every kind", async () => {
  const kinds = new Set<string>();
  for (const deed of fc.sample(someDeed, { numRuns: runs(200), seed: 1 })) kinds.add(kindOf(deed));

  expect(kinds).toEqual(new Set(["write", "remove", "mkdir", "link", "mode", "touch", "move"]));
});

function kindOf({ kind }: Deed): string {
  return kind;
}
