import type { Host } from "../../core/index.ts";
import { skillDirectories } from "./skill-directories.ts";
import type { SkillContent } from "./skill-files.ts";
import type { FoundSkill, LoadedSkills, LoadSkillsOptions } from "./load-skills.ts";

/** Finds the skills, with the reader loaded with the first one; undefined where there is no directory of skills. */
export async function loadSkills(options: LoadSkillsOptions): Promise<LoadedSkills | undefined> {
  const { host, workspace, home } = options;
  const roots = [workspace, home].flatMap((base) =>
    skillDirectories.map((name) => `${base}/${name}`),
  );
  const kinds = await Promise.all(
    // The directory, or one on the way, may be a link.
    roots.map(async (root) => {
      const canonical = await host.fs.canonical(root).catch(() => root);
      return (await host.fs.stat(canonical).catch(() => undefined))?.kind;
    }),
  );
  const isNone = kinds.every((kind) => kind === undefined);
  if (isNone && !options.plugins?.all.some(({ skills }) => skills.length > 0)) return undefined;
  const { findSkills } = await import("./load-skills.ts");
  const loaded = await findSkills(options);
  return loaded.all.length + loaded.problems.length === 0 ? undefined : loaded;
}

/** Reads the skill whose SKILL.md is at this path, wherever it is. */
export async function readSkillAt(file: string, host: Pick<Host, "fs">): Promise<FoundSkill> {
  const { openSkill } = await import("./load-skills.ts");
  return { ...(await openSkill(file, { scope: "workspace" }, host)), needsTrust: false };
}

/** Reads every file of a skill that is handed out whole. */
export async function readSkillFiles(
  directory: string,
  host: Pick<Host, "fs">,
): Promise<readonly SkillContent[]> {
  return await (await import("./skill-files.ts")).readSkillFiles(directory, host);
}

/** Fields at the beginning of SKILL.md; undefined if they cannot be read. */
export async function skillFields(
  text: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  return await (await import("./skill-files.ts")).skillFields(text);
}
