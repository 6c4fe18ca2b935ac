import { z } from "zod";
import { defineTool, notifier } from "../../core/index.ts";

const maxTitleChars = 100;
const maxBodyChars = 500;

const Input = z.strictObject({
  title: z.string().trim().min(1).max(maxTitleChars).describe("A few words."),
  body: z.string().max(maxBodyChars).default("").describe("One or two sentences."),
});

export const notify = defineTool({
  name: "Notify",
  displayName: "Notify the user",
  description: "Show the user a notification, when they may be away and something needs them.",
  category: "interaction",
  searchHint: "notification alert desktop bell tell user attention",
  input: Input,
  inputAliases: { body: ["message", "text"] },
  freeText: ["title", "body"],
  touches: ["interact"],
  needs: [notifier],
  effects: () => [{ kind: "interact" }],
  signature: ({ title }) => `Notify ${title}`,

  async run({ title, body }, context) {
    const isShown = await context.service(notifier).notify({ title, body });
    return {
      content: isShown ? "Shown to the user." : "Nothing here can show a notification.",
      title: `Notify: ${title}`,
      summary: isShown ? "shown" : "not shown",
      metadata: { isShown },
    };
  },

  async preview({ title, body }) {
    return { summary: `Would show you: ${title}${body === "" ? "" : `: ${body}`}`, changes: [] };
  },
});
