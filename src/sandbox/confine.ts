/**
 * Confines the calling thread, and so every process it starts from then on: for a process whose only work is starting
 * others. It cannot be undone. Other threads stay unconfined, including the pool for file calls, so such a process must
 * do nothing but start commands.
 */
import { closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { stat } from "node:fs/promises";
import { arch } from "node:process";
import { ToolError } from "../core/index.ts";
import { systemCalls, type SystemCalls } from "./seccomp/system-calls.ts";
import type { LandlockProgram } from "./drivers/landlock-program.ts";
import type { ExistingPath } from "./policy/policy.ts";

/** O_PATH and O_CLOEXEC: a handle on a path that cannot read or write. */
const openPath = 0o10000000 | 0o2000000;

const createRuleset = 444;
const addRule = 445;
const restrictSelf = 446;
const numbers: Readonly<Record<string, { seccomp: number; capset: number }>> = {
  x64: { seccomp: 317, capset: 126 },
  arm64: { seccomp: 277, capset: 91 },
};

const setDumpable = 4;
const dropBounding = 24;
const noNewPrivileges = 38;

const bits = (...positions: readonly number[]) => positions.reduce((sum, at) => sum | (1 << at), 0);
const readFile = bits(2);
const writeFile = bits(1);
/** Creating devices is excluded on purpose: no program may do that. */
const changeTree = bits(1, 4, 5, 7, 8, 9, 10, 12);
const handledWrites = bits(1, 4, 5, 6, 7, 8, 9, 10, 11, 12);
const refer = bits(13);
const truncate = bits(14);
const deviceControl = bits(15);

/** Returns the Landlock version of this kernel, 0 if it has none. */
export async function landlockVersion(): Promise<number> {
  const calls = await systemCalls();
  return Math.max(0, calls.call(createRuleset, [null, 0, 1]));
}

/**
 * Applies a `LandlockProgram`, given as JSON. Rejects with UNAVAILABLE if any part fails: partial confinement would not
 * be enough.
 */
export async function confine(data: string): Promise<void> {
  const program: LandlockProgram = JSON.parse(data);
  const calls = await systemCalls();
  const own = numbers[arch];
  if (own === undefined) throw refused("this processor");
  // The threads of the pool start with the first file call; those that start later would be confined.
  await stat("/");

  const version = calls.call(createRuleset, [null, 0, 1]);
  if (version < 1) throw refused("Landlock", calls);
  for (let capability = 0; capability < 64; capability += 1) calls.prctl(dropBounding, capability);
  if (calls.prctl(setDumpable, 0) !== 0) throw refused("PR_SET_DUMPABLE", calls);
  if (calls.prctl(noNewPrivileges, 1) !== 0) throw refused("PR_SET_NO_NEW_PRIVS", calls);
  restrict(program, version, calls);
  dropCapabilities(own.capset, calls);
  if (calls.installFilter(own.seccomp, Buffer.from(program.filter, "base64")) !== 0) {
    throw refused("seccomp", calls);
  }
}

function restrict(program: LandlockProgram, version: number, calls: SystemCalls): void {
  const handled =
    handledWrites |
    (program.readable === undefined ? 0 : readFile) |
    (version >= 2 ? refer : 0) |
    (version >= 3 ? truncate : 0) |
    (version >= 5 ? deviceControl : 0);
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(BigInt(handled), 0);
  attributes.writeBigUInt64LE(version >= 4 && program.isOffline ? 3n : 0n, 8);
  attributes.writeBigUInt64LE(version >= 6 ? 3n : 0n, 16);
  const size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  const ruleset = calls.call(createRuleset, [attributes, size, 0]);
  if (ruleset < 0) throw refused("landlock_create_ruleset", calls);
  const allow = ({ path, kind }: ExistingPath, rights: number) => {
    const at = openInPlace(path, kind);
    if (at === undefined) return;
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(BigInt(rights & handled), 0);
    rule.writeInt32LE(at, 8);
    const result = calls.call(addRule, [ruleset, 1, rule, 0]);
    closeSync(at);
    if (result !== 0) throw refused(`landlock_add_rule for ${path}`, calls);
  };
  for (const each of program.readable ?? []) allow(each, readFile);
  for (const each of program.writable) {
    const tree = changeTree | refer | truncate;
    allow(each, each.kind === "directory" ? tree : writeFile | truncate | deviceControl);
  }
  if (calls.call(restrictSelf, [ruleset, 0]) !== 0) {
    throw refused("landlock_restrict_self", calls);
  }
  closeSync(ruleset);
}

/**
 * Opens a path for a rule. One that was removed in the meantime needs no permission; a path of another kind, or a
 * link's target, gets none.
 */
function openInPlace(path: string, kind: ExistingPath["kind"]): number | undefined {
  let at: number;
  try {
    at = openSync(path, openPath | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  const found = fstatSync(at);
  const isSame = found.isDirectory() === (kind === "directory") && !found.isSymbolicLink();
  if (isSame && readlinkSync(`/proc/self/fd/${at}`) === path) return at;
  closeSync(at);
  return undefined;
}

/** Drops the capabilities of this thread; without bounding set and privileges, no program it starts regains any. */
function dropCapabilities(number: number, calls: SystemCalls): void {
  const header = Buffer.alloc(8);
  header.writeUInt32LE(0x20080522, 0);
  if (calls.call(number, [header, Buffer.alloc(24)]) !== 0) {
    throw refused("capset", calls);
  }
}

function refused(what: string, calls?: SystemCalls): ToolError {
  const errno = calls === undefined ? "" : ` (errno ${calls.errno()})`;
  return new ToolError("UNAVAILABLE", `This process cannot confine itself: ${what}${errno}.`, {
    hint: "Use bubblewrap, or run without a sandbox.",
  });
}
