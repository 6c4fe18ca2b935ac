/**
 * Compares what haft says of commands with what they do.
 *
 *   npm run differential -- [--count 4000] [--seed 1] [--program jq,sed] [--workers 4] [--from 0] [--minutes 20]
 *
 * For each program with a row that is installed, each option of its help and manual (and each single letter) is
 * written in every spelling, with values that name files, programs and addresses outside the workspace. What haft
 * calls read-only runs under strace in a throw-away directory, confined. A file opened, a program started or a socket
 * used that no effect lists is printed, with the command. `--count 0` runs all of them; otherwise a seeded part. The seed
 * gives them one order: `--from` leaves out that many, and `--minutes` starts no batch after that time, so that several
 * runs together try every line once.
 * Nothing is skipped to save time: one strace follows a whole batch of commands, and more workers than processors
 * use the time in which commands wait for their end.
 * Reasons for what may remain are in scripts/differential/explained.json, by patterns of the keys printed. Exits 1 when something
 * else remains, 2 where strace or bubblewrap is missing.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { explainCommand } from "../src/explain/index.ts";
import { isBuiltin, knownPrograms } from "../src/shell/programs/index.ts";
import { commandLines, subjectsOf, type Subject } from "./differential/command-lines.ts";
import { unlistedIn } from "./differential/compare.ts";
import { optionsOf } from "./differential/program-options.ts";
import explanations from "./differential/explained.json" with { type: "json" };
import { quote, searchPath, traceCommands } from "./differential/trace.ts";
import { createWorld, type World } from "./differential/world.ts";

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "4000" },
    seed: { type: "string", default: "1" },
    program: { type: "string" },
    workers: { type: "string", default: "4" },
    from: { type: "string", default: "0" },
    minutes: { type: "string" },
  },
});
const explained: readonly RegExp[] = explanations.map(({ key }) => new RegExp(`^(?:${key})$`, "u"));

/** A command line that haft calls read-only. */
interface Case {
  readonly subject: Subject;
  readonly option: string;
  readonly words: readonly string[];
}

const missing = ["strace", "bwrap"].filter((name) => installed(name) === undefined);
if (missing.length > 0) {
  process.stdout.write(`Not run: ${missing.join(" and ")} is not installed.\n`);
  process.exitCode = 2;
} else {
  const world = createWorld();
  try {
    process.exitCode = await compareAll(world);
  } finally {
    world.dispose();
  }
}

async function compareAll(world: World): Promise<number> {
  const wanted = values.program?.split(",");
  const names = [...knownPrograms()].filter(
    (name) =>
      (wanted === undefined || wanted.includes(name)) &&
      installed(name) !== undefined &&
      !(isBuiltin(name) && name !== "[" && name !== "printf" && name !== "echo"),
  );
  let options = 0;
  const cases: Case[] = [];
  for (const subject of names.flatMap(subjectsOf)) {
    const found = optionsOf(subject.program, world.workspace);
    options += found.length;
    const seen = new Set<string>();
    for (const option of found) {
      for (const words of commandLines(subject, option, world)) {
        const text = words.map(quote).join(" ");
        if (seen.has(text) || !isReadOnly(text, world)) continue;
        seen.add(text);
        cases.push({ subject, option, words });
      }
    }
  }
  const from = Number(values.from);
  const count = Number(values.count) || cases.length;
  const drawn = draw(cases, from + count, Number(values.seed)).slice(from);
  const { found, tried } = await unlistedOf(drawn, world);
  for (const [key, example] of found) {
    process.stdout.write(
      `${isExplained(key) ? "explained" : "UNLISTED "}  ${key}\n    ${example}\n`,
    );
  }
  const open = [...found.keys()].filter((key) => !isExplained(key)).length;
  process.stdout.write(
    `${names.length} programs, ${options} options, ${cases.length} read-only command lines, ${tried} run (seed ${values.seed}, from ${from}): ${open} unexplained\n`,
  );
  return open === 0 ? 0 : 1;
}

