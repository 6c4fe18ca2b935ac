// Runs the public conformance suite of the Model Context Protocol against `haft mcp --http` as it is built, in both
// eras: `npm run build && node scripts/conformance.ts`. The tools that the suite calls come from a module
// (`haft mcp --module`). Every scenario must pass, also those of extensions, which the suite does not score.
import { spawn, type ChildProcess } from "node:child_process";
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { tokenProxy } from "../test/mcp/token-proxy.ts";
import { conformanceSuite, eras } from "./conformance-suite.ts";

/** A check as the suite stores it. */
interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const extensions = [
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
  "sep-2640-skills-directory",
];

const suite = await conformanceSuite();
const folder = await mkdtemp(path.join(tmpdir(), "haft-conformance-"));
const workspace = path.join(folder, "workspace");
const results = path.join(folder, "results");
await writeSkill(path.join(workspace, ".haft", "skills", "release"));
const server = spawn(
  process.execPath,
  [
    "bin/haft.cjs",
    "mcp",
    "--http",
    "--json",
    "--trust",
    "--module=test/mcp/fixture-module.ts",
    `--workspace=${workspace}`,
    `--data-dir=${path.join(folder, "data")}`,
    // The suite calls tools that nobody is there to be asked about.
    "--mode=bypassPermissions",
  ],
  { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, HOME: folder } },
);
const ended = new Promise((resolve) => server.once("close", resolve));
try {
  const listening: { readonly url: string; readonly token: string } = JSON.parse(
    await firstLine(server),
  );
  const proxy = await tokenProxy(listening);
  for (const era of eras) {
    const { code, text } = await run(proxy.url, ["--requirements", era]);
    await show(era, text, code === 0 && !/^✗/mu.test(summaryOf(text)));
  }
  for (const scenario of extensions) {
    const { code, text } = await run(proxy.url, ["--scenario", scenario]);
    // Of an extension that is not declared, the suite skips everything and counts one check as passed.
    const isSkipped = !/Passed: (?:[2-9]|\d{2,})\//u.test(text);
    await show(scenario, text, code === 0 && !isSkipped);
  }
  proxy.server.close();
} finally {
  server.kill();
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function run(
  url: string,
  what: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string }> {
  await rm(results, { recursive: true, force: true });
  return await suite.run(["server", "--url", url, "--output-dir", results, ...what]);
}

/** Prints the figures, and the summary and the failed checks of a run that failed. */
async function show(name: string, text: string, isPassed: boolean): Promise<void> {
  const summary = summaryOf(text);
  const scenarios = [...summary.matchAll(/^([✓✗]) ([\w./-]+): (\d+) passed, (\d+) failed$/gmu)];
  const passed = scenarios.filter(([, mark]) => mark === "✓");
  const checks = /^(?:Total|Passed): .*$/mu.exec(text)?.[0] ?? "no total";
  const figures =
    scenarios.length === 0 ? "" : `${passed.length} of ${scenarios.length} scenarios; `;
  process.stdout.write(`${name}: ${figures}${checks}\n`);
  if (isPassed) return;
  process.stdout.write(`${summary}\n${await failedChecks()}`);
  process.exitCode = 1;
}

/** Failed checks of the last run, a line each. */
async function failedChecks(): Promise<string> {
  const lines: string[] = [];
  for await (const file of glob(path.join(results, "**", "checks.json"))) {
    const checks: readonly Check[] = JSON.parse(await readFile(file, "utf8"));
    for (const { id, status, errorMessage = "no message" } of checks) {
      if (status === "FAILURE") lines.push(`${id}: ${errorMessage}\n`);
    }
  }
  return lines.join("");
}

function summaryOf(text: string): string {
  const at = text.indexOf("=== SUMMARY ===");
  return at === -1 ? text : text.slice(at);
}

/** A skill with a file in a directory. */
async function writeSkill(directory: string): Promise<void> {
  await mkdir(path.join(directory, "references"), { recursive: true });
  const head = "---\nname: release\ndescription: How a release is made.\n---\n";
  await writeFile(path.join(directory, "SKILL.md"), `${head}\nRead references/steps.md.\n`);
  await writeFile(path.join(directory, "references", "steps.md"), "# Steps\n");
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The server has no output.");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("The server ended before it said where it listens.");
}
