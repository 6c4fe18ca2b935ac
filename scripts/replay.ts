import { readFile } from "node:fs/promises";
import process from "node:process";
import { replay } from "../test/support/replay.ts";
import { readTrajectory } from "../test/support/trajectory.ts";

// Replays recorded trajectories: node scripts/replay.ts FILE…, JSON lines of OpenAI or Anthropic messages.
const files = process.argv.slice(2);
if (files.length === 0) {
  process.stderr.write("Usage: npm run replay -- FILE.jsonl…\n");
  process.exitCode = 2;
}
for (const file of files) {
  const { turns, calls, differences } = await replay(readTrajectory(await readFile(file, "utf8")));
  const verdict = differences.length === 0 ? "as recorded" : `${differences.length} differences`;
  process.stdout.write(`${file}: ${turns} turns, ${calls} calls: ${verdict}\n`);
  for (const difference of differences) process.stdout.write(`  ${difference.slice(0, 500)}\n`);
  if (differences.length > 0) process.exitCode = 1;
}
