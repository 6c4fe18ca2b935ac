import { z } from "zod";
import { defineTool, skillHubs } from "../../core/index.ts";
import { hubEffects } from "../files/hub-effects.ts";

export const skillhubSearch = defineTool({
  name: "SkillHubSearch",
  displayName: "Search skill hubs",
  description: "Search the user's skill hubs for skills to install.",
  category: "skills",
  searchHint: "find skills hub registry marketplace",
  aliases: ["skillhub_search"],
  input: z.strictObject({ query: z.string().min(1).max(200).describe("A few words.") }),
  touches: ["connect"],
  needs: [skillHubs],
  effects: (_input, context) => hubEffects(context.service(skillHubs)),
  async run({ query }, context) {
    const { skills, problems } = await context.service(skillHubs).search(query, context.signal);
    const lines = skills.map(({ id, description, source }) => {
      const from = source === undefined ? "" : ` (${source})`;
      return `- ${id}${from}${description === undefined ? "" : `: ${description}`}`;
    });
    const none = `No hub has a skill for ${JSON.stringify(query)}.`;
    return {
      content: [...(lines.length === 0 ? [none] : lines), ...problems].join("\n"),
      title: `Search skill hubs for ${query}`,
      summary: `${skills.length} skills`,
      trust: "untrusted",
      metadata: { skills: skills.map(({ id, name, kind }) => ({ id, name, kind })) },
    };
  },
});