function isExplained(key: string): boolean {
  return explained.some((pattern) => pattern.test(key));
}

function isReadOnly(text: string, world: World): boolean {
  const { readOnly, verdict } = explain(text, world);
  return readOnly || verdict === "allow";
}

function explain(text: string, { workspace, home }: World) {
  return explainCommand(text, { cwd: workspace, workspace, home, env: {} });
}

interface Unlisted {
  /** One example for each program, option and kind. */
  readonly found: ReadonlyMap<string, string>;
  /** Number of cases that ran, from the first one on. */
  readonly tried: number;
}

/** Observed actions of each case beyond its effects. */
async function unlistedOf(cases: readonly Case[], world: World): Promise<Unlisted> {
  const found = new Map<string, string>();
  let tried = 0;
  const usual = await usualPrograms(cases, world);
  const size = 200;
  const starts = Array.from({ length: Math.ceil(cases.length / size) }, (_, index) => index * size);
  const end =
    values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000;
  const next = (): number | undefined => (Date.now() < end ? starts.shift() : undefined);
  await Promise.all(
    Array.from({ length: Number(values.workers) }, async () => {
      for (let start = next(); start !== undefined; start = next()) {
        const part = cases.slice(start, start + size);
        tried += part.length;
        const traces = await traceCommands(
          part.map(({ words }) => words),
          world,
          start,
        );
        for (const [index, { subject, option, words }] of part.entries()) {
          const text = words.map(quote).join(" ");
          const { effects } = explain(text, world);
          const name = subject.program.join(" ");
          const unlisted = unlistedIn(traces[index] ?? [], effects, {
            world,
            usual: usual.get(name) ?? new Set(),
          });
          for (const { kind, target } of unlisted) {
            const key = `${name} ${option}: ${kind} ${target.replaceAll(world.base, "…")}`;
            if (!found.has(key)) found.set(key, text.replaceAll(world.base, "…"));
          }
        }
      }
    }),
  );
  return { found, tried };
}

/** Programs that each subject starts without any option. */
async function usualPrograms(
  cases: readonly Case[],
  world: World,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const subjects = [...new Set(cases.map(({ subject }) => subject))];
  const plain = subjects.flatMap((subject) =>
    subject.operands.map((operands) => ({ subject, words: [...subject.program, ...operands] })),
  );
  const traces = await traceCommands(
    plain.map(({ words }) => words),
    world,
    -1,
  );
  const out = new Map<string, Set<string>>();
  for (const [index, { subject }] of plain.entries()) {
    const name = subject.program.join(" ");
    const started = out.get(name) ?? new Set([subject.program[0] ?? ""]);
    out.set(name, started);
    for (const { kind, target } of traces[index] ?? []) {
      if (kind === "execute") started.add(path.basename(target));
    }
  }
  return out;
}

/** The first `count` cases in the order that the seed gives, every option in turn, so that each gets its share. */
function draw(cases: readonly Case[], count: number, seed: number): readonly Case[] {
  const byOption = Map.groupBy(
    cases,
    ({ subject, option }) => `${subject.program.join(" ")} ${option}`,
  );
  let state = seed >>> 0 || 1;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  let pools = [...byOption.values()].map((pool) => ({ pool, order: below(2 ** 32) }));
  pools.sort((one, other) => one.order - other.order);
  const out: Case[] = [];
  while (out.length < count && pools.length > 0) {
    for (const { pool } of pools) {
      const [taken] = pool.splice(below(pool.length), 1);
      if (taken !== undefined) out.push(taken);
    }
    pools = pools.filter(({ pool }) => pool.length > 0);
  }
  return out.slice(0, count);
}

function installed(name: string): string | undefined {
  return searchPath
    .split(":")
    .map((directory) => path.join(directory, name))
    .find((file) => existsSync(file));
}
