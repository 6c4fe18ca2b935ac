import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { probeOverlay } from "../../src/sandbox/index.ts";
import { neverOverOthers, undoneInReverse } from "../support/sequence-laws.ts";
import { someMoves } from "../support/sequence-moves.ts";
import { callStep, commandKinds } from "../support/sequence-steps.ts";
import { SequencePlace, type SequenceWorld } from "../support/sequence-world.ts";

// Sequences of file tools and shell commands through the whole kit, taken back and done again. By default a few dozen
// run; HAFT_SEQUENCE_RUNS says how many of each law, HAFT_SEQUENCE_SEED with which seed. A failure prints its seed.

const runs = Number(process.env["HAFT_SEQUENCE_RUNS"] ?? 8);
const seed = Number(process.env["HAFT_SEQUENCE_SEED"] ?? Date.now() % 1_000_000_000);
const limitMs = 60_000 + runs * 10_000;
const someCalls = fc.array(callStep, { minLength: 2, maxLength: 8 });
const missing = await probeOverlay({ directory: await realpath(tmpdir()) });
const place = new SequencePlace();
afterAll(() => place.end());

const parameters = {
  numRuns: runs,
  seed,
  interruptAfterTimeLimit: limitMs - 30_000,
  markInterruptAsFailure: true,
} as const;

async function inWorld(work: (world: SequenceWorld) => Promise<void>): Promise<void> {
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
    "taken back in reverse leave the tree there was, and done again the one they left",
    async () => {
      expect.hasAssertions();
      await fc.assert(
        fc.asyncProperty(someCalls, async (steps) => {
          await inWorld(async (world) => undoneInReverse(world, steps));
          expect(steps).toBeDefined();
        }),
        parameters,
      );
    },
    limitMs,
  );

  test(
    "taken back and done again in any order, with others at work, lose nothing of theirs and leave nothing half-done",
    async () => {
      expect.hasAssertions();
      await fc.assert(
        fc.asyncProperty(someMoves, async (moves) => {
          await inWorld(async (world) => neverOverOthers(world, moves));
          expect(moves).toBeDefined();
        }),
        parameters,
      );
    },
    limitMs,
  );
});
