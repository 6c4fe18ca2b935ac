/**
 * How long the command takes to start and end, as a multiple of `node -e 0` started in the same round:
 *
 *   npm run bench:start -- [--rounds 21]
 *
 * Rounds are interleaved, so that whatever else the machine does falls on all alike; a ratio is the median of its
 * rounds. Goals: --version at most 1.2, --help at most 1.6.
 */
import { spawn } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";

const haft = fileURLToPath(new URL("../bin/haft.cjs", import.meta.url));
const roundsAt = process.argv.indexOf("--rounds");
const rounds = roundsAt === -1 ? 21 : Number(process.argv[roundsAt + 1]);

const subjects = [
  { name: "node -e 0", words: ["-e", "0"], goal: undefined },
  { name: "haft --version", words: [haft, "--version"], goal: 1.2 },
  { name: "haft --help", words: [haft, "--help"], goal: 1.6 },
  { name: "haft tools list", words: [haft, "tools", "list", "--no-settings"], goal: undefined },
];

const times = subjects.map((): number[] => []);
// The rounds before the first fill the caches, the compile cache among them.
for (let round = -2; round < rounds; round += 1) {
  for (const [index, { words }] of subjects.entries()) {
    const took = await untilExit(words);
    if (round >= 0) times[index]?.push(took);
  }
}

const [floor = []] = times;
process.stdout.write(
  `${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
for (const [index, { name, goal }] of subjects.entries()) {
  const own = times[index] ?? [];
  const ratio = median(own.map((time, round) => time / (floor[round] ?? Number.NaN)));
  const wanted = goal === undefined ? "" : `  (goal ${goal}${ratio <= goal ? "" : ", missed"})`;
  process.stdout.write(
    `${name.padEnd(16)} ${median(own).toFixed(1).padStart(7)} ms ${ratio.toFixed(2).padStart(6)}x${wanted}\n`,
  );
}

function untilExit(words: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, words, { stdio: "ignore" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve(performance.now() - start));
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
