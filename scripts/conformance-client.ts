// Runs the scenarios for clients of the public conformance suite against haft's MCP client, in both eras:
// `node scripts/conformance-client.ts [SCENARIO]`. Every scenario must pass.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { conformanceSuite, eras } from "./conformance-suite.ts";

const client = `${process.execPath} --no-warnings test/mcp/fixture-client.ts`;

const suite = await conformanceSuite();
const [only] = process.argv.slice(2);
for (const era of eras) {
  const text = await readFile(path.join(suite.folder, "requirements", `${era}.yaml`), "utf8");
  const { client: required }: { readonly client: readonly string[] } = parse(text);
  const failing: string[] = [];
  let checks = 0;
  // One after the other: a scenario that waits too long on a loaded machine fails.
  const scenarios = required.filter((each) => only === undefined || each === only);
  for (const scenario of scenarios) {
    const output = await run(scenario, era);
    const [, passed = "0", , failed = "1"] =
      /Passed: (\d+)\/(\d+), (\d+) failed/u.exec(output) ?? [];
    checks += Number(passed);
    const hasFailed = failed !== "0" || passed === "0";
    if (!hasFailed) continue;
    failing.push(scenario);
    process.exitCode = 1;
    process.stdout.write(`${era} ${scenario}: ${output}\n`);
  }
  const but = failing.length === 0 ? "" : ` (not ${failing.join(", ")})`;
  process.stdout.write(
    `${era}: client scenarios ${scenarios.length - failing.length} of ${scenarios.length}${but}; checks passed ${checks}\n`,
  );
}

async function run(scenario: string, era: string): Promise<string> {
  const flags = ["--command", client, "--spec-version", era, "--scenario", scenario];
  return (await suite.run(["client", ...flags])).text;
}
