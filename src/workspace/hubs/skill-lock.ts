import { ToolError, type Host } from "../../core/index.ts";
import { isNotFound, isRecord } from "../../text/index.ts";

/** A skill of a hub as the lock file records it. */
export interface InstalledSkill {
  /** Name, which is that of its directory. */
  readonly name: string;
  /** Id at its hub. */
  readonly id: string;
  /** Hash of its files: its identity. */
  readonly hash: string;
  /** Version that the hub named. */
  readonly version?: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface SkillLock {
  readonly skills: readonly InstalledSkill[];
  /** Hash of the file as it was read; null if there is none. */
  readonly hash: string | null;
}

/** Lock file, below a workspace or home directory. */
export const skillLockFile = ".haft/skills-lock.json";

/** Directory of skills that hubs install. */
export const installedSkills = ".haft/skills";

const maxBytes = 1_000_000;

/** Reads the skills that hubs installed. Throws INVALID_INPUT if the lock file is not valid. */
export async function readSkillLock(base: string, host: Pick<Host, "fs">): Promise<SkillLock> {
  const path = `${base}/${skillLockFile}`;
  let file: { readonly bytes: Uint8Array; readonly hash: string };
  try {
    file = await host.fs.readFile(await host.fs.canonical(path), { maxBytes });
  } catch (error) {
    if (isNotFound(error)) {
      return { skills: [], hash: null };
    }
    throw error;
  }
  const value = parsed(new TextDecoder().decode(file.bytes));
  const entries = isRecord(value) && value["version"] === 1 ? value["skills"] : undefined;
  const skills = Object.entries(isRecord(entries) ? entries : {}).map(([name, each]) =>
    entryOf(name, each),
  );
  if (!isRecord(entries) || skills.includes(undefined)) {
    throw new ToolError("INVALID_INPUT", `${path} is not a lock file that haft knows.`, {
      hint: "Restore the file, or remove it and add the skills again.",
    });
  }
  return { skills: skills.filter((each) => each !== undefined), hash: file.hash };
}

/** Writes the lock file. Throws STALE_READ if another process changed it meanwhile. */
export async function writeSkillLock(
  base: string,
  { before, skills }: { readonly before: SkillLock; readonly skills: readonly InstalledSkill[] },
  host: Pick<Host, "fs">,
): Promise<void> {
  const entries = Object.fromEntries(
    skills
      .toSorted((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, ...rest }) => [name, rest]),
  );
  const text = `${JSON.stringify({ version: 1, skills: entries }, undefined, 2)}\n`;
  await host.fs.mkdir(`${base}/.haft`);
  await host.fs.writeAtomic(`${base}/${skillLockFile}`, new TextEncoder().encode(text), {
    ifMatch: before.hash,
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function entryOf(name: string, entry: unknown): InstalledSkill | undefined {
  if (!isRecord(entry) || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(name)) return undefined;
  const { id, hash, version, at } = entry;
  if (typeof id !== "string" || typeof hash !== "string" || typeof at !== "number")
    return undefined;
  if (!/^sha256:[0-9a-f]{64}$/u.test(hash)) return undefined;
  return { name, id, hash, at, ...(typeof version === "string" ? { version } : {}) };
}
