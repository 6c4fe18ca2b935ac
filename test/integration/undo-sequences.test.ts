import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { neverOverOthers, undoneInReverse } from "../support/sequence-laws.ts";
import { someMoves } from "../support/sequence-moves.ts";
import { callStep, commandKinds } from "../support/sequence-steps.ts";
import { SequencePlace, type SequenceWorld } from "../support/sequence-world.ts";

// Sequences of file tools and shell commands through the whole kit, undone and redone. A dozen of each law run by
// default. HAFT_SEQUENCE_RUNS says how many instead, and HAFT_SEQUENCE_MINUTES after how many minutes a law ends with those
// that have run: .ci/run asks for 200 in all. A failure prints its seed, and how to see it again; HAFT_SEED names another.

const runs = Number(process.env["HAFT_SEQUENCE_RUNS"] ?? 12);
const limitMs = Number(process.env["HAFT_SEQUENCE_MINUTES"] ?? 1) * 60_000;
/** For the sequence that runs at that moment, and for finding a shorter one that fails. */
const graceMs = 60_000;
const someCalls = fc.array(callStep, { minLength: 2, maxLength: 8 });
const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const place = new SequencePlace();
let ran = 0;
afterAll(() => {
  place.end();
  const { seed } = fc.readConfigureGlobal();
  process.stdout.write(`${ran} sequences have run, with seed ${seed ?? "of their own"}.\n`);
});

const parameters = { numRuns: runs };

/** A running sequence is never abandoned: one that is out of time does not begin. */
async function inWorld(end: number, work: (world: SequenceWorld) => Promise<void>): Promise<void> {
  if (performance.now() > end) return;
  ran += 1;
  const world = await place.world();
  try {
    await work(world);
  } finally {
    await world.end();
  }
}

test("there are many kinds of commands", () => {
  expect(commandKinds.length).toBeGreaterThanOrEqual(80);
});

describe.skipIf(missing !== undefined)("sequences of file tools and commands", () => {
  test(
    "undone in reverse leave the original tree, and redone the one they left",
    async () => {
      expect.hasAssertions();
      const end = performance.now() + limitMs;
      await fc.assert(
        fc.asyncProperty(someCalls, async (steps) => {
          await inWorld(end, async (world) => undoneInReverse(world, steps));
          expect(steps).toBeDefined();
        }),
        parameters,
      );
    },
    limitMs + graceMs,
  );

  test(
    "undone and redone in any order, while others write, lose nothing of theirs and leave nothing half-done",
    async () => {
      expect.hasAssertions();
      const end = performance.now() + limitMs;
      await fc.assert(
        fc.asyncProperty(someMoves, async (moves) => {
          await inWorld(end, async (world) => neverOverOthers(world, moves));
          expect(moves).toBeDefined();
        }),
        parameters,
      );
    },
    limitMs + graceMs,
  );
});
