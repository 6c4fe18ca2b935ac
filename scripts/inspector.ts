// Drives a server over standard streams with the command line of the MCP Inspector, a client not written
// here: `node scripts/inspector.ts [command…]`. Without a command it is the fixture server.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { commandFile, installOnDemand } from "./install-on-demand.ts";

const inspector = await commandFile(
  await installOnDemand({ name: "@modelcontextprotocol/inspector", version: "2.12.0" }),
  "mcp-inspector",
);
const given = process.argv.slice(2);
const isFixture = given.length === 0;
const command = isFixture ? [process.execPath, "test/mcp/fixture-server.ts"] : given;

/** Calls made once the list is there: the fixture's tools, else tools that every haft server offers. */
const calls: readonly (readonly [tool: string, ...pairs: string[]])[] = isFixture
  ? [["test_simple_text"], ["test_structured", "a=2", "b=3"]]
  : [
      ["Read", "file_path=package.json", "limit=3"],
      ["Grep", "pattern=modelcontextprotocol", "path=package.json"],
    ];

// The Inspector keeps a catalogue in the home directory of its user.
const home = await mkdtemp(path.join(tmpdir(), "haft-inspector-"));
try {
  const listed = await inspect(["--method", "tools/list", "--strict"]);
  const tools = /"name": "/gu;
  process.stdout.write(`tools/list: ${listed.match(tools)?.length ?? 0} tools\n`);
  for (const [tool, ...pairs] of calls) {
    const args = pairs.flatMap((pair) => ["--tool-arg", pair]);
    const answer = await inspect(["--method", "tools/call", "--tool-name", tool, ...args]);
    process.stdout.write(`tools/call ${tool}: ${answer.replaceAll(/\s+/gu, " ").slice(0, 160)}\n`);
  }
} finally {
  await rm(home, { recursive: true, force: true });
}

async function inspect(options: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [inspector, "--cli", ...command, ...options], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HOME: home, USERPROFILE: home, NO_COLOR: "1" },
  });
  let output = "";
  let complaint = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (complaint += chunk));
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code === 0) return output;
  throw new Error(`The Inspector ended with ${String(code)}: ${complaint}${output}`);
}
