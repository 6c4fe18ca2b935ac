/**
 * Price of a command hook, next to a plain spawn of the same command with the same input and both outputs read:
 *
 *   npm run bench:start
 *   node bench/hook-cost.ts [--rounds 41]
 *
 * Rounds are interleaved. The price of a hook is what a call with it takes longer than the same call without. Goal: at
 * most 1.3 times a plain spawn; where hooks are confined, 1.3 times a plain spawn of the launcher that confines them,
 * because that alone costs more than the program.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type * as Haft from "../src/index.ts";
import { probe, sandboxPolicy, spawnConfined } from "../src/sandbox/index.ts";

const built = new URL("../dist/index.js", import.meta.url).href;
const { createToolkit } = (await import(built)) as typeof Haft;
const roundsAt = process.argv.indexOf("--rounds");
const rounds = roundsAt === -1 ? 41 : Number(process.argv[roundsAt + 1]);
const goal = 1.3;

const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-bench-"));
const [home, workspace, temporary] = ["home", "work", "temporary"].map((name) =>
  path.join(folder, name),
) as [string, string, string];
for (const each of [home, workspace, temporary]) mkdirSync(each);
writeFileSync(path.join(workspace, "a.txt"), "one\n");
process.env["HOME"] = home;

const command = ["bash", "-c", "true"] as const;
/** Node gives it a socket as its input, and without this variable bash reads its startup files then. */
const env = { SHLVL: "1" };
const call = { name: "Read", input: { file_path: "a.txt" } };
const settings = {
  hooks: { PreToolUse: [{ hooks: [{ type: "command", command: "true" }] }] },
};
const input = JSON.stringify({
  session_id: "0",
  cwd: workspace,
  hook_event_name: "PreToolUse",
  tool_name: "Read",
  tool_input: { file_path: path.join(workspace, "a.txt") },
});

try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const policy = await sandboxPolicy({
    workspace,
    home,
    temporary,
    variables: { PATH: process.env["PATH"] },
    network: { kind: "open" },
    leftovers: "kept",
  });
  const probed = await probe({ require: "best-effort" });
  const driver = probed.driver.name === "none" ? undefined : probed.driver;
  const sandbox = await driver?.prepare(policy);
  const off = { workspace, sandbox: { require: "off" } } as const;
  await using plain = await createToolkit(off);
  await using free = await createToolkit({ ...off, settings });
  await using confined = await createToolkit({ workspace, settings });
  const subjects: Record<string, () => Promise<unknown>> = {
    "plain spawn": async () => await ended(spawn("bash", command.slice(1), { cwd: workspace })),
    call: async () => await plain.call(call),
    free: async () => await free.call(call),
    ...(sandbox === undefined
      ? {}
      : {
          launcher: async () => await ended(await spawnConfined(sandbox.wrap(command, { env }))),
          confined: async () => await confined.call(call),
        }),
  };
  const times = new Map(Object.keys(subjects).map((name) => [name, [] as number[]]));
  for (let round = -5; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(subjects)) {
      const start = performance.now();
      await run();
      if (round >= 0) times.get(name)?.push(performance.now() - start);
    }
  }
  await sandbox?.dispose();
  const of = (name: string): readonly number[] => times.get(name) ?? [];
  say("plain spawn of bash -c true", of("plain spawn"));
  compare("a hook", { hook: of("free"), call: of("call"), floor: of("plain spawn") });
  if (driver === undefined) return;
  say(`plain spawn of ${driver.name}, bash -c true`, of("launcher"));
  compare("a confined hook", { hook: of("confined"), call: of("call"), floor: of("launcher") });
}

function compare(
  name: string,
  { hook, call: without, floor }: Readonly<Record<"hook" | "call" | "floor", readonly number[]>>,
): void {
  const cost = hook.map((time, round) => time - (without[round] ?? Number.NaN));
  const ratio = median(cost) / median(floor);
  const least = (Math.min(...hook) - Math.min(...without)) / Math.min(...floor);
  const missed = Math.min(ratio, least) > goal ? ", missed" : "";
  const figures = `${ratio.toFixed(2)}x the line above, by minima ${least.toFixed(2)}x`;
  say(name, cost, `  ${figures} (goal ${goal}${missed})`);
}

function say(name: string, times: readonly number[], more = ""): void {
  process.stdout.write(`${name.padEnd(36)} ${median(times).toFixed(1).padStart(6)} ms${more}\n`);
}

/** Resolves once the program has ended and its output was read. */
async function ended(child: ChildProcess): Promise<void> {
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`It ended with ${String(code)}: ${output}`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
