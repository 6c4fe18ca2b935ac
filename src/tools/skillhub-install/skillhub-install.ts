import { z } from "zod";
import { defineTool, people, skillHubs, ToolError } from "../../core/index.ts";
import { hubEffects } from "../files/hub-effects.ts";

const install = "Install it";

export const skillhubInstall = defineTool({
  name: "SkillHubInstall",
  displayName: "Install a skill",
  description: "Install a skill that SkillHubSearch found, once the user has approved its content.",
  category: "skills",
  searchHint: "add skill hub",
  aliases: ["skillhub_install"],
  input: z.strictObject({ skill_id: z.string().min(1).max(300).describe("Id of the search.") }),
  inputAliases: { skill_id: ["skillId", "id"] },
  touches: ["connect", "write", "interact"],
  needs: [skillHubs, people],
  timeoutMs: 600_000,
  effects(_input, context) {
    const service = context.service(skillHubs);
    const write = { kind: "write", path: service.directory, scope: "tree", change: "any" } as const;
    return [...hubEffects(service), write, { kind: "interact" }];
  },
  signature: ({ skill_id }) => `SkillHubInstall ${skill_id}`,
  async run({ skill_id: id }, context) {
    const service = context.service(skillHubs);
    const found = await service.download(id, context.signal);
    const { name, text } = found;
    const reply = await context.ask({
      kind: "question",
      header: "Skill",
      question: `Install this skill?\n${text}`,
      options: [{ label: install }, { label: "Do not install it" }],
    });
    if (reply.kind !== "answer" || !reply.choices.includes(install))
      throw refused(name, reply.kind);
    const directory = await found.install();
    return {
      content: `The skill ${name} is in ${directory}. It can be used in the next session, once the user trusts it with haft trust add.`,
      title: `Installed the skill ${name}`,
      summary: name,
      metadata: { skill: name, directory },
    };
  },
});

function refused(name: string, reply: string): ToolError {
  const isUnasked = reply === "automatic" || reply === "approved";
  const why = isUnasked
    ? "no user was asked, and a skill is not installed unseen"
    : "the user refused";
  return new ToolError("DENIED_BY_USER", `The skill ${name} was not installed: ${why}.`, {
    hint: "Continue without it. The user can install it with haft skills add.",
  });
}
