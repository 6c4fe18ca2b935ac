import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { openSessionStore, repairMessages } from "../../src/session/index.ts";
import { typeScriptFlags } from "./from-source.ts";
import { killedSession, plannedLines, plannedTree } from "./kill-plan.ts";

const program = path.join(import.meta.dirname, "kill-run.ts");

/** Place at which a run is killed: after an event, and some milliseconds. */
export interface KillPoint {
  readonly event: number;
  readonly delayMs: number;
}

export interface Killed {
  /** The run was killed before it ended. */
  readonly wasKilled: boolean;
  /** Events of the first run until it ended or was killed. */
  readonly events: number;
  /** Violations; empty if all is well. */
  readonly problems: readonly string[];
}

export interface Ended {
  readonly wasKilled: boolean;
  readonly lines: readonly string[];
  /** The model had nothing more to do. */
  readonly isDone: boolean;
  readonly errors: string;
}

/** Milliseconds to wait for background commands. */
const patienceMs = 20_000;

/** Kills a run of 40 calls at a point, continues its session, and checks what is left. */
export async function killAndContinue(point: KillPoint | undefined): Promise<Killed> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "haft-killed-")));
  try {
    await mkdir(path.join(folder, "work"));
    await mkdir(path.join(folder, "outside"));
    await mkdir(path.join(folder, "home"));
    const first = await runOnce({ program, folder }, point);
    const problems: string[] = [];
    if (first.wasKilled) {
      const second = await runOnce({ program, folder }, undefined);
      if (!second.isDone) problems.push(`continuing failed: ${second.errors}`);
    } else if (!first.isDone) problems.push(`the run failed: ${first.errors}`);
    problems.push(...(await treeProblems(folder, plannedTree())));
    problems.push(...(await outsideProblems(folder, first.wasKilled)));
    problems.push(...(await sessionProblems(folder)));
    return { wasKilled: first.wasKilled, events: first.lines.length, problems };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs a program in a folder, whose `home` is its home, until it ends or is killed. */
export async function runOnce(
  { program: file, folder }: { readonly program: string; readonly folder: string },
  point: KillPoint | undefined,
): Promise<Ended> {
  const child = spawn(process.execPath, [...typeScriptFlags, file, folder], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, HOME: path.join(folder, "home") },
  });
  let output = "";
  let errors = "";
  let isDue = false;
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
    if (point === undefined || isDue || output.split("\n").length <= point.event) return;
    isDue = true;
    setTimeout(() => child.kill("SIGKILL"), point.delayMs);
  });
  const signal = await new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("close", (_code, name) => resolve(name)),
  );
  const lines = output.split("\n").filter((line) => line !== "");
  const isDone = lines.includes("result done");
  return { wasKilled: signal === "SIGKILL", lines, isDone, errors };
}

export async function treeProblems(
  folder: string,
  planned: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const expected = JSON.stringify(planned);
  const until = Date.now() + patienceMs;
  for (;;) {
    const tree = JSON.stringify(await treeOf(path.join(folder, "work")));
    if (tree === sorted(expected)) return [];
    if (Date.now() > until) return [`the tree is ${tree}`];
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function sorted(json: string): string {
  const tree: Record<string, string> = JSON.parse(json);
  return JSON.stringify(Object.fromEntries(Object.entries(tree).toSorted(byName)));
}

function byName([one]: readonly [string, string], [other]: readonly [string, string]): number {
  return one < other ? -1 : 1;
}

async function treeOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name !== ".git");
  const entries = await Promise.all(
    names.map(async (name): Promise<[string, string]> => [
      name,
      await readFile(path.join(folder, name), "utf8"),
    ]),
  );
  return Object.fromEntries(entries.toSorted(byName));
}

/** Lines outside the workspace: none twice; none missing unless the run was killed, then only one turn's. */
async function outsideProblems(folder: string, wasKilled: boolean): Promise<readonly string[]> {
  const text = await readFile(path.join(folder, "outside/log.txt"), "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line !== "");
  const twice = lines.filter((line, index) => lines.indexOf(line) !== index);
  const missing = plannedLines().filter((line) => !lines.includes(line));
  return [
    ...twice.map((line) => `line ${line} was published twice`),
    ...(missing.length > (wasKilled ? 2 : 0) ? [`lines ${missing.join(", ")} are missing`] : []),
  ];
}

async function sessionProblems(folder: string): Promise<readonly string[]> {
  const store = await openSessionStore({ file: path.join(folder, "data/sessions.db") });
  try {
    const messages = await store.messages(killedSession);
    const isLegal = JSON.stringify(repairMessages(messages)) === JSON.stringify(messages);
    const status = (await store.get(killedSession))?.status;
    return [
      ...(isLegal ? [] : ["the conversation is not legal"]),
      ...(status === "done" ? [] : [`the session is ${status}`]),
    ];
  } finally {
    await store.close();
  }
}
