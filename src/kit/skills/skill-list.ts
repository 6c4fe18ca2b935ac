import type { Host } from "../../core/index.ts";
import { joinPath } from "../../text/index.ts";
import { readSkillAt, type FoundSkill, type LoadedSkills } from "../../workspace/index.ts";

/** A problem of a skill, with its line in SKILL.md. */
export interface SkillFault {
  readonly message: string;
  readonly line?: number;
}

/** A skill, as listed for users. */
export interface SkillListing {
  readonly name: string;
  readonly description: string;
  /** Path of SKILL.md. */
  readonly file: string;
  readonly scope: "workspace" | "user";
  readonly allowedTools?: readonly string[];
  readonly isModelInvocable: boolean;
  readonly isUserInvocable: boolean;
  /** Its workspace is not trusted, so that models do not see it. */
  readonly needsTrust: boolean;
  /** Reasons for which it cannot be used. */
  readonly faults: readonly SkillFault[];
  /** Deviations from the format that change nothing. */
  readonly notes: readonly SkillFault[];
}

/** Skills of a kit, for users. */
export interface KitSkillList {
  /** Lists all skills, also those that cannot be used or need trust. */
  list(): Promise<readonly SkillListing[]>;
  /** Returns the text of a listed skill's SKILL.md. */
  show(file: string): Promise<string>;
  /** Checks the skill in a directory against the format. */
  validate(directory: string): Promise<SkillListing>;
}

/** Longest SKILL.md that is shown, in bytes. */
const maxBytes = 262_144;

export function kitSkillList(
  loaded: LoadedSkills | undefined,
  { host, workspace }: { readonly host: Pick<Host, "fs">; readonly workspace: string },
): KitSkillList {
  return {
    list: async () => (loaded?.all ?? []).map(listingOf),
    async show(file) {
      const { bytes } = await host.fs.readFile(file, { maxBytes });
      return new TextDecoder().decode(bytes);
    },
    async validate(directory) {
      const path = await host.fs.canonical(directory, { base: workspace });
      return listingOf(await readSkillAt(joinPath(path, "SKILL.md"), host));
    },
  };
}

function listingOf({
  info,
  file,
  isUserInvocable,
  faults,
  notes,
  needsTrust,
}: FoundSkill): SkillListing {
  const { name, description, scope, allowedTools, isModelInvocable } = info;
  return {
    name,
    description,
    file,
    scope,
    ...(allowedTools === undefined ? {} : { allowedTools }),
    isModelInvocable,
    isUserInvocable,
    needsTrust,
    faults,
    notes,
  };
}
