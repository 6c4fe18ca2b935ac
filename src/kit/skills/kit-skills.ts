import { ToolError, type CallOptions, type Host, type Skills } from "../../core/index.ts";
import type { Ceiling } from "../../policy/index.ts";
import type { EventBus } from "../../session/index.ts";
import { isWithin, joinPath } from "../../text/index.ts";
import { expandSkill, type FoundSkill, type LoadedSkills } from "../../workspace/index.ts";
import type { RuleBook } from "../rules/rule-book.ts";

export interface KitSkillsParts {
  readonly host: Pick<Host, "fs">;
  readonly workspace: string;
  readonly loaded: LoadedSkills;
  /** Rules and events of the kit, which exist before a skill is used. */
  readonly rules: () => Pick<RuleBook, "ceiling">;
  readonly bus: () => EventBus;
}

export interface KitSkills {
  readonly service: Skills;
  /** Ceilings of the skills that are active in the session or the run of a call. */
  readonly ceilings: (options: CallOptions) => readonly Ceiling[];
}

/** Longest file of a skill that a model reads at once. */
const maxFileBytes = 1_000_000;

interface ActiveSkill {
  readonly name: string;
  readonly sessionId: string | undefined;
  readonly runId: string | undefined;
  readonly ceiling: Ceiling;
}

/** Skills of a kit: lists and reads them, and enforces the limits of those that are active. */
export function kitSkills(parts: KitSkillsParts): KitSkills {
  const { host, workspace, loaded, rules, bus } = parts;
  const usable = loaded.all.filter(
    ({ info, faults, needsTrust }) => faults.length === 0 && !needsTrust && info.isModelInvocable,
  );
  let active: readonly ActiveSkill[] = [];
  let isListening = false;
  const listen = (): void => {
    if (isListening) return;
    isListening = true;
    bus().subscribe((event) => {
      if (event.type !== "run-end") return;
      active = active.filter(({ runId }) => runId !== event.runId);
    });
  };
  const named = async (name: string): Promise<FoundSkill> => {
    const skill = usable.find(({ info }) => info.name === name);
    if (skill === undefined) {
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
      const { info, body } = await named(name);
      const { sessionId, runId } = caller;
      if (info.allowedTools !== undefined) {
        const what = `the skill ${name} (allowed-tools)`;
        listen();
        const ceiling = rules().ceiling(info.allowedTools, what);
        const isKnown = active.some(
          (each) => each.name === name && each.sessionId === sessionId && each.runId === runId,
        );
        if (!isKnown) active = [...active, { name, sessionId, runId, ceiling }];
      }
      const values = { args, directory: info.directory, workspace, sessionId: sessionId ?? "" };
      const text = expandSkill(body, values);
      return { skill: info, text };
    },
  };
  return {
    service,
    ceilings: ({ sessionId, runId }) =>
      active
        .filter((each) => each.runId === runId || each.sessionId === sessionId)
        .map(({ ceiling }) => ceiling),
  };
}

/** A file of a skill, which links cannot lead out of its directory. */
async function fileOf(directory: string, file: string, host: Pick<Host, "fs">): Promise<string> {
  const path = await host.fs.canonical(joinPath(directory, file));
  if (isWithin(directory, path)) return path;
  throw new ToolError("OUTSIDE_WORKSPACE", `${file} is not in the directory of the skill.`, {
    hint: "Name a file below the skill's directory.",
  });
}
