/**
 * Runs each test once as things are, and then once with each mutant that it reached and nothing has noticed yet.
 *
 * Vitest tries a test again while it fails, so a try that must be followed by another is reported to it as failed. The
 * files of the state directory tell other workers, and the script that started them, what came out.
 */
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { TestRunner, type RunnerTask, type RunnerTestCase, type RunnerTestFile } from "vitest";

import { fileName, type Plan } from "./state.ts";

type Attempt =
  | { readonly kind: "original" }
  | { readonly kind: "mutant"; readonly id: number }
  /** Once more without the mutant that failed, in case the test cannot be repeated. */
  | { readonly kind: "check"; readonly id: number };

/** On a busy machine what a test loads may be late once. */
const originalTries = 3;
/** A mutant makes a test take longer than this many times its usual time: it hangs. */
const patience = 20;
const leastPatienceMs = 4000;
/** A worker that does not end an attempt this long after that is stuck. */
const graceMs = 20_000;

const state = process.env["HAFT_MUTANTS_STATE"] ?? "";
const plan: Plan = JSON.parse(readFileSync(path.join(state, "plan.json"), "utf8"));
const reachedByPrograms = path.join(state, `reached-${process.pid}`);
const inFlight = path.join(state, `flight-${process.pid}`);
process.env["HAFT_MUTANTS_REACHED"] = reachedByPrograms;

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
const now = performance.now.bind(performance);

let attempt: Attempt | undefined;
let reached = new Set<number>();
/** Reached by an import or a hook: what they made stays as it was for every try of the file. */
let outside = new Set<number>();
let deadline = Infinity;
let asked = 0;

Object.assign(globalThis, {
  haftMutant(id: number): boolean {
    switch (attempt?.kind) {
      case undefined:
        outside.add(id);
        return false;
      case "original":
        reached.add(id);
        return false;
      case "check":
        return false;
      case "mutant":
        asked += 1;
        // Most loops without an end ask again in each round.
        if (asked % 1024 === 0 && now() > deadline) throw new Error("The mutant hangs.");
        return attempt.id === id;
    }
  },
});

// Vitest asks for the default export of this file.
// oxlint-disable-next-line import/no-default-export
export default class MutantRunner extends TestRunner {
  #left: number[] = [];
  #originalTries = 0;
  #startedMs = 0;
  #usualMs = 0;

  onCollected(files: readonly RunnerTestFile[]): void {
    for (const file of files) oneAtATime(file);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test);
    if (!plan.mutants.some(isAlive)) {
      test.mode = "skip";
      return;
    }
    this.#originalTries = 0;
    test.retry = Number.MAX_SAFE_INTEGER;
    attempt = { kind: "original" };
    reached = new Set();
    rmSync(reachedByPrograms, { force: true });
  }

  override onBeforeTryTask(test: RunnerTestCase): void {
    super.onBeforeTryTask(test);
    this.#startedMs = now();
    asked = 0;
    if (attempt?.kind !== "mutant") return;
    process.env["HAFT_MUTANT"] = String(attempt.id);
    deadline = now() + this.#limitMs();
    const until = Date.now() + this.#limitMs() + graceMs;
    writeFileSync(inFlight, JSON.stringify({ id: attempt.id, until, test: test.name }));
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const work = TestRunner.getTestFn(test)();
    if (attempt?.kind !== "mutant") return await work;
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = startTimer(() => reject(new Error("The mutant hangs.")), this.#limitMs());
    try {
      await Promise.race([work, promise]);
    } finally {
      stopTimer(timer);
    }
  }

  onAfterRetryTask(test: RunnerTestCase): void {
    const tried = attempt;
    const failed = test.result?.state === "fail";
    delete process.env["HAFT_MUTANT"];
    rmSync(inFlight, { force: true });
    if (test.result === undefined || tried === undefined) return;
    const isSkipped = tried.kind === "original" && test.result.state === "skip";
    attempt = isSkipped ? undefined : this.#next(test, tried, failed);
    if (isSkipped) return;
    // Vitest tries again only what has failed with an error.
    const errors = attempt === undefined ? undefined : [{ message: "" }];
    const reported = attempt === undefined ? "pass" : "fail";
    Object.assign(test.result, { state: reported, errors, pending: undefined });
  }

  override onAfterRunFiles(files?: RunnerTestFile[]): void {
    super.onAfterRunFiles();
    for (const { filepath } of files ?? []) {
      const file = path.relative(process.cwd(), filepath);
      for (const id of outside) appendFileSync(path.join(state, `fresh-${id}`), `${file}\n`);
      writeFileSync(path.join(state, `done-${fileName(file)}`), "");
    }
    outside = new Set();
  }

  #limitMs(): number {
    return Math.max(leastPatienceMs, patience * this.#usualMs);
  }

  #next(test: RunnerTestCase, tried: Attempt, failed: boolean): Attempt | undefined {
    const file = path.relative(process.cwd(), test.file.filepath);
    switch (tried.kind) {
      case "original":
        this.#originalTries += 1;
        if (failed && this.#originalTries < originalTries) return tried;
        if (failed) {
          const reason = test.result?.errors?.[0]?.message ?? "";
          note("broken", { file, test: test.name, reason });
          return undefined;
        }
        this.#usualMs = now() - this.#startedMs;
        this.#left = this.#worthTrying(test, file);
        break;
      case "mutant":
        if (failed) return { kind: "check", id: tried.id };
        break;
      case "check":
        if (failed) {
          for (const id of [tried.id, ...this.#left])
            appendFileSync(path.join(state, `fresh-${id}`), `${file}\n`);
          return undefined;
        }
        writeFileSync(path.join(state, `killed-${tried.id}`), `${file}: ${test.name}`);
        break;
    }
    const id = this.#left.shift();
    return id === undefined ? undefined : { kind: "mutant", id };
  }

  #worthTrying(test: RunnerTestCase, file: string): number[] {
    const name = `${file}: ${test.name}`;
    if (plan.quickMs !== undefined && this.#usualMs > plan.quickMs) {
      appendFileSync(path.join(state, "slow"), `${JSON.stringify(name)}\n`);
      return [];
    }
    if (plan.quickFiles.includes(file) && !plan.slowTests.includes(name)) return [];
    const byPrograms = existsSync(reachedByPrograms)
      ? readFileSync(reachedByPrograms, "utf8").split("\n").filter(Boolean).map(Number)
      : [];
    return [...new Set([...reached, ...byPrograms])].filter(
      (id) => plan.mutants.includes(id) && isAlive(id),
    );
  }
}

function isAlive(id: number): boolean {
  return !existsSync(path.join(state, `killed-${id}`));
}

function note(list: string, entry: object): void {
  appendFileSync(path.join(state, list), `${JSON.stringify(entry)}\n`);
}

/** The switch is one for the whole process. */
function oneAtATime(task: RunnerTask): void {
  task.concurrent = false;
  if (task.type === "suite") for (const each of task.tasks) oneAtATime(each);
}
