import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** Whether some process of this machine sleeps for just so long. */
export function isSleeping(seconds: string): boolean {
  return readdirSync("/proc").some((name) => {
    if (!/^\d+$/u.test(name) || !isAlive(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "latin1") === `sleep\0${seconds}\0`;
    } catch {
      return false;
    }
  });
}

/** The arguments of each process of this machine that has a text in them. */
export function argumentsNaming(text: string): readonly string[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  return stdout.split("\n").filter((line) => line.includes(text));
}

/** A zombie that nobody has reaped yet has ended. */
export function isAlive(pid: unknown): boolean {
  try {
    return !/\) [ZX] /u.test(readFileSync(`/proc/${String(pid)}/stat`, "latin1"));
  } catch {
    return false;
  }
}
