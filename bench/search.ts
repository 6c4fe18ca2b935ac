// Search over a generated catalog of tools: time of a query, of making the index, memory of the index, and how often the
// tool asked for is found, next to minisearch and the `toolSearch` of the AI SDK. Each runs in a process of its own.
// Ends with 1 where haft misses a goal.
//   npm run bench:search [-- --tools 9000]
import { execFile } from "node:child_process";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Measured } from "./search/measure.ts";

/** Goals for 9,000 tools. */
const goals = { queryMs: 0.2, indexMs: 300, indexMB: 15 };

const subjects = ["haft", "minisearch", "minisearch, prefix and fuzzy", "ai toolSearch"];
const at = process.argv.indexOf("--tools");
const count = at === -1 ? 9000 : Number(process.argv[at + 1]);

report(`${count} tools, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}`);
const misses: string[] = [];
for (const subject of subjects) {
  const { indexMs, indexMB, queries } = await measure(subject);
  report(`${subject}: index ${indexMs.toFixed(0)} ms, ${indexMB.toFixed(1)} MB`);
  for (const [kind, { medianMs, slowestMs, first, amongTen }] of Object.entries(queries)) {
    const times = `median ${micros(medianMs)}, slowest ${micros(slowestMs)}`;
    report(`  ${kind.padEnd(5)} ${times}; first ${percent(first)}, in ten ${percent(amongTen)}`);
    if (subject === "haft" && medianMs > goals.queryMs) misses.push(`${kind}: ${micros(medianMs)}`);
  }
  if (subject !== "haft") continue;
  if (indexMs > goals.indexMs) misses.push(`index: ${indexMs.toFixed(0)} ms`);
  if (indexMB > goals.indexMB) misses.push(`index: ${indexMB.toFixed(1)} MB`);
}
report(misses.length === 0 ? "Every goal is met." : `Missed:\n${misses.join("\n")}`);
process.exitCode = misses.length === 0 ? 0 : 1;

async function measure(subject: string): Promise<Measured> {
  const program = fileURLToPath(new URL("search/measure.ts", import.meta.url));
  const command = ["--expose-gc", program, subject, String(count)];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  return JSON.parse(stdout);
}

function micros(ms: number): string {
  return `${Math.round(ms * 1000).toLocaleString("en")} µs`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
