/**
 * The same edits with haft and with opencode, each with the same language servers, and what the answers to the edits
 * report: errors that are already fixed, errors from before the edit, and the error that the edit made. Ends with 1
 * where haft reports an error that is fixed or from before.
 *
 *     npm run diagnostics-compare -- [--server typescript|pyright] [--edits 200]
 *
 * opencode and the servers are installed below `.cache` when they are first needed. A model on the loopback address
 * asks opencode for the edits; nothing else is reached.
 */
import { parseArgs } from "node:util";
import { editWithHaft, type EditRun } from "./diagnostics/haft-edits.ts";
import { chosenLanguages } from "./diagnostics/languages.ts";
import { editWithOpencode } from "./diagnostics/opencode-edits.ts";
import { opencode } from "./real-agents/agents.ts";

const programs = { haft: editWithHaft, [`opencode ${opencode.version}`]: editWithOpencode };
const columns = [
  ["server", ({ server }) => server],
  ["program", ({ program }) => program],
  ["edits", ({ counts }) => counts.edits],
  ["already fixed", ({ counts }) => counts.stale],
  ["in edits", ({ counts }) => counts.withStale],
  ["from before", ({ counts }) => counts.earlier],
  ["new", ({ counts }) => counts.right],
  ["new, missing", ({ counts }) => counts.missed],
  ["median ms", ({ times }) => round(times.toSorted((a, b) => a - b)[times.length >> 1])],
  ["slowest ms", ({ times }) => round(Math.max(...times))],
] as const satisfies readonly (readonly [string, (row: Row) => string | number])[];

interface Row extends EditRun {
  readonly server: string;
  readonly program: string;
}

const { values } = parseArgs({
  options: { server: { type: "string" }, edits: { type: "string", default: "200" } },
});
print(columns.map(([title]) => title));
print(columns.map(() => "---"));
for (const [server, language] of chosenLanguages(values.server)) {
  for (const [program, edit] of Object.entries(programs)) {
    const result = await edit(server, language, Number(values.edits));
    const row = { ...result, server, program };
    print(columns.map(([, cell]) => String(cell(row))));
    const { stale, earlier } = result.counts;
    if (program === "haft" && stale + earlier > 0) process.exitCode = 1;
  }
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}

function round(ms: number | undefined): number {
  return Math.round(ms ?? Number.NaN);
}
