import { z } from "zod";
import { defineTool, skills, type SkillInfo, type Tool } from "../../core/index.ts";

/** Longest list of skills in a description, in characters; ListSkills shows all. */
const maxListChars = 2000;

/** Longest description of one skill in it. */
const maxLineChars = 160;

/** Tools for the skills of a kit; the description of Skill lists those that it can use. */
export function skillTools(all: readonly SkillInfo[]): readonly Tool[] {
  return [listSkills, readSkill, skillTool(listed(all))];
}

const listSkills = defineTool({
  name: "ListSkills",
  displayName: "List skills",
  description: "List the skills with what each is for.",
  category: "skills",
  aliases: ["list_skills"],
  input: z.strictObject({}),
  touches: [],
  needs: [skills],
  run(_input, context) {
    const all = context.service(skills).list();
    return {
      content: all.length === 0 ? "There are no skills." : all.map(lineOf).join("\n"),
      title: "List skills",
      summary: `${all.length} skills`,
      metadata: { skills: all.map(({ name, description }) => ({ name, description })) },
    };
  },
});

const readSkill = defineTool({
  name: "ReadSkill",
  displayName: "Read skill",
  description: "Read a skill without using it, or one of its other files.",
  category: "skills",
  aliases: ["read_skill"],
  input: z.strictObject({
    name: z.string().min(1).describe("Name of the skill."),
    file: z.string().min(1).optional().describe("Path below its directory. Default SKILL.md."),
  }),
  inputAliases: { name: ["skill"], file: ["path"] },
  touches: [],
  needs: [skills],
  async run({ name, file }, context) {
    const content = await context.service(skills).read(name, file);
    return { content, title: `Read skill ${name}`, summary: file ?? "SKILL.md" };
  },
});

function skillTool(list: string): Tool {
  return defineTool({
    name: "Skill",
    displayName: "Skill",
    description: `Use a skill: returns its instructions, which you then follow. A skill may limit your tools until the task is done.\n${list}`,
    category: "skills",
    aliases: ["use_skill"],
    input: z.strictObject({
      skill: z.string().min(1).describe("Name of the skill."),
      args: z.string().default("").describe("Arguments, as the skill asks for them."),
    }),
    inputAliases: { skill: ["name"], args: ["arguments"] },
    touches: [],
    needs: [skills],
    timeoutMs: 600_000,
    signature: ({ skill }) => `Skill ${skill}`,
    suggestRule: ({ skill }) => `Skill(${skill})`,
    async run({ skill: name, args }, context) {
      const { sessionId, agentId, runId, signal } = context;
      const caller = { sessionId, agentId, runId, signal };
      const { skill, text } = await context.service(skills).use(name, args, caller);
      const { allowedTools, directory } = skill;
      const limit =
        allowedTools === undefined
          ? ""
          : `\n(Until the task is done only this is allowed: ${allowedTools.join(", ")}.)`;
      return {
        content: `Skill ${name}, in ${directory}:\n\n${text.trimEnd()}\n${limit}`,
        title: `Skill ${name}`,
        summary: allowedTools === undefined ? "no limit of its own" : allowedTools.join(", "),
        metadata: { skill: name, ...(allowedTools === undefined ? {} : { allowedTools }) },
      };
    },
  });
}

function listed(all: readonly SkillInfo[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const skill of all) {
    const line = lineOf(skill);
    const short = line.length > maxLineChars ? `${line.slice(0, maxLineChars - 1)}…` : line;
    length += short.length + 1;
    if (length > maxListChars) break;
    lines.push(short);
  }
  const more = all.length - lines.length;
  return [...lines, ...(more > 0 ? [`(${more} more: ListSkills)`] : [])].join("\n");
}

function lineOf({ name, description, argumentHint }: SkillInfo): string {
  return `- ${name}${argumentHint === undefined ? "" : ` ${argumentHint}`}: ${description}`;
}
