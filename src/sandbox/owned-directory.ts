import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { joinPath } from "../text/index.ts";

/**
 * Makes a directory for as long as this program lives, and takes away those of programs that ended without doing so
 * themselves. Whose it is stands in its name: the program, and the namespace its number counts in.
 */
export async function ownedDirectory(base: string, prefix: string): Promise<string> {
  const space = namespaceOf();
  for (const name of namesIn(base)) {
    if (!name.startsWith(`${prefix}-`)) continue;
    const [owner = "", pid = ""] = name.slice(prefix.length + 1).split("-");
    if (owner !== space || isAlive(Number(pid))) continue;
    await rm(joinPath(base, name), { recursive: true }).catch(() => undefined);
  }
  return await mkdtemp(joinPath(base, `${prefix}-${space ?? "0"}-${process.pid}-`));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function namespaceOf(): string | undefined {
  try {
    return /\d+/u.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of somebody else is alive as well, and what is no number says nothing.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
