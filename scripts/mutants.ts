/**
 * Breaks the code on purpose, one small change at a time, and asks the tests to notice.
 *
 *   npm run mutants -- [--count 60] [--seed 1] [--layer policy] [--file src/policy/decide/decide.ts]
 *   npm run mutants -- --only tools/edit,tools/apply-patch [--workers 1]
 *   npm run mutants -- --operators meaning [--count 150]
 *
 * The mutants are drawn by seed from the syntax trees of policy, pipeline, schedule, schema, host and the edit
 * engine, the same ones each time. Each runs in a copy of the checkout, first against the tests of its layer, then
 * against all that import its file; those that need the built command are left out. `--only` draws from the folders
 * named, whatever they are, and asks just their own tests, those by example before the laws, which is quick; their
 * tests must not mind sharing a process. What no test notices the compiler is asked about: a part that its type
 * requires cannot be left out by mistake. `--operators meaning` draws other changes, from the code that keeps promises:
 * a condition of a decision dropped, a part of a list or an object left out, a copy skipped, a scope widened, a mode
 * or an answer made weaker. A survivor is printed with
 * its place; one that cannot be told from the original is listed with its reason in
 * scripts/mutants-argued.json, by the text printed for it. Exits 1 when another one survives, and 2 where the
 * tests fail without any mutant: then nothing could be learned from a failure.
 */
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { globSync } from "tinyglobby";
import { mutateMeaning } from "./mutants/meaning.ts";
import { replacementsIn } from "./mutants/replacements.ts";
import { mutateSyntax } from "./mutants/syntax.ts";

interface Mutant {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly line: number;
  /** Survives edits elsewhere in the file: no line numbers. */
  readonly key: string;
}

/** Linked instead, or no part of what tests look at. */
const leftOut: ReadonlySet<string> = new Set([".git", "node_modules", "dist", "coverage"]);

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    layer: { type: "string" },
    file: { type: "string" },
    only: { type: "string" },
    operators: { type: "string", default: "syntax" },
    workers: { type: "string", default: "2" },
  },
});
const byMeaning = values.operators === "meaning";
const operators = byMeaning ? mutateMeaning : mutateSyntax;
/** What decides, grants, confines, keeps and asks; each word of it is a promise. */
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
  ["core", ["test/contracts"]],
]);

/** Files of tests that share a process. */
const together = ["--no-isolate", "--pool=threads"];

