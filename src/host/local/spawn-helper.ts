/**
 * The resident helper process: starts programs for a program too big to do so quickly itself.
 *
 * It reads requests from its input and answers on its output, a JSON text a line. Programs open the
 * pipes of whoever asked, so what they print never comes by here. When its input ends, so has whoever
 * asked: it ends everything it started, and itself.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { encodeLine, lineReader, type HelperReply, type HelperRequest } from "./helper-wire.ts";
import { startTicksOf } from "./process-scan.ts";
import { markedProcesses, markerName, sendSignal } from "./process-tree.ts";
import { handFiles } from "./handed-descriptors.ts";
import { closeProgramEnds, openProgramEnds, type ProgramEnds } from "./program-ends.ts";

/** How long it tries to end what its programs left behind, in milliseconds. */
const endingMs = 2000;

const running = new Set<ChildProcess>();
/** How the marks of its programs begin, one for each host. */
const marks = new Set<string>();

function reply(message: HelperReply): void {
  process.stdout.write(encodeLine(message));
}

function start(line: string): void {
  const { id, argv, cwd, env, stdio, files }: HelperRequest = JSON.parse(line);
  const [program = "", ...parameters] = argv;
  const mark = env[markerName];
  if (mark !== undefined) marks.add(mark.slice(0, mark.lastIndexOf(":") + 1));
  let child: ChildProcess;
  try {
    const ends = openProgramEnds(stdio);
    let handed: ProgramEnds = [];
    try {
      handed = handFiles(files);
      child = spawn(program, parameters, {
        cwd,
        env,
        detached: true,
        stdio: [...ends, ...handed],
      });
    } finally {
      closeProgramEnds([...ends, ...handed]);
    }
  } catch (error) {
    refuse(id, error);
    return;
  }
  const { pid } = child;
  child.on("error", (error) => {
    if (pid === undefined) refuse(id, error);
  });
  if (pid === undefined) return;
  running.add(child);
  const ticks = startTicksOf(pid);
  reply({ kind: "started", id, pid, ...(ticks === undefined ? {} : { ticks }) });
  child.on("exit", (code, signal) => {
    running.delete(child);
    reply({ kind: "ended", id, code, signal });
  });
}

function refuse(id: number, error: unknown): void {
  const isCoded = error instanceof Error && "code" in error && typeof error.code === "string";
  reply({ kind: "refused", id, ...(isCoded ? { errno: String(error.code) } : {}) });
}

function end(): void {
  for (const { pid } of running) {
    if (pid !== undefined) sendSignal(-pid, "SIGKILL");
  }
  const giveUpAt = performance.now() + endingMs;
  const look = (): void => {
    const left = [...marks].flatMap((mark) => markedProcesses(mark));
    for (const pid of left) sendSignal(pid, "SIGKILL");
    // Those killed just now may have been starting others.
    if (left.length === 0 || performance.now() > giveUpAt) process.exit();
    setTimeout(look, 5);
  };
  look();
}

// Whoever asked has gone; the end of the input tells so as well.
process.stdout.on("error", () => undefined);
process.stdin.on("error", end);
process.stdin.on("end", end);
process.stdin.setEncoding("utf8").on("data", lineReader(start));
reply({ kind: "ready" });
