/**
 * The resident helper process: starts programs for a process that is too large to do so quickly itself, or starts them
 * confined.
 *
 * It reads requests from its input and writes replies to its output, one JSON text per line. Programs open the pipes of
 * the requesting process, so their output does not pass through the helper. The end of its input means that the
 * requesting process has ended: the helper then ends everything it started, and itself.
 *
 * A confined helper is confined by its first message and applies the same confinement to all it starts. Its main thread
 * is then as confined as its programs, so files for them are opened on other threads.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import {
  confinedFlag,
  encodeLine,
  lineReader,
  type HelperCommand,
  type HelperReply,
  type HelperRequest,
} from "./protocol.ts";
import { endingLike, markerName } from "../process-tag.ts";
import { startTicksOf } from "../process-scan.ts";
import { killPrograms } from "../kill/kill-programs.ts";
import { closeFiles, handFiles, type HandedFiles } from "../pipes/inherited-descriptors.ts";
import {
  closeProgramEnds,
  openDirectoryElsewhere,
  openFileElsewhere,
  openProgramEnds,
  openProgramEndsElsewhere,
  type ProgramEnds,
} from "../pipes/stdio-ends.ts";

const closeOnExec = 0o2000000;

/**
 * Closes all descriptors that this process inherited except its standard streams; otherwise every program it starts
 * would inherit them too.
 */
function closeInherited(): void {
  for (const number of openNumbers()) {
    if (number <= 2) continue;
    try {
      const info = readFileSync(`/proc/self/fdinfo/${number}`, "latin1");
      const flags = /^flags:\s+([0-7]+)$/mu.exec(info)?.[1];
      const isInherited = flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
      if (isInherited) closeSync(number);
    } catch {
      // This was the descriptor of the directory listing.
    }
  }
}

function openNumbers(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").map(Number);
  } catch {
    return [];
  }
}

/** Maximum time to end what its programs left behind, in milliseconds. */
const endingMs = 2000;

interface Confining {
  confine(data: string): Promise<void>;
}

const running = new Map<number, ChildProcess>();
/** Programs that continue after the requesting process has ended, and end by themselves. */
const outliving = new WeakSet<ChildProcess>();
/** Prefixes of the tags of its programs, one for each host. */
const marks = new Set<string>();
let isEnding = false;
/** Whether the confinement is in force; no program is started before. */
let isHeld = false;

function reply(message: HelperReply): void {
  process.stdout.write(encodeLine(message));
}

function start(line: string): void {
  const request: HelperRequest = JSON.parse(line);
  try {
    const ends = openProgramEnds(request.stdio);
    let handed: HandedFiles = [];
    try {
      handed = handFiles(request.files);
      launch(request, [...ends, ...handed]);
    } finally {
      closeProgramEnds(ends);
      closeFiles(handed);
    }
  } catch (error) {
    refuse(request.id, error);
  }
}

function takeConfined(line: string): void {
  const order: HelperRequest | HelperCommand = JSON.parse(line);
  if ("argv" in order) void startConfined(order);
  else if ("kill" in order) running.get(order.kill)?.kill("SIGKILL");
  else if ("leave" in order) process.exit();
  else void beConfined(order.confine);
}

async function beConfined(by: { module: string; data: string } | null): Promise<void> {
  try {
    // Its programs may send SIGUSR1, which by default would open a debugger port on an unconfined thread.
    process.on("SIGUSR1", () => undefined);
    if (by !== null) {
      const module: Confining = await import(pathToFileURL(by.module).href);
      await module.confine(by.data);
    }
    isHeld = true;
    reply({ kind: "ready" });
  } catch {
    // It must start nothing; the requesting process notices the exit.
    process.exit(1);
  }
}

async function startConfined(request: HelperRequest): Promise<void> {
  const { id, cwd, stdio, at, file } = request;
  let ends: ProgramEnds = [];
  let directory: number | undefined;
  try {
    if (!isHeld) throw new TypeError("It is not confined yet.");
    ends = await openProgramEndsElsewhere(stdio);
    if (file !== undefined) ends = [...ends, await openFileElsewhere(file.path, file.at)];
    if (isHeldByAnother(cwd) || at !== undefined) {
      directory = await openDirectoryElsewhere(cwd, at);
    }
  } catch {
    closeProgramEnds(ends);
    reply({ kind: "unable", id });
    return;
  }
  try {
    if (isEnding) return;
    reply({ kind: "begun", id });
    launch(
      directory === undefined ? request : { ...request, cwd: `/proc/self/fd/${directory}` },
      ends,
    );
  } catch (error) {
    refuse(id, error);
  } finally {
    closeProgramEnds(ends);
    if (directory !== undefined) closeSync(directory);
  }
}

/** Whether the path leads through the descriptors of another process, which a confined program cannot follow. */
function isHeldByAnother(cwd: string): boolean {
  return /^\/proc\/\d+\/fd\/\d+$/u.test(cwd);
}

function launch({ id, argv, cwd, env }: HelperRequest, stdio: ProgramEnds): void {
  const [program = "", ...parameters] = argv;
  const mark = env[markerName];
  const ending = mark === undefined ? undefined : endingLike(mark);
  if (ending !== undefined) marks.add(ending);
  const child = spawn(program, parameters, { cwd, env, detached: true, stdio: [...stdio] });
  const { pid } = child;
  child.on("error", (error) => {
    if (pid === undefined) refuse(id, error);
  });
  if (pid === undefined) return;
  running.set(id, child);
  if (mark !== undefined && ending === undefined) outliving.add(child);
  const ticks = startTicksOf(pid);
  reply({ kind: "started", id, pid, ...(ticks === undefined ? {} : { ticks }) });
  child.on("exit", (code, signal) => {
    running.delete(id);
    reply({ kind: "ended", id, code, signal });
  });
}

function refuse(id: number, error: unknown): void {
  const isCoded = error instanceof Error && "code" in error && typeof error.code === "string";
  reply({ kind: "refused", id, ...(isCoded ? { errno: String(error.code) } : {}) });
}

function end(): void {
  isEnding = true;
  const giveUpAt = performance.now() + endingMs;
  const look = (): void => {
    const leaders = Array.from(running.values()).flatMap((child) =>
      child.pid === undefined || outliving.has(child) ? [] : [child.pid],
    );
    const count = killPrograms({ leaders, marks });
    // Processes killed just now may not be gone yet.
    if (count === 0 || performance.now() > giveUpAt) process.exit();
    setTimeout(look, 5);
  };
  look();
}

closeInherited();
const isConfined = process.argv[2] === confinedFlag;
// The requesting process has ended; the end of the input reports the same.
process.stdout.on("error", () => undefined);
process.stdin.on("error", end);
process.stdin.on("end", end);
process.stdin.setEncoding("utf8").on("data", lineReader(isConfined ? takeConfined : start));
if (!isConfined) reply({ kind: "ready" });
