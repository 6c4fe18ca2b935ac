/**
 * Breaks the code on purpose, one small change at a time, and asks the tests to notice.
 *
 *   npm run mutants -- [--count 60] [--seed 1] [--layer policy] [--file src/policy/decide/decide.ts]
 *   npm run mutants -- --only tools/edit,tools/apply-patch [--workers 1]
 *   npm run mutants -- --operators meaning [--count 150] [--verbose]
 *
 * The mutants are drawn by seed from the syntax trees of policy, pipeline, schedule, schema, host and the edit
 * engine, the same ones each time. `--only` draws from the folders named, whatever they are, and asks just their own
 * tests. `--operators meaning` draws other changes, from the code that keeps promises: a condition of a decision
 * dropped, a part of a list or an object left out, a copy skipped, a scope widened, a mode or an answer made weaker.
 *
 * All of them are written into one copy of the checkout, each behind a switch. A process that is up tries the tests of
 * the layers with one after the other, only those tests that reach it and only until one fails: first the quick tests,
 * then the slow ones and those of all other files that import the changed one; those that need the built command are
 * left out. What no test notices the compiler is asked about: a part that its type requires cannot be left out by
 * mistake. What is left is written into its file as it is, and the tests of its layer run once more from their start,
 * with those that read it while they were loaded.
 *
 * A survivor is printed with its place; one that behaves like the original is listed with its reason in
 * scripts/mutants-argued.json, by the text printed for it. Exits 1 when another one survives, and 2 where the
 * tests fail without any mutant: then nothing could be learned from a failure.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { globSync } from "tinyglobby";
import { compiles, inCopy, vitest } from "./mutants/checkout.ts";
import { drawMutants, type Mutant } from "./mutants/draw.ts";
import { mutateMeaning } from "./mutants/meaning.ts";
import { mutateSyntax } from "./mutants/syntax.ts";
import {
  brokenFiles,
  filesToRunAlone,
  noticedBy,
  switchMutantsInto,
  testsRelatedTo,
  tryOtherTests,
  tryQuickTests,
  type Together,
} from "./mutants/together.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    layer: { type: "string" },
    file: { type: "string" },
    only: { type: "string" },
    operators: { type: "string", default: "syntax" },
    workers: { type: "string", default: "2" },
    verbose: { type: "boolean", default: false },
  },
});
const byMeaning = values.operators === "meaning";
/** Code that decides, grants, confines, stores and asks; each word of it is a promise. */
const promises = [
  "policy",
  "pipeline",
  "redact",
  "grant",
  "changes",
  "core",
  "text",
  "sandbox",
  "journal",
  "host",
  "mcp/server",
];
const layers =
  values.only?.split(",") ??
  (byMeaning ? promises : ["policy", "pipeline", "schedule", "schema", "host", "tools/edit"]);

/** Tests of another folder that hold what a layer promises. */
const heldElsewhere: ReadonlyMap<string, readonly string[]> = new Map([
  ["shell", ["src/explain"]],
  ["core", ["test/contracts", "src/text"]],
  ["grant", ["test/contracts"]],
]);

type Verdict =
  | { readonly kind: "noticed"; readonly by: string }
  | { readonly kind: "refused" }
  | { readonly kind: "survived" };

const argued = new Map<string, string>(
  existsSync("scripts/mutants-argued.json")
    ? Object.entries(JSON.parse(readFileSync("scripts/mutants-argued.json", "utf8")))
    : [],
);
const drawn = drawMutants({
  count: Number(values.count),
  seed: Number(values.seed),
  layers: values.layer === undefined ? layers : [values.layer],
  operators: byMeaning ? mutateMeaning : mutateSyntax,
  file: values.file,
});
const mutants = drawn.filter((mutant) => !argued.has(mutant.key));
const verdicts = new Map<number, Verdict>();
const problem = await inCopy(async (copy) => await judgeAll(switchMutantsInto(copy, mutants)));
if (problem === undefined) report();
else {
  say(`The tests fail without any mutant, so nothing was learned:\n${problem}`);
  process.exitCode = 2;
}

