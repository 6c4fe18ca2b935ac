import { isUtf8 } from "node:buffer";
import { ToolError, type Host } from "../../core/index.ts";
import { redact } from "../../redact/index.ts";
import { joinPath } from "../../text/index.ts";
import {
  readSkillAt,
  readSkillFiles,
  skillFields,
  type FoundSkill,
  type LoadedSkills,
} from "../../workspace/index.ts";

/** A problem of a skill, with its line in SKILL.md. */
export interface SkillFault {
  /** The problem, in a sentence. */
  readonly message: string;
  /** Line in SKILL.md, from 1; missing if the problem is about the whole file. */
  readonly line?: number;
}

/** A skill, as listed for users. */
export interface SkillListing {
  /** Name in its fields; that of its directory if it has none. */
  readonly name: string;
  /** Its purpose and when to use it; "" if it says nothing. */
  readonly description: string;
  /** Path of SKILL.md. */
  readonly file: string;
  /** Whether it comes with the workspace or belongs to the user. */
  readonly scope: "workspace" | "user";
  /** The only effects that calls may have while it is active; missing if it has no limit of its own. */
  readonly allowedTools?: readonly string[];
  /** Whether a model may use it. */
  readonly isModelInvocable: boolean;
  /** Whether it says that a user may use it. */
  readonly isUserInvocable: boolean;
  /** Its workspace is not trusted, so that models do not see it. */
  readonly needsTrust: boolean;
  /** Reasons for which it cannot be used. */
  readonly faults: readonly SkillFault[];
  /** Deviations from the format that change nothing. */
  readonly notes: readonly SkillFault[];
}

/** A skill as other programs may see it. */
export interface ExportedSkill {
  /** Fields at the beginning of SKILL.md. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Its files, without secrets. */
  readonly files: readonly {
    /** Path below the skill's directory. */
    readonly path: string;
    /** Text; missing if it is not text. */
    readonly text?: string;
    /** Bytes of the text, or of a file that is not text. */
    readonly bytes: Uint8Array;
  }[];
}

/** Skills of a kit, for users. */
export interface KitSkillList {
  /** Lists all skills, also those that cannot be used or need trust. */
  list(): Promise<readonly SkillListing[]>;
  /** Returns the text of a listed skill's SKILL.md. */
  show(file: string): Promise<string>;
  /**
   * Returns a listed skill with all its files, for other programs. Rejects with NOT_FOUND if no skill has this SKILL.md,
   * with PERMISSION_DENIED if it changed after its workspace was trusted, with TOO_LARGE above 512 files or 4 MB.
   */
  export(file: string): Promise<ExportedSkill>;
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
    async export(file) {
      const skill = loaded?.all.find((each) => each.file === file);
      if (skill === undefined || loaded === undefined) throw missing(file);
      await loaded.verify(skill);
      const found = await readSkillFiles(skill.info.directory, host);
      const files = found.map(({ path, bytes }) => {
        if (!isUtf8(bytes) || bytes.includes(0)) return { path, bytes };
        const text = redact(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
        return { path, text, bytes: new TextEncoder().encode(text) };
      });
      const main = files.find(({ path }) => path === "SKILL.md")?.text;
      const fields = main === undefined ? undefined : await skillFields(main);
      if (fields === undefined) throw missing(file);
      return { fields, files };
    },
    async validate(directory) {
      const path = await host.fs.canonical(directory, { base: workspace });
      return listingOf(await readSkillAt(joinPath(path, "SKILL.md"), host));
    },
  };
}

function missing(file: string): ToolError {
  return new ToolError("NOT_FOUND", `There is no skill whose text is ${file}.`, {
    hint: "haft skills list shows the skills and their files.",
  });
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
