import { z } from "zod";
import { agents, defineTool, skills, type SkillInfo, type Tool } from "../../core/index.ts";
import { joinPath } from "../../text/index.ts";
import { agentAnswer, agentFailure, callerOf } from "../files/agent-state.ts";

/** Longest list of skills in a description, in characters; ListSkills shows all. */
const maxListChars = 2000;

/** Longest description of one skill in it. */
const maxLineChars = 160;

/** Tools for the skills of a kit; the description of Skill lists those that it can use. */
export function skillTools(all: readonly SkillInfo[]): readonly Tool[] {
  const forks = new Map(
    all.flatMap(({ name, fork }) => (fork === undefined ? [] : [[name, fork.agent] as const])),
  );
  return [listSkills, readSkillTool(all), skillTool(listed(all), forks)];
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

function readSkillTool(all: readonly SkillInfo[]): Tool {
  const directories = new Map(all.map(({ name, directory }) => [name, directory]));
  return defineTool({
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
    touches: ["read"],
    // Skills of the user are outside the workspace, and are there to be read. Rules that deny or ask still apply.
    autoExecute: true,
    needs: [skills],
    effects({ name, file = "SKILL.md" }) {
      const directory = directories.get(name);
      if (directory === undefined) return [];
      return [{ kind: "read", path: joinPath(directory, file), scope: "file" }];
    },
    async run({ name, file }, context) {
      const content = await context.service(skills).read(name, file);
      return { content, title: `Read skill ${name}`, summary: file ?? "SKILL.md" };
    },
  });
}

function skillTool(list: string, forks: ReadonlyMap<string, string>): Tool {
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
    touches: forks.size > 0 ? ["delegate"] : [],
    needs: [skills],
    timeoutMs: forks.size > 0 ? 86_400_000 : 600_000,
    effects: ({ skill }) => {
      const name = forks.get(skill);
      return name === undefined ? [] : [{ kind: "delegate", agent: name, target: "agent" }];
    },
    signature: ({ skill }) => `Skill ${skill}`,
    suggestRule: ({ skill }) => `Skill(${skill})`,
    async run({ skill: name, args }, context) {
      const { sessionId, agentId, runId, signal } = context;
      const caller = { sessionId, agentId, runId, signal };
      const { skill, text } = await context.service(skills).use(name, args, caller);
      const { allowedTools, directory, fork, model } = skill;
      if (fork !== undefined) {
        const title = `Skill ${name}`;
        const request = {
          prompt: text,
          description: title,
          agent: fork.agent,
          model,
          skill: directory,
        };
        const info = await context.service(agents).start(request, callerOf(context));
        // The answer to an aborted call is shown with the error of the call itself.
        if (info.status !== "done" && !context.signal.aborted) throw agentFailure(info);
        return agentAnswer(info, title);
      }
      const limit =
        allowedTools === undefined
          ? ""
          : `\n(Until the task is done only this is allowed, within earlier limits: ${allowedTools.join(", ")}.)`;
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
