import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Outcome } from "../../src/core/index.ts";
import { createToolkit, type Kit, type SandboxOption } from "../../src/kit/index.ts";
import { legacyWire } from "../mcp/wire.ts";

export const stopDrivers = ["bwrap", "landlock", "unshare", "off"] as const;
export const stopWays = ["abort", "timeout", "cancel"] as const;
export type StopDriver = (typeof stopDrivers)[number];
export type StopWay = (typeof stopWays)[number];

/**
 * Commands that write, wait and write again, by the number in their arguments: one that says all it does and so runs on
 * the real files, one that may do anything and so runs on an overlay, and one whose writer leaves its session, holds no
 * pipe and ignores TERM.
 */
export const stopCommands = {
  listed: (id: string) => `echo x > first-${id}; sleep 1; echo y > late-${id}; sleep ${id}`,
  open: (id: string) => `sh ./slow.sh ${id}`,
  detached: (id: string) => `setsid sh ./stubborn.sh ${id} > /dev/null 2>&1 & sleep ${id}`,
} as const;
export type StopCommand = keyof typeof stopCommands;

const scripts = {
  "slow.sh": `echo x > first-$1; sleep 1; echo y > late-$1; sleep $1\n`,
  "stubborn.sh": `trap '' TERM; echo x > first-$1; sleep 1; echo y > late-$1; sleep $1\n`,
};

export interface StopRound {
  readonly way: StopWay;
  readonly command: StopCommand;
  /** From the start of the call, in milliseconds. */
  readonly delayMs: number;
}

export interface StopResult {
  readonly outcome: Outcome | undefined;
  /** Processes of the command at the moment when the call was answered. */
  readonly survivors: readonly string[];
  /** Files that were there after the call was undone, and not before it. */
  readonly outsideUndo: readonly string[];
}

/** A workspace in which commands are stopped while they start, with one driver. */
export interface StopWorld extends AsyncDisposable {
  round(round: StopRound): Promise<StopResult>;
}

export async function stopWorld(driver: StopDriver): Promise<StopWorld> {
  const folder = mkdtempSync(path.join(realpathSync(tmpdir()), "haft-stop-"));
  const workspace = mkdtempSync(path.join(folder, "workspace-"));
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(path.join(workspace, name), text);
  }
  const sandbox: SandboxOption = driver === "off" ? { require: "off" } : { driver };
  const kit = await createToolkit({
    workspace,
    dataDirectory: path.join(folder, "data"),
    settings: "none",
    mode: "bypassPermissions",
    sandbox,
    // A command that runs too long is stopped, not continued as a task.
    background: "on-request",
    // A stubborn program is not waited for longer than it takes to see that it is one.
    limits: { bash: { terminateMs: 200 } },
  });
  const wire = await legacyWire(kit);
  const before = new Set(readdirSync(workspace));
  return {
    async round(round) {
      const id = String(3_000_000 + Math.floor(Math.random() * 900_000));
      const outcome = await stopped({ kit, wire }, round, id);
      const survivors = processesOf(id, workspace);
      const named = new Set<string>();
      for (const { callId, state, level, changes, skipped } of await kit.history()) {
        // Files that history says it does not have are expected; those that it does not name are not.
        if (level !== "full") {
          for (const { path: at } of [...changes, ...skipped]) named.add(path.basename(at));
        }
        if (state !== "undone" && level !== "none") await kit.undo({ call: callId });
      }
      const left = readdirSync(workspace).filter((name) => !before.has(name));
      for (const name of left) rmSync(path.join(workspace, name), { recursive: true });
      const outsideUndo = left.filter((name) => !named.has(name));
      return { outcome, survivors, outsideUndo };
    },
    async [Symbol.asyncDispose]() {
      await kit.dispose();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Wire = Awaited<ReturnType<typeof legacyWire>>;

async function stopped(
  { kit, wire }: { readonly kit: Kit; readonly wire: Wire },
  { way, command, delayMs }: StopRound,
  id: string,
): Promise<Outcome | undefined> {
  const text = stopCommands[command](id);
  if (way === "timeout") {
    const input = { command: text, timeout: Math.max(1, delayMs) };
    return await kit.call({ id: `call-${id}`, name: "Bash", input });
  }
  const decided = Promise.withResolvers<void>();
  const off = kit.events.subscribe((event) => {
    if (event.type === "call-decided") decided.resolve();
  });
  const wait = async (): Promise<void> => {
    await decided.promise;
    off();
    await new Promise<void>((resolve) => {
      setTimeout(resolve, delayMs);
    });
  };
  const later = wait();
  if (way === "abort") {
    const stop = new AbortController();
    void later.then(() => stop.abort());
    const call = { id: `call-${id}`, name: "Bash", input: { command: text } };
    return await kit.call(call, { signal: stop.signal });
  }
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const done = kit.events.subscribe((event) => {
    if (event.type === "call-end") end();
  });
  const requestId = `cancel-${id}`;
  const asked = wire.connection.handle({
    jsonrpc: "2.0",
    id: requestId,
    method: "tools/call",
    params: { name: "Bash", arguments: { command: text } },
  });
  await later;
  await wire.tell("notifications/cancelled", { requestId });
  await asked;
  // A cancelled request has no answer: the call is over when its event says so.
  await over;
  done();
  return undefined;
}

/** Processes that have the number among their arguments, or work in the workspace. */
function processesOf(id: string, workspace: string): readonly string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/u.test(pid) || Number(pid) === process.pid) return [];
    try {
      const state = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.[0] ?? "X";
      if (state === "Z" || state === "X") return [];
      const words = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
      const cwd = readlinkSync(`/proc/${pid}/cwd`);
      return words.includes(id) || cwd.startsWith(workspace) ? [`${pid} ${state} ${words}`] : [];
    } catch {
      return [];
    }
  });
}
