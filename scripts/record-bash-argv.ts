/**
 * Records what a real bash makes of the commands in src/shell/recorded-argv.json: `node scripts/record-bash-argv.ts`
 * compares, `--record` writes what bash did. To add a case, add a command with an empty `ran` and record.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { bashReferee } from "./bash-referee.ts";

interface Recorded {
  readonly command: string;
  readonly ran: readonly (readonly string[])[];
}

const file = new URL("../src/shell/recorded-argv.json", import.meta.url);
const isRecorded = (value: unknown): value is Recorded =>
  typeof value === "object" && value !== null && "command" in value && "ran" in value;
const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
const cases = Array.isArray(parsed) ? parsed.filter(isRecorded) : [];

const referee = bashReferee();
const now = cases.map(({ command }) => ({ command, ran: referee.run(command) }));
referee.dispose();

if (process.argv.includes("--record")) {
  writeFileSync(file, `${JSON.stringify(now, undefined, 2)}\n`);
  process.stdout.write(`${now.length} cases recorded\n`);
} else {
  const changed = now.filter(
    ({ ran }, index) => JSON.stringify(ran) !== JSON.stringify(cases[index]?.ran),
  );
  for (const { command } of changed)
    process.stdout.write(`bash does it differently now: ${command}\n`);
  process.exitCode = changed.length === 0 ? 0 : 1;
}
