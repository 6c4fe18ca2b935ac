/**
 * Edits files hundreds of times with a real language server, and compares each report with what is known about the
 * edit: which error it makes, and that no other is new. Ends with 1 where a report is stale.
 *
 *     npm run diagnostics-check -- [--server typescript|pyright] [--edits 500]
 *
 * The servers are installed below `.cache` when they are first needed.
 */
import { parseArgs } from "node:util";
import { editWithHaft } from "./diagnostics/haft-edits.ts";
import { chosenLanguages } from "./diagnostics/languages.ts";

const { values } = parseArgs({
  options: { server: { type: "string" }, edits: { type: "string", default: "500" } },
});
for (const [name, language] of chosenLanguages(values.server)) {
  const { counts, times, notes } = await editWithHaft(name, language, Number(values.edits));
  const { edits, stale, earlier, missed, right } = counts;
  if (stale + earlier > 0) process.exitCode = 1;
  const sorted = times.toSorted((one, other) => one - other);
  print(
    `${name}: ${edits} edits, ${right} errors reported; stale reports ${stale + earlier}; ` +
      `errors not reported ${missed}; median ${round(sorted[Math.floor(sorted.length / 2)])} ms, ` +
      `slowest ${round(sorted.at(-1))} ms`,
  );
  for (const note of notes) print(`  ${note}`);
}

function round(ms: number | undefined): number {
  return Math.round(ms ?? Number.NaN);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
