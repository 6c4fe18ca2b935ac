import { ToolError, type Host, type SkillCaller, type Skills } from "../../core/index.ts";
import { isWithin, joinPath } from "../../text/index.ts";
import {
  expandSkill,
  notUsable,
  type FoundSkill,
  type LoadedSkills,
} from "../../workspace/index.ts";
import { requireAddedHooks } from "../hooks/require-added-hooks.ts";
import type { OpenedHooks } from "../hooks/open-hooks.ts";
import type { ActiveCeilings } from "./active-ceilings.ts";

export interface KitSkillsParts {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  readonly loaded: LoadedSkills;
  readonly ceilings: ActiveCeilings;
  /** Hooks of the kit, which exist before a skill is used. */
  readonly hooks: () => Pick<OpenedHooks, "added"> | undefined;
}

/** Longest file of a skill that a model reads at once. */
const maxFileBytes = 1_000_000;

/** Skills of a kit: lists and reads them, and enforces the limits of those that are active. */
export function kitSkills(parts: KitSkillsParts): Skills {
  const { host, workspace, loaded } = parts;
  const usable = loaded.all.filter(
    ({ info, faults, needsTrust }) => faults.length === 0 && !needsTrust && info.isModelInvocable,
  );
  const named = async (name: string): Promise<FoundSkill> => {
    const skill = usable.find(({ info }) => info.name === name);
    if (skill === undefined) {
      const unusable = loaded.all.find(({ info, needsTrust }) => info.name === name && !needsTrust);
      const [fault] = unusable?.faults ?? [];
      if (unusable !== undefined && fault !== undefined)
        throw notUsable(`The skill ${JSON.stringify(name)}`, { file: unusable.file, ...fault });
      const names = usable.map(({ info }) => info.name);
      throw new ToolError("NOT_FOUND", `There is no skill ${JSON.stringify(name)}.`, {
        hint: names.length === 0 ? "No skill can be used." : `The skills are ${names.join(", ")}.`,
      });
    }
    await loaded.verify(skill);
    return skill;
  };
  const service: Skills = {
    list: () => usable.map(({ info }) => info),
    async read(name, file) {
      const { info, file: main } = await named(name);
      const path = file === undefined ? main : await fileOf(info.directory, file, host);
      const { bytes } = await host.fs.readFile(path, { maxBytes: maxFileBytes });
      return new TextDecoder().decode(bytes);
    },
    async use(name, args, caller) {
      const skill = await named(name);
      const { info, body } = skill;
      if (info.fork === undefined) await activateSkill(skill, caller, parts);
      const values = {
        args,
        directory: info.directory,
        workspace,
        sessionId: caller.sessionId ?? "",
      };
      const text = expandSkill(body, values);
      return { skill: info, text };
    },
  };
  return service;
}

/** Lets the limits and the hooks of a skill count for its caller until the run has ended. */
async function activateSkill(
  { info, file, plugin }: FoundSkill,
  caller: SkillCaller,
  { ceilings, hooks }: Pick<KitSkillsParts, "ceilings" | "hooks">,
): Promise<void> {
  const { name, directory, allowedTools, hooks: value } = info;
  // First, because it may fail: without its hooks, the skill is not used.
  if (value !== undefined)
    await requireAddedHooks(hooks()).skill({ directory, value, file, plugin }, caller);
  if (allowedTools !== undefined) ceilings.activate(`the skill ${name}`, allowedTools, caller);
}

/** A file of a skill, which links cannot lead out of its directory. */
async function fileOf(directory: string, file: string, host: Pick<Host, "fs">): Promise<string> {
  const path = await host.fs.canonical(joinPath(directory, file));
  if (isWithin(directory, path)) return path;
  throw new ToolError("OUTSIDE_WORKSPACE", `${file} is not in the directory of the skill.`, {
    hint: "Name a file below the skill's directory.",
  });
}
