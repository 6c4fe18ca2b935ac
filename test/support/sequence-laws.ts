import assert from "node:assert/strict";
import type { CallStep } from "./sequence-steps.ts";
import { Moves, type Move } from "./sequence-moves.ts";
import { differences, type SequenceWorld, type Tree } from "./sequence-world.ts";

/**
 * Runs calls and returns the tree before the first and after each that left something to undo; undefined where one
 * could not be stored for lack of time.
 */
async function runCalls(
  world: SequenceWorld,
  steps: readonly CallStep[],
): Promise<readonly Tree[] | undefined> {
  const trees = [world.tree()];
  for (const step of steps) {
    const outcome = await world.call(step);
    const tree = world.tree();
    const what = JSON.stringify({ step, undo: outcome.undo, text: outcome.text.slice(0, 300) });
    const changed = differences(trees.at(-1) ?? tree, tree);
    if (outcome.undo === undefined) same(changed, [], what);
    else {
      const [entry] = await world.kit.history();
      // On a machine that is busy otherwise the time a call's journal may take can run out.
      const skipped = entry?.skipped ?? [];
      if (skipped.length > 0 && skipped.every((each) => each.because.includes("longer than"))) {
        return undefined;
      }
      const because = JSON.stringify([skipped, outcome.metadata["sandbox"]]);
      assert.equal(outcome.undo.level, "full", `${what} ${because}`);
      assert.notDeepEqual(changed, [], what);
      trees.push(tree);
    }
  }
  return trees;
}

/** Undone one by one and redone one by one, then undone at once, each tree is exactly what it was. */
export async function undoneInReverse(
  world: SequenceWorld,
  steps: readonly CallStep[],
): Promise<void> {
  const trees = await runCalls(world, steps);
  if (trees === undefined) return;
  const { kit } = world;
  for (const [index, tree] of [...trees.slice(0, -1).entries()].toReversed()) {
    same((await kit.undo()).kept, []);
    same(differences(tree, world.tree()), [], `undo of call ${index}`);
  }
  for (const [index, tree] of trees.slice(1).entries()) {
    same((await kit.redo()).kept, []);
    same(differences(tree, world.tree()), [], `redo of call ${index}`);
  }
  if (trees.length > 1) await kit.undo({ last: trees.length - 1 });
  same(differences(trees[0] ?? new Map(), world.tree()), [], "undo of all");
}

function same(found: unknown, expected: unknown, what?: string): void {
  if (what === undefined) assert.deepEqual(found, expected);
  else assert.deepEqual(found, expected, `${what}\n${JSON.stringify(found, undefined, 1)}`);
}

/** Whatever others do in between, what they wrote is never lost, and nothing is half undone. */
export async function neverOverOthers(world: SequenceWorld, moves: readonly Move[]): Promise<void> {
  // Every other time two toolkits work in the same place.
  const kits = moves.length % 2 === 0 ? [world.kit] : [world.kit, await world.another()];
  const it = new Moves(world, kits);
  for (const move of moves) if (!(await it.take(move))) return;
}
