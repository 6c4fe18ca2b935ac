import { fork } from "node:child_process";
import { ToolError } from "../core/index.ts";
import { nothingInherited } from "./inherited-descriptors.ts";
import { privateFiles } from "./private-files.ts";
import { programFile } from "./program-file.ts";
import type { RunConfined, RunResult } from "./run-confined.ts";
import type { Sandbox } from "./sandbox.ts";

/** What the helper is asked for. */
export interface HelperOrder {
  readonly id: number;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input: string | undefined;
  readonly timeoutMs: number | undefined;
}

export type HelperReply =
  | { readonly kind: "ready" }
  | {
      readonly kind: "output";
      readonly id: number;
      readonly stream: "stdout" | "stderr";
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: "ended";
      readonly id: number;
      readonly code: number | null;
      readonly signal: string | null;
    };

export interface ConfinedLauncher {
  /** Runs what `helper.plain` gives; the process that runs it is confined already. */
  readonly run: RunConfined;
  readonly pid: number | undefined;
  dispose(): Promise<void>;
}

interface Waiting {
  readonly output: Record<"stdout" | "stderr", Uint8Array[]>;
  readonly finish: (result: RunResult) => void;
}

/** Starts the process that confines itself for a policy and stays: the cheap form where a driver has a helper. */
export async function confinedLauncher({ helper, policy }: Sandbox): Promise<ConfinedLauncher> {
  if (helper === undefined) throw new TypeError("This sandbox has no helper.");
  const files = await privateFiles(policy);
  const data = await files.keep("program", helper.data);
  const others = nothingInherited(4);
  const child = fork(programFile("confined-helper"), [data], {
    cwd: "/",
    env: helper.env,
    execArgv: ["--max-old-space-size=64"],
    stdio: ["ignore", "ignore", "pipe", "ipc", ...others.stdio],
    serialization: "advanced",
    detached: true,
  });
  others.close();
  const waiting = new Map<number, Waiting>();
  const complaint: Buffer[] = [];
  let count = 0;
  child.stderr?.on("data", (chunk: Buffer) => complaint.push(chunk));

  const gone = new Promise<void>((done) => {
    child.once("error", () => done());
    child.once("exit", () => done());
  });
  const ready = new Promise<void>((done) => {
    child.on("message", (reply: HelperReply) => {
      switch (reply.kind) {
        case "ready":
          done();
          return;
        case "output":
          waiting.get(reply.id)?.output[reply.stream].push(reply.bytes);
          return;
        case "ended":
          settle(waiting, reply);
      }
    });
  });
  const isReady = await Promise.race([ready.then(() => true), gone.then(() => false)]);
  await files.dispose();
  if (!isReady) {
    throw new ToolError("UNAVAILABLE", "The confined helper did not start.", {
      hint: Buffer.concat(complaint).toString("utf8").trim().slice(-300),
    });
  }
  child.once("exit", () => {
    for (const id of waiting.keys()) settle(waiting, { id, code: null, signal: "SIGKILL" });
  });

  return {
    pid: child.pid,
    run: ({ argv, cwd, env }, { input, timeoutMs } = {}) => {
      count += 1;
      const order: HelperOrder = { id: count, argv, cwd, env, input, timeoutMs };
      return new Promise((finish) => {
        waiting.set(order.id, { output: { stdout: [], stderr: [] }, finish });
        child.send(order, (error) => {
          if (error !== null) settle(waiting, { id: order.id, code: null, signal: null });
        });
      });
    },
    dispose: async () => {
      if (child.connected) child.disconnect();
      await gone;
    },
  };
}

function settle(
  waiting: Map<number, Waiting>,
  { id, code, signal }: { id: number; code: number | null; signal: string | null },
): void {
  const one = waiting.get(id);
  waiting.delete(id);
  if (one === undefined) return;
  const { stdout, stderr } = one.output;
  one.finish({ code, signal, stdout: textOf(stdout), stderr: textOf(stderr) });
}

function textOf(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
