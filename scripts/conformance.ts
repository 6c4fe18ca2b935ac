// Runs the public conformance suite of the Model Context Protocol against the fixture server, in both eras:
// `node scripts/conformance.ts`. Fails on an unexpected failure and on an expected one that no longer fails.
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { commandFile, installOnDemand } from "./install-on-demand.ts";

const suite = { name: "@modelcontextprotocol/conformance", version: "0.2.0-alpha.12" };
const eras = ["2025-11-25", "2026-07-28"];

const conformance = await commandFile(await installOnDemand(suite), "conformance");
const server = spawn(process.execPath, ["test/mcp/fixture-http.ts"], {
  stdio: ["ignore", "pipe", "inherit"],
});
try {
  const url = await firstLine(server);
  for (const era of eras) {
    const { code, text } = await run(era, url);
    process.stdout.write(report(era, text));
    if (code !== 0) {
      process.stdout.write(`${text.slice(text.indexOf("=== SUMMARY ==="))}\n`);
      process.exitCode = 1;
    }
  }
} finally {
  server.kill();
}

function run(era: string, url: string): Promise<{ code: number | null; text: string }> {
  const expected = `test/mcp/expected-failures-${era}.yml`;
  const exceptions = existsSync(expected) ? ["--expected-failures", expected] : [];
  const flags = ["--url", url, "--requirements", era, ...exceptions];
  const child = spawn(process.execPath, [conformance, "server", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}

/** One line of figures: every scenario, and those about tools alone. */
function report(era: string, text: string): string {
  const summary = text.slice(text.indexOf("=== SUMMARY ==="));
  const scenarios = [...summary.matchAll(/^([✓✗]) ([\w./-]+): (\d+) passed, (\d+) failed$/gmu)];
  const tools = scenarios.filter(([, , name]) => name?.startsWith("tools-") === true);
  const passed = (list: typeof scenarios): string =>
    `${list.filter(([, mark]) => mark === "✓").length} of ${list.length}`;
  const failing = tools.filter(([, mark]) => mark === "✗").map(([, , name]) => name);
  const but = failing.length === 0 ? "" : ` (not ${failing.join(", ")})`;
  const checks = /^Total: .*$/mu.exec(summary)?.[0] ?? "no total";
  return `${era}: tool scenarios ${passed(tools)}${but}; all scenarios ${passed(scenarios)}; checks ${checks}\n`;
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error("The fixture server has no output.");
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error("The fixture server ended before it said where it listens.");
}
