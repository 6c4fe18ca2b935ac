import { z } from "zod";
import { defineTool, slashCommands } from "../../core/index.ts";

export const slashCommand = defineTool({
  name: "SlashCommand",
  displayName: "Slash command",
  description:
    "Use a slash command of the user: returns its prompt, which you then follow. Without a command: lists them.",
  category: "skills",
  searchHint: "slash command prompt",
  aliases: ["slash_command"],
  input: z.strictObject({
    command: z.string().max(200).default("").describe('Name, as in "git:sync".'),
    args: z.string().default("").describe("Text after the name."),
  }),
  inputAliases: { command: ["name"], args: ["arguments"] },
  touches: [],
  needs: [slashCommands],
  signature: ({ command }) => `SlashCommand ${command}`,
  suggestRule: ({ command }) => (command === "" ? undefined : `SlashCommand(${command})`),
  async run({ command, args }, context) {
    const service = context.service(slashCommands);
    if (command === "") {
      const all = await service.list();
      const lines = all.map(({ name, description }) => `- ${name}: ${description}`);
      return {
        content: lines.length === 0 ? "There are no commands." : lines.join("\n"),
        title: "List slash commands",
        summary: `${all.length} commands`,
      };
    }
    const { sessionId, agentId, runId, signal } = context;
    const used = await service.use(command, args, { sessionId, agentId, runId, signal });
    const { name, text, allowedTools } = used;
    const limit =
      allowedTools === undefined
        ? ""
        : `\n(Until the task is done only this is allowed, within earlier limits: ${allowedTools.join(", ")}.)`;
    return {
      content: `/${name}:\n\n${text.trimEnd()}\n${limit}`,
      title: `Slash command /${name}`,
      summary: allowedTools === undefined ? "no limit of its own" : allowedTools.join(", "),
      metadata: { command: name, ...(allowedTools === undefined ? {} : { allowedTools }) },
    };
  },
});
