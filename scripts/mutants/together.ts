import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { createVitest } from "vitest/node";
import { vitest } from "./checkout.ts";
import type { Mutant } from "./draw.ts";
import { fileName, type Plan } from "./state.ts";
import { withSwitches, type Switched } from "./switches.ts";

/** Mutants that are all in one copy of the checkout, each behind its switch. */
export interface Together {
  readonly copy: string;
  readonly mutants: readonly Mutant[];
  /** File in which the workers of the tests record results. */
  readonly state: string;
}

/** Tests that take longer wait until the quick ones have noticed what they do. */
const quickMs = 150;
/** A worker that a mutant crashed leaves files for another round. */
const maxRounds = 30;
const limitMs = 3_000_000;

/** Writes the mutants into the copy, where they do nothing until one is switched on. */
export function switchMutantsInto(copy: string, mutants: readonly Mutant[]): Together {
  const perFile = Map.groupBy(mutants.entries(), ([, { file }]) => file);
  for (const [file, entries] of perFile) {
    const changes = entries.map(([id, mutant]): Switched => ({ ...mutant, id }));
    const place = path.join(copy, file);
    writeFileSync(place, withSwitches(file, readFileSync(place, "utf8"), changes));
  }
  const state = path.join(copy, ".mutants");
  mkdirSync(state);
  return { copy, mutants, state };
}

/** The test files that import, however indirectly, one of these. */
export async function testsRelatedTo(copy: string, files: readonly string[]): Promise<string[]> {
  const root = realpathSync(copy);
  const related = files.map((file) => path.join(root, file));
  const server = await createVitest("test", { root, watch: false, related, reporters: [] });
  try {
    const specifications = await server.getRelevantTestSpecifications();
    return specifications
      .map(({ moduleId }) => path.relative(root, moduleId))
      .filter((file) => !file.startsWith("test/cli/"));
  } finally {
    await server.close();
  }
}

/** Tries the mutants with the tests that are quick. */
export async function tryQuickTests(together: Together, files: readonly string[]): Promise<void> {
  await pass(together, files, { quickMs, quickFiles: [], slowTests: [] });
}

/** Tries the mutants with every test that has not been asked yet. */
export async function tryOtherTests(
  together: Together,
  files: readonly string[],
  quickFiles: readonly string[],
): Promise<void> {
  const slowTests = linesOf(together, "slow").map((line) => String(JSON.parse(line)));
  for (const name of readdirSync(together.state))
    if (name.startsWith("done-")) rmSync(path.join(together.state, name));
  await pass(together, files, { quickFiles, slowTests });
}

/** The test that noticed a mutant, if one did. */
export function noticedBy({ state }: Together, id: number): string | undefined {
  const place = path.join(state, `killed-${id}`);
  return existsSync(place) ? readFileSync(place, "utf8") : undefined;
}

/** Files whose tests say nothing of this mutant when they are run in a process that has run without it. */
export function filesToRunAlone(together: Together, id: number): string[] {
  return [...new Set([...linesOf(together, `fresh-${id}`), ...brokenFiles(together)])];
}

/** Files with a test that fails without any mutant, at least with the switches. */
export function brokenFiles(together: Together): string[] {
  return [...new Set(linesOf(together, "broken").map((line) => String(JSON.parse(line).file)))];
}

async function pass(
  together: Together,
  files: readonly string[],
  plan: Omit<Plan, "mutants">,
): Promise<void> {
  const { copy, state, mutants } = together;
  let left = [...files];
  for (let round = 0; left.length > 0 && round < maxRounds; round += 1) {
    const alive = [...mutants.keys()].filter((id) => noticedBy(together, id) === undefined);
    if (alive.length === 0) return;
    writeFileSync(path.join(state, "plan.json"), JSON.stringify({ ...plan, mutants: alive }));
    const watch = setInterval(() => endStuckWorkers(state), 2000);
    const args = ["run", "--config", "scripts/mutants/vitest.config.ts", "--root", ".", ...left];
    const { output } = await vitest(copy, args, { limitMs, env: { HAFT_MUTANTS_STATE: state } });
    clearInterval(watch);
    const crashed = noteCrashes(together);
    const next = left.filter((file) => !existsSync(path.join(state, `done-${fileName(file)}`)));
    if (next.length === left.length && !crashed)
      throw new Error(`The tests do not run:\n${output.slice(-4000)}`);
    left = next;
  }
}

interface Flight {
  readonly id: number;
  readonly until: number;
  readonly test: string;
}

function flightsIn(state: string): { readonly name: string; readonly flight: Flight }[] {
  return readdirSync(state)
    .filter((name) => name.startsWith("flight-"))
    .flatMap((name) => {
      try {
        return [{ name, flight: JSON.parse(readFileSync(path.join(state, name), "utf8")) }];
      } catch {
        // Just being written or removed.
        return [];
      }
    });
}

function endStuckWorkers(state: string): void {
  for (const { name, flight } of flightsIn(state)) {
    if (Date.now() < flight.until) continue;
    try {
      process.kill(Number(name.slice("flight-".length)), "SIGKILL");
    } catch {
      // It has just ended.
    }
  }
}

/** A mutant that ended or blocked its worker was noticed. */
function noteCrashes({ state }: Together): boolean {
  const flights = flightsIn(state);
  for (const { name, flight } of flights) {
    writeFileSync(path.join(state, `killed-${flight.id}`), `${flight.test} (the worker ended)`);
    rmSync(path.join(state, name));
  }
  return flights.length > 0;
}

function linesOf({ state }: Together, name: string): string[] {
  const place = path.join(state, name);
  if (!existsSync(place)) return [];
  return readFileSync(place, "utf8").split("\n").filter(Boolean);
}