const argued = new Map<string, string>(
  existsSync("scripts/mutants-argued.json")
    ? Object.entries(JSON.parse(readFileSync("scripts/mutants-argued.json", "utf8")))
    : [],
);
const mutants = draw(Number(values.count), Number(values.seed));
const survivors: Mutant[] = [];
let killed = 0;
let refused = 0;
let excused = 0;
const queue = mutants.filter((mutant) => !argued.has(mutant.key));
excused = mutants.length - queue.length;
const failing = await failingUnmutated([...new Set(queue.map(({ file }) => file))]);
if (failing !== undefined) {
  say(`The tests fail without any mutant, so no mutant was tried:\n${failing}`);
  process.exitCode = 2;
} else {
  await Promise.all(Array.from({ length: Number(values.workers) }, async () => await work()));
  say(
    `${mutants.length} mutants: ${killed} killed, ${refused} refused by the compiler, ${excused} argued, ${survivors.length} survived.`,
  );
  for (const survivor of survivors) say(`  survived ${describe(survivor)}`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
}

/** What the related tests print where they fail as things are; undefined where they pass. */
async function failingUnmutated(files: readonly string[]): Promise<string | undefined> {
  if (files.length === 0) return undefined;
  const copy = copyOfCheckout();
  try {
    const tests =
      values.only === undefined
        ? ["related", ...files, "--run"]
        : ["run", ...layers.flatMap(testsOf)];
    const { code, output } = await vitest(copy, tests, 1_200_000);
    if (code === 0) return (await compiles(copy)) ? undefined : "It does not compile.";
    const lines = output.split("\n").filter((line) => /FAIL|Error|Tests /u.test(line));
    return lines.slice(0, 40).join("\n");
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function work(): Promise<void> {
  const copy = copyOfCheckout();
  try {
    for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
      const verdict = await judge(copy, mutant);
      if (verdict === "killed") killed += 1;
      else if (verdict === "refused") refused += 1;
      else {
        survivors.push(mutant);
        say(`survived ${describe(mutant)}`);
      }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

type Verdict = "killed" | "refused" | "survived";

async function judge(copy: string, mutant: Mutant): Promise<Verdict> {
  const file = path.join(copy, mutant.file);
  const original = readFileSync(file, "utf8");
  writeFileSync(file, original.slice(0, mutant.start) + mutant.text + original.slice(mutant.end));
  const layer = layers.find((name) => mutant.file.startsWith(`src/${name}/`)) ?? "";
  try {
    if (await failsQuickly(copy, layer)) return "killed";
    if (!(await compiles(copy))) return "refused";
    return (await failsAtLength(copy, layer, mutant.file)) ? "killed" : "survived";
  } finally {
    writeFileSync(file, original);
  }
}

/** The layer's own tests notice most mutants in a moment; only what they miss is worth all the others. */
async function failsQuickly(copy: string, layer: string): Promise<boolean> {
  if (values.only === undefined)
    return await fails(copy, ["run", `src/${layer}`, "--passWithNoTests"], 120_000);
  const laws = lawsOf(testsOf(layer)).flatMap((law) => ["--exclude", law]);
  return await fails(copy, ["run", ...testsOf(layer), ...together, ...laws], 60_000);
}

async function failsAtLength(copy: string, layer: string, file: string): Promise<boolean> {
  if (values.only === undefined) return await fails(copy, ["related", file, "--run"], 300_000);
  const laws = lawsOf(testsOf(layer));
  return laws.length > 0 && (await fails(copy, ["run", ...laws, ...together], 180_000));
}

async function fails(copy: string, args: readonly string[], limitMs: number): Promise<boolean> {
  return (await vitest(copy, args, limitMs)).code !== 0;
}

async function compiles(copy: string): Promise<boolean> {
  const options = ["--noEmit", "--emitDeclarationOnly", "false", "--declaration", "false"];
  const compiler = path.join(copy, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", "tsconfig.build.json", ...options];
  return (await run(copy, args, 120_000)).code === 0;
}

/** Tests that draw their cases, and take their time for it. */
function lawsOf(folders: readonly string[]): string[] {
  return globSync(folders.map((folder) => `${folder}/**/*.test.ts`)).filter((test) =>
    readFileSync(test, "utf8").includes('"fast-check"'),
  );
}

/** The folders of tests that hold a layer. */
function testsOf(layer: string): readonly string[] {
  return [`src/${layer}`, ...(heldElsewhere.get(layer) ?? [])];
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

async function vitest(copy: string, args: readonly string[], limitMs: number): Promise<Ended> {
  const program = path.join(copy, "node_modules/vitest/vitest.mjs");
  // What a mutant makes hang is given up on sooner than where a busy machine may be the reason.
  const options = ["--bail=1", "--reporter=dot", "--testTimeout=20000", "--exclude", "test/cli/**"];
  return await run(copy, [program, ...args, ...options], limitMs);
}

/** A run that takes longer has failed: a mutant that loops for ever is noticed too. */
async function run(copy: string, args: readonly string[], limitMs: number): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: copy,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: { ...process.env, NO_COLOR: "1" },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream
      .setEncoding("utf8")
      .on("data", (text: string) => (output = (output + text).slice(-100_000)));
  }
  const { promise, resolve } = Promise.withResolvers<number>();
  const timer = setTimeout(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, limitMs);
  child.on("close", (code) => {
    clearTimeout(timer);
    resolve(code ?? 1);
  });
  return { code: await promise, output };
}

function copyOfCheckout(): string {
  const copy = mkdtempSync(path.join(tmpdir(), "haft-mutants-"));
  // Tests start programs of it as an ordinary user.
  chmodSync(copy, 0o755);
  for (const name of readdirSync(".")) {
    if (!leftOut.has(name)) cpSync(name, path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.resolve("node_modules"), path.join(copy, "node_modules"));
  if (existsSync("dist")) symlinkSync(path.resolve("dist"), path.join(copy, "dist"));
  return copy;
}

function draw(count: number, seed: number): Mutant[] {
  const random = seededRandom(seed);
  const chosen = values.layer === undefined ? layers : [values.layer];
  const perLayer = chosen.map((layer) => shuffled(mutantsOf(layer), random));
  const drawn: Mutant[] = [];
  for (
    let round = 0;
    drawn.length < count && perLayer.some((list) => round < list.length);
    round += 1
  ) {
    for (const list of perLayer) {
      const mutant = list[round];
      if (mutant !== undefined && drawn.length < count) drawn.push(mutant);
    }
  }
  return drawn;
}

function mutantsOf(layer: string): Mutant[] {
  return globSync(`src/${layer}/**/*.ts`, { ignore: ["**/*.test*.ts", "**/index.ts"] })
    .filter((file) => values.file === undefined || file === values.file)
    .toSorted()
    .flatMap(mutantsOfFile);
}

function mutantsOfFile(file: string): Mutant[] {
  const source = readFileSync(file, "utf8");
  const found = new Map<string, Mutant>();
  for (const { start, end, text } of replacementsIn(file, source, operators)) {
    const line = source.slice(0, start).split("\n").length;
    const was = source.slice(start, end);
    const whole = source.split("\n")[line - 1]?.trim() ?? "";
    const key = `${file}: ${whole} [${was} -> ${text}]`;
    found.set(key, { file, start, end, text, line, key });
  }
  return [...found.values()];
}

function describe(mutant: Mutant): string {
  return `${mutant.file}:${mutant.line}  ${JSON.stringify(mutant.key)}`;
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);
}

/** A linear congruential generator: the same draw on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
