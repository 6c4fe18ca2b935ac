// Runs the scenarios for clients of the public conformance suite against haft's MCP client, in both eras:
// `node scripts/conformance-client.ts [SCENARIO]`. Every scenario must pass.
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parse } from "yaml";
import { commandFile, installOnDemand } from "./install-on-demand.ts";

const suite = { name: "@modelcontextprotocol/conformance", version: "0.2.0-alpha.12" };
const eras = ["2025-11-25", "2026-07-28"];
const client = `${process.execPath} --no-warnings test/mcp/fixture-client.ts`;

const folder = await installOnDemand(suite);
const conformance = await commandFile(folder, "conformance");
const [only] = process.argv.slice(2);
for (const era of eras) {
  const text = await readFile(path.join(folder, "requirements", `${era}.yaml`), "utf8");
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

function run(scenario: string, era: string): Promise<string> {
  const flags = ["--command", client, "--spec-version", era, "--scenario", scenario];
  const child = spawn(process.execPath, [conformance, "client", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve(text));
  });
}
