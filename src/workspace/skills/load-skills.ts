import { ToolError, type Host, type SkillInfo } from "../../core/index.ts";
import { baseName, inBatches, joinPath, parentPath } from "../../text/index.ts";
import {
  listDocuments,
  listLinkedDocuments,
  type FoundDocument,
} from "../documents/list-documents.ts";
import { installedSkills, readSkillLock } from "../hubs/skill-lock.ts";
import type { LoadedPlugins, Plugin } from "../plugins/plugin.ts";
import { hashFiles, trustName } from "../trust/hash-files.ts";
import type { TrustOptions } from "../trust/record.ts";
import {
  filesOfRecord,
  isTrustedContent,
  isTrustRevoked,
  type OpenedTrust,
  type TrustedFiles,
} from "../trust/trusted-files.ts";
import { skillDirectories } from "./skill-directories.ts";
import { readSkill, type SkillFile, type SkillProblem } from "./read-skill.ts";
import { withPluginRoot } from "../plugins/plugin-root.ts";

/** A skill as it was found. */
export interface FoundSkill {
  readonly info: SkillInfo;
  /** Canonical path of SKILL.md. */
  readonly file: string;
  /** Directory by which it was found; differs from that of `info` where a link leads there. */
  readonly foundAt: string;
  readonly body: string;
  /** Hash of SKILL.md; undefined if it cannot be read. */
  readonly hash: string | undefined;
  readonly isUserInvocable: boolean;
  /** Reasons for which it cannot be used. */
  readonly faults: readonly SkillProblem[];
  readonly notes: readonly SkillProblem[];
  /** Its workspace is not trusted, so that a model does not see it. */
  readonly needsTrust: boolean;
  /** Plugin that brings it. */
  readonly plugin?: Pick<Plugin, "name" | "root" | "verify">;
}