/** Finds a verdict for each; returns what the tests print where they fail as things are. */
async function judgeAll(together: Together): Promise<string | undefined> {
  if (mutants.length === 0) return undefined;
  const near = globSync(
    [...new Set(mutants.map(layerOf))].flatMap(testsOf).map((folder) => `${folder}/**/*.test.ts`),
  );
  await tryQuickTests(together, near);
  takeNoticed(together);
  say(`The quick tests have left ${undecided().length} of ${mutants.length}.`);
  await eachInCopies(undecided(), async (copy, id) => {
    if (!(await withMutant(copy, id, async () => await compiles(copy))))
      verdicts.set(id, { kind: "refused" });
  });
  say(`The compiler has left ${undecided().length}.`);
  if (undecided().length > 0) {
    const far = values.only === undefined ? await testsRelatedTo(together.copy, filesLeft()) : near;
    await tryOtherTests(together, far, near);
    takeNoticed(together);
  }
  say(`All tests together have left ${undecided().length}.`);
  const printed = await failingAsTheyAre(brokenFiles(together));
  if (printed !== undefined) return printed;
  await eachInCopies(undecided(), async (copy, id) => await tryAlone(copy, id, together));
  return undefined;
}

function undecided(): number[] {
  return [...mutants.keys()].filter((id) => !verdicts.has(id));
}

function filesLeft(): string[] {
  return [...new Set(undecided().flatMap((id) => mutants[id]?.file ?? []))];
}

function takeNoticed(together: Together): void {
  for (const id of undecided()) {
    const by = noticedBy(together, id);
    if (by !== undefined) verdicts.set(id, { kind: "noticed", by });
  }
}

/** Output of these files where they fail without a mutant and without switches. */
async function failingAsTheyAre(files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  return await inCopy(async (copy) => {
    const { code, output } = await vitest(copy, ["run", ...files], { limitMs: 1_200_000 });
    if (code === 0) return undefined;
    const lines = output.split("\n").filter((line) => /FAIL|Error|Tests /u.test(line));
    return lines.slice(0, 40).join("\n");
  });
}

async function tryAlone(copy: string, id: number, together: Together): Promise<void> {
  const { file, key } = mutants[id] ?? { file: "", key: "" };
  const tests = [...testsOf(layerOf({ file })), ...filesToRunAlone(together, id)];
  const args = ["run", ...tests, "--bail=1", "--passWithNoTests"];
  const { code } = await withMutant(
    copy,
    id,
    async () => await vitest(copy, args, { limitMs: 600_000 }),
  );
  if (code === 0) say(`survived ${file}: ${JSON.stringify(key)}`);
  verdicts.set(id, code === 0 ? { kind: "survived" } : { kind: "noticed", by: "alone" });
}

/** Does something with each mutant, in as many copies of the checkout at a time as there are workers. */
async function eachInCopies(
  ids: readonly number[],
  work: (copy: string, id: number) => Promise<void>,
): Promise<void> {
  const queue = [...ids];
  const workers = Math.min(Number(values.workers), queue.length);
  const worker = async (copy: string) => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await work(copy, id);
  };
  await Promise.all(Array.from({ length: workers }, async () => await inCopy(worker)));
}

/** The mutant is the text of its file in the copy meanwhile. */
async function withMutant<T>(copy: string, id: number, work: () => Promise<T>): Promise<T> {
  const mutant = mutants[id];
  if (mutant === undefined) throw new RangeError(`There is no mutant ${id}.`);
  const place = path.join(copy, mutant.file);
  const original = readFileSync(place, "utf8");
  writeFileSync(place, original.slice(0, mutant.start) + mutant.text + original.slice(mutant.end));
  try {
    return await work();
  } finally {
    writeFileSync(place, original);
  }
}

function layerOf({ file }: Pick<Mutant, "file">): string {
  return layers.find((name) => file.startsWith(`src/${name}/`)) ?? values.layer ?? "";
}

/** The folders of tests that hold a layer. */
function testsOf(layer: string): readonly string[] {
  return [`src/${layer}`, ...(heldElsewhere.get(layer) ?? [])];
}

function count(kind: Verdict["kind"]): number {
  return [...verdicts.values()].filter((verdict) => verdict.kind === kind).length;
}

function report(): void {
  if (values.verbose) {
    for (const [id, verdict] of verdicts)
      if (verdict.kind === "noticed") say(`noticed ${mutants[id]?.key}\n    by ${verdict.by}`);
  }
  say(
    `${drawn.length} mutants: ${count("noticed")} noticed, ${count("refused")} refused by the compiler, ${drawn.length - mutants.length} argued, ${count("survived")} survived.`,
  );
  for (const [id, verdict] of verdicts) {
    const { file, line, key } = mutants[id] ?? { file: "", line: 0, key: "" };
    if (verdict.kind === "survived") say(`  survived ${file}:${line}  ${JSON.stringify(key)}`);
  }
  process.exitCode = count("survived") === 0 ? 0 : 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
