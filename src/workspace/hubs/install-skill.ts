import { ToolError, type Host } from "../../core/index.ts";
import { isNotFound } from "../../text/index.ts";
import { readDocument } from "../documents/read-document.ts";
import {
  invalidPackage,
  readPackage,
  textIn,
  writePackage,
  type Package,
} from "../packages/package.ts";
import {
  hiddenTexts,
  reviewFiles,
  scriptsOf,
  type HiddenText,
  type PackageProgram,
  type ReviewedFile,
} from "../packages/review-package.ts";
import type { PackagePart } from "../plugins/plugin-contents.ts";
import { readSkill } from "../skills/read-skill.ts";
import type { HubPackage } from "./hub.ts";
import {
  installedSkills,
  readSkillLock,
  writeSkillLock,
  type InstalledSkill,
  type SkillLock,
} from "./skill-lock.ts";

/** A problem of a skill that is not installed. */
export interface ReviewedSkillProblem {
  /** `error`: the skill would not be used; `warning`: a part has no effect. */
  readonly severity: "error" | "warning";
  /** Problem, in one sentence. */
  readonly message: string;
  /** Path below the skill's directory. */
  readonly file?: string;
  /** Line, from 1. */
  readonly line?: number;
}

/** A skill as its hub delivers it, compared with the installed version. */
export interface ReviewedSkill {
  readonly id: string;
  readonly name: string;
  readonly version?: string;
  readonly description: string;
  readonly hash: string;
  readonly installedHash?: string;
  readonly files: readonly ReviewedFile[];
  readonly hidden: readonly HiddenText[];
  readonly parts: readonly PackagePart[];
  readonly programs: readonly (PackageProgram & { readonly isNew: boolean })[];
  readonly problems: readonly ReviewedSkillProblem[];
  /** Installs exactly these files; resolves to their directory. */
  readonly install: () => Promise<string>;
}

export interface SkillPlace {
  readonly host: Pick<Host, "fs" | "clock">;
  /** Workspace or home directory below which the skill is installed. */
  readonly base: string;
  readonly newId: () => string;
}

/** Compares a downloaded skill with the installed version. Installs and runs nothing. */
export async function reviewSkill(
  id: string,
  { package: found, version, warnings }: HubPackage,
  place: SkillPlace,
): Promise<ReviewedSkill> {
  const text = textIn(found, "SKILL.md");
  if (text === undefined) throw invalidPackage("The download has no SKILL.md.");
  const name: unknown = (await readDocument(text)).fields["name"];
  const { info, problems } = await described(text, typeof name === "string" ? name : "");
  if (problems.some(({ message }) => message.startsWith("The name ")) || info.name === "") {
    throw invalidPackage(`The skill has no valid name. ${problems[0]?.message ?? ""}`);
  }
  const lock = await readSkillLock(place.base, place.host);
  const entry = lock.skills.find((each) => each.name === info.name);
  const before = await readPackage(directoryOf(info.name, place), place.host).catch(absent);
  const old = before === undefined ? [] : scriptsOf(before);
  const changed = entry !== undefined && before?.hash !== entry.hash;
  const local = "The installed files were changed or removed here; the changes are lost.";
  const tools = info.allowedTools;
  return {
    id,
    name: info.name,
    ...(version === undefined ? {} : { version }),
    description: info.description,
    hash: found.hash,
    ...(entry === undefined || before === undefined ? {} : { installedHash: before.hash }),
    files: reviewFiles(found, before),
    hidden: hiddenTexts(found),
    parts: [{ kind: "skill", name: info.name, ...(tools && { tools }) }],
    programs: scriptsOf(found).map((script) => ({
      ...script,
      isNew: !old.some((each) => each.name === script.name && each.command === script.command),
    })),
    problems: [
      ...[...warnings, ...(changed ? [local] : [])].map((message) => ({
        severity: "warning" as const,
        message,
      })),
      ...problems,
    ],
    install: async () =>
      await install({ id, name: info.name, version, found, lock, before }, place),
  };
}

async function described(text: string, directory: string) {
  const { faults, notes, ...info } = await readSkill(text, directory);
  const file = "SKILL.md";
  const problems: readonly ReviewedSkillProblem[] = [
    ...faults.map((fault) => ({ severity: "error" as const, file, ...fault })),
    ...notes.map((note) => ({ severity: "warning" as const, file, ...note })),
  ];
  return { info, problems };
}

function directoryOf(name: string, { base }: Pick<SkillPlace, "base">): string {
  return `${base}/${installedSkills}/${name}`;
}

function absent(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

interface Installing {
  readonly id: string;
  readonly name: string;
  readonly version: string | undefined;
  readonly found: Package;
  readonly lock: SkillLock;
  readonly before: Package | undefined;
}

/** Writes the files next to the installed ones, then takes their place. */
async function install(
  { id, name, version, found, lock, before }: Installing,
  place: SkillPlace,
): Promise<string> {
  const { host, base, newId } = place;
  const directory = directoryOf(name, place);
  const others = lock.skills.filter((each) => each.name !== name);
  if (before !== undefined && others.length === lock.skills.length) {
    throw new ToolError("ALREADY_EXISTS", `${directory} was not installed from a hub.`, {
      hint: "Remove or rename it first.",
    });
  }
  const present = await readPackage(directory, host).catch(absent);
  if (present?.hash !== before?.hash) {
    throw new ToolError("STALE_READ", `${directory} changed after it was reviewed.`, {
      hint: "Review it again.",
    });
  }
  const draft = `${base}/.haft/.skill-${newId()}`;
  const replaced = `${base}/.haft/.skill-${newId()}`;
  await host.fs.mkdir(`${base}/${installedSkills}`);
  await writePackage(found, draft, { host, token: newId() });
  if (before !== undefined) await host.fs.move(directory, replaced);
  await host.fs.move(draft, directory);
  await host.fs.remove(replaced, { recursive: true }).catch(() => undefined);
  const entry: InstalledSkill = {
    name,
    id,
    hash: found.hash,
    at: host.clock.now(),
    ...(version === undefined ? {} : { version }),
  };
  await writeSkillLock(base, { before: lock, skills: [...others, entry] }, host);
  return directory;
}

/** Removes a skill that a hub installed. Throws NOT_FOUND for any other. */
export async function removeSkill(
  name: string,
  place: Pick<SkillPlace, "base" | "host">,
): Promise<void> {
  const lock = await readSkillLock(place.base, place.host);
  const skills = lock.skills.filter((each) => each.name !== name);
  if (skills.length === lock.skills.length) {
    throw new ToolError(
      "NOT_FOUND",
      `No skill ${JSON.stringify(name.slice(0, 64))} from a hub is installed.`,
      {
        hint: "haft skills lists the skills; remove the directory of one that no hub installed.",
      },
    );
  }
  await place.host.fs.remove(directoryOf(name, place), { recursive: true }).catch(absent);
  await writeSkillLock(place.base, { before: lock, skills }, place.host);
}
