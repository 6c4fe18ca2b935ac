// How long a server over standard streams takes from its start to the answer of `tools/list`, as a multiple
// of an empty Node script started in the same round:
// `node bench/mcp-start.ts [--rounds n] [-- command…]`. Without a command it is the fixture server.
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { commandFile, installOnDemand } from "../scripts/install-on-demand.ts";

const peer = { name: "@modelcontextprotocol/server-filesystem", version: "2026.8.31" };
const separator = process.argv.indexOf("--");
const ownCommand = separator === -1 ? [] : process.argv.slice(separator + 1);
const roundsAt = process.argv.indexOf("--rounds");
const rounds = roundsAt === -1 ? 15 : Number(process.argv[roundsAt + 1]);

const folder = await mkdtemp(path.join(tmpdir(), "haft-bench-"));
const empty = path.join(folder, "empty.cjs");
await writeFile(empty, "");
const peerFile = await commandFile(await installOnDemand(peer), "mcp-server-filesystem");

const subjects = {
  "node empty.cjs": () => untilExit([process.execPath, empty]),
  haft: () =>
    untilListed(
      ownCommand.length > 0 ? ownCommand : [process.execPath, "test/mcp/fixture-server.ts"],
    ),
  [`${peer.name} ${peer.version}`]: () => untilListed([process.execPath, peerFile, folder]),
};

const samples = new Map<string, number[]>(Object.keys(subjects).map((name) => [name, []]));
try {
  for (let round = -1; round < rounds; round += 1) {
    // Each round begins with another one, so that none always follows the slowest.
    const all = Object.entries(subjects);
    const first = Math.abs(round) % all.length;
    for (const [name, start] of [...all.slice(first), ...all.slice(0, first)]) {
      const took = await start();
      // The round before the first fills the file cache.
      if (round >= 0) samples.get(name)?.push(took);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

const [floor = []] = samples.values();
process.stdout.write(
  `${rounds} rounds, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}\n`,
);
for (const [name, times] of samples) {
  const ratios = times.map((time, round) => time / (floor[round] ?? Number.NaN));
  process.stdout.write(
    `${name}: ${median(times).toFixed(1)} ms, ${median(ratios).toFixed(2)}x (fastest ${Math.min(...times).toFixed(1)} ms)\n`,
  );
}

function untilExit(command: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: "ignore" });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve(performance.now() - start));
  });
}

async function untilListed(command: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "ignore"] });
  const send = (message: object): boolean => child.stdin.write(`${JSON.stringify(message)}\n`);
  send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    },
  });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('"id":2')) continue;
    const took = performance.now() - start;
    child.stdin.end();
    child.kill();
    await new Promise((resolve) => child.once("close", resolve));
    return took;
  }
  throw new Error(`${command.join(" ")} ended before it listed its tools.`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
