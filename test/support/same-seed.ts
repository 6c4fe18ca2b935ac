import { configureGlobal } from "fast-check";
import { runs } from "./law-runs.ts";

const usual = 20_261_122;

/**
 * Laws draw what they draw from one seed, so that a test fails by what was changed and by nothing else. HAFT_SEED names
 * another one: `.ci/run` draws one for the edit laws and prints it, and the same HAFT_SEED repeats them.
 */
export function seedOf(wanted: string | undefined): number {
  if (wanted === undefined || wanted === "") return usual;
  const seed = Number(wanted);
  if (Number.isSafeInteger(seed)) return seed;
  throw new TypeError(`HAFT_SEED is not a whole number: ${wanted}`);
}

// A law that names no number of cases has 100, as fast-check has it.
configureGlobal({ seed: seedOf(process.env["HAFT_SEED"]), numRuns: runs(100) });