export interface LoadedSkills {
  /** Every skill, the one that a name means first among those with the same name. */
  readonly all: readonly FoundSkill[];
  /** Rejects with PERMISSION_DENIED if a skill of the workspace changed after it was trusted. */
  readonly verify: (skill: FoundSkill) => Promise<void>;
  /** Links and directories of skills that were not read. */
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

export interface LoadSkillsOptions extends TrustOptions, OpenedTrust {
  readonly home: string;
  readonly plugins?: LoadedPlugins | undefined;
}

/** Longest SKILL.md: instructions that a model reads as a whole. */
export const maxSkillBytes = 262_144;

/** Finds the skills of the workspace and of the user. One that cannot be read is listed with the reason. */
export async function findSkills(options: LoadSkillsOptions): Promise<LoadedSkills> {
  const { host, workspace, home } = options;
  const all: FoundSkill[] = [];
  const unread: { path: string; message: string }[] = [];
  for (const scope of ["workspace", "user"] as const) {
    for (const name of skillDirectories) {
      const root = `${scope === "workspace" ? workspace : home}/${name}`;
      if (scope === "user" && home === workspace) continue;
      // Directories of skills are often links to one place for several programs.
      const { files, problems } = await listLinkedDocuments(root, isSkillFile, host);
      unread.push(...problems);
      for (const skill of await openSkills(files, { root, scope }, host)) {
        // The text that was read must be the one that was trusted, whatever the file holds when it is used.
        const isUntrusted =
          scope === "workspace" && !(await isTrustedContent(options, skill.file, skill.hash));
        all.push(withDuplicate(skill, isUntrusted, all));
      }
    }
  }
  all.push(...(await skillsOfPlugins(options)));
  const expected = await pinnedFiles(all, options);
  return {
    all,
    problems: unread,
    async verify({ info, plugin, foundAt }) {
      if (plugin !== undefined) {
        await plugin.verify();
        return;
      }
      await verifyInstalled({ name: info.name, foundAt }, options);
      if (info.scope !== "workspace") return;
      if (await isTrustRevoked(options, options)) {
        throw new ToolError(
          "PERMISSION_DENIED",
          `The skill ${info.name} was not used: the workspace is not trusted any more.`,
          { hint: "The user can trust it again with haft trust add." },
        );
      }
      const changed = await expected.findChange([trustName(workspace, info.directory)]);
      if (changed === undefined) return;
      throw new ToolError(
        "PERMISSION_DENIED",
        `The skill ${info.name} was not used: ${changed} changed after the workspace was trusted.`,
        { hint: "The user can look at it and trust it again with haft trust add." },
      );
    },
  };
}

/** Skills of plugins: the plugin's name is part of theirs, so that they take no other name. */
async function skillsOfPlugins({
  plugins,
  host,
}: LoadSkillsOptions): Promise<readonly FoundSkill[]> {
  const found: FoundSkill[] = [];
  for (const plugin of plugins?.all ?? []) {
    const { name, root, verify, scope, needsTrust } = plugin;
    for (const directory of plugin.skills) {
      const { files } = await listDocuments(directory, isSkillFile, host);
      for (const skill of await openSkills(files, { root: directory, scope }, host)) {
        const placed = (text: string): string => withPluginRoot(text, root);
        const { allowedTools } = skill.info;
        const info = {
          ...skill.info,
          name: `${name}:${skill.info.name}`,
          ...(allowedTools === undefined ? {} : { allowedTools: allowedTools.map(placed) }),
        };
        const body = placed(skill.body);
        found.push({ ...skill, info, body, needsTrust, plugin: { name, root, verify } });
      }
    }
  }
  return found;
}

function isSkillFile(name: string): boolean {
  return /(?:^|\/)SKILL\.md$/u.test(name);
}

/** A skill from a hub is pinned: its files must be those that were installed. */
async function verifyInstalled(
  { name, foundAt: directory }: Pick<FoundSkill, "foundAt"> & Pick<SkillInfo, "name">,
  { host, workspace, home }: LoadSkillsOptions,
): Promise<void> {
  const base = [workspace, home].find((each) => directory === `${each}/${installedSkills}/${name}`);
  if (base === undefined) return;
  const entry = (await readSkillLock(base, host)).skills.find((each) => each.name === name);
  if (entry === undefined) return;
  const { readPackage } = await import("../packages/package.ts");
  const { hash } = await readPackage(directory, host).catch(() => ({ hash: "" }));
  if (hash === entry.hash) return;
  throw new ToolError("PERMISSION_DENIED", `The skill ${name} changed after it was installed.`, {
    hint: "haft skills update installs it again.",
  });
}

/** Reads skills side by side, in the order of their files. */
async function openSkills(
  files: readonly FoundDocument[],
  { root, scope }: { readonly root: string; readonly scope: SkillInfo["scope"] },
  host: Pick<Host, "fs">,
): Promise<readonly Omit<FoundSkill, "needsTrust">[]> {
  return await inBatches(files, async ({ path, name }) => {
    const foundAt = parentPath(joinPath(root, name));
    return await openSkill(path, { scope, foundAt }, host);
  });
}

/** Reads one skill from its SKILL.md. */
export async function openSkill(
  file: string,
  {
    scope,
    foundAt = parentPath(file),
  }: { readonly scope: SkillInfo["scope"]; readonly foundAt?: string },
  host: Pick<Host, "fs">,
): Promise<Omit<FoundSkill, "needsTrust">> {
  const directory = parentPath(file);
  const directoryName = baseName(foundAt);
  let read: SkillFile;
  let hash: string | undefined;
  try {
    const found = await host.fs.readFile(file, { maxBytes: maxSkillBytes });
    ({ hash } = found);
    read = await readSkill(new TextDecoder().decode(found.bytes), directoryName);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    read = { ...(await readSkill("", directoryName)), faults: [{ message }] };
  }
  const { name, description, argumentHint, isModelInvocable } = read;
  // The limit names the skill's own scripts as its text does.
  const allowedTools = read.allowedTools?.map((rule) =>
    rule.replaceAll("${CLAUDE_SKILL_DIR}", () => directory),
  );
  const { fork, model, hooks } = read;
  const { body, isUserInvocable, faults, notes } = read;
  const info: SkillInfo = {
    name,
    description,
    directory,
    scope,
    isModelInvocable,
    ...(argumentHint === undefined ? {} : { argumentHint }),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(fork === undefined ? {} : { fork }),
    ...(model === undefined ? {} : { model }),
    ...(hooks === undefined ? {} : { hooks }),
  };
  return { info, file, foundAt, body, hash, isUserInvocable, faults, notes };
}

/** A skill whose name is taken cannot be used, and says by which one. */
function withDuplicate(
  skill: Omit<FoundSkill, "needsTrust">,
  needsTrust: boolean,
  before: readonly FoundSkill[],
): FoundSkill {
  const first = before.find(
    ({ info, needsTrust: isHidden }) => info.name === skill.info.name && isHidden === needsTrust,
  );
  if (first === undefined) return { ...skill, needsTrust };
  const message = `The name ${skill.info.name} is taken by ${first.file}, which is used instead.`;
  return { ...skill, needsTrust, faults: [...skill.faults, { message }] };
}

/** Files of the workspace's skills: as recorded with its trust, else as they are now. */
async function pinnedFiles(
  all: readonly FoundSkill[],
  options: LoadSkillsOptions,
): Promise<TrustedFiles> {
  const names = all.flatMap(({ info, needsTrust, plugin }) =>
    needsTrust || plugin !== undefined || info.scope !== "workspace"
      ? []
      : [trustName(options.workspace, info.directory)],
  );
  if (names.length === 0) return filesOfRecord(undefined, options);
  const { recorded } = options;
  if (recorded?.record !== undefined) return recorded;
  return filesOfRecord({ files: await hashFiles(names, options), at: 0 }, options);
}
