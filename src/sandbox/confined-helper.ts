/**
 * The process of a confined launcher: `confined-helper`, told over its channel. It confines itself first and then
 * starts what it is asked for. It talks over the channel alone, a socket nobody can open a second time.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { confine } from "./confine.ts";
import type { HelperOrder, HelperReply } from "./confined-launcher.ts";

const [file = ""] = process.argv.slice(2);
await confine(readFileSync(file, "utf8"));
process.on("message", (order: HelperOrder) => start(order));
process.on("disconnect", () => process.exit());
tell({ kind: "ready" });

function start({ id, argv, cwd, env, input, timeoutMs }: HelperOrder): void {
  const [program = "", ...parameters] = argv;
  const child = spawn(program, parameters, {
    cwd,
    env,
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  child.stdin?.on("error", () => undefined).end(input);
  child.stdout?.on("data", (bytes: Buffer) =>
    tell({ kind: "output", id, stream: "stdout", bytes }),
  );
  child.stderr?.on("data", (bytes: Buffer) =>
    tell({ kind: "output", id, stream: "stderr", bytes }),
  );
  let isTold = false;
  const end = (code: number | null, signal: string | null) => {
    if (!isTold) tell({ kind: "ended", id, code, signal });
    isTold = true;
  };
  child.on("error", (error) => {
    tell({ kind: "output", id, stream: "stderr", bytes: Buffer.from(error.message) });
    end(null, null);
  });
  child.on("exit", (code, signal) => {
    // What was left behind may hold the output open for long.
    const drained = setTimeout(() => end(code, signal), 250);
    child.on("close", () => {
      clearTimeout(drained);
      end(code, signal);
    });
  });
}

function tell(reply: HelperReply): void {
  process.send?.(reply);
}
