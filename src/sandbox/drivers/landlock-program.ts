import { readdir } from "node:fs/promises";
import { isWithin, joinPath } from "../../text/index.ts";
import { kindAt } from "../policy/existing-path.ts";
import type { ExistingPath, SandboxPolicy } from "../policy/policy.ts";
import { seccompProgram } from "../seccomp/seccomp-program.ts";

/** Data with which a process confines itself. JSON-compatible, without code. */
export interface LandlockProgram {
  readonly writable: readonly ExistingPath[];
  /** Trees and files that can be read; absent if all can. */
  readonly readable?: readonly ExistingPath[];
  readonly isOffline: boolean;
  /** System call filter in base64. */
  readonly filter: string;
}

/** Devices without state, which programs take for granted. */
const devices = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/** Translates a policy to Landlock, which can only grant permissions: hiding a path means naming everything else. */
export async function landlockProgram(policy: SandboxPolicy): Promise<LandlockProgram> {
  const isOffline = policy.network.kind !== "open";
  const opened = [...policy.granted, ...devices.map((path) => ({ path, kind: "file" as const }))];
  const writable = [...policy.writable.filter((tree) => !isProtected(tree, policy)), ...opened];
  const filter = seccompProgram({
    sockets: isOffline ? "none" : "internet",
    sharesProcesses: true,
  });
  const base = { writable, isOffline, filter: Buffer.from(filter).toString("base64") };
  const hidden = outsideWritable(policy);
  if (hidden.length === 0 && policy.readable.includes("/")) return base;
  const trees = await Promise.all(policy.readable.map((path) => around(path, hidden)));
  return {
    ...base,
    readable: [...trees.flat(), ...policy.revealed, ...policy.writable, ...opened],
  };
}

/** Whether a whole tree is protected: unlike a part of one, it can simply be left out of what is writable. */
function isProtected(tree: ExistingPath, { protected: kept }: SandboxPolicy): boolean {
  return kept.some(({ path }) => isWithin(path, tree.path));
}

/** Returns secrets that can be hidden: a writable path is always readable. */
export function outsideWritable({ hidden, writable }: SandboxPolicy): readonly ExistingPath[] {
  return hidden.filter(({ path }) => !writable.some((root) => isWithin(root.path, path)));
}

/** Splits a tree into the parts that remain without the hidden paths. */
async function around(
  path: string,
  hidden: readonly ExistingPath[],
): Promise<readonly ExistingPath[]> {
  if (hidden.some((secret) => isWithin(secret.path, path))) return [];
  const kind = kindAt(path);
  if (kind === undefined || kind === "link") return [];
  if (kind !== "directory") return [{ path, kind: "file" }];
  const inside = hidden.filter((secret) => isWithin(path, secret.path));
  if (inside.length === 0) return [{ path, kind }];
  const names = await readdir(path).catch((): string[] => []);
  const parts = await Promise.all(names.map((name) => around(joinPath(path, name), inside)));
  return parts.flat();
}
