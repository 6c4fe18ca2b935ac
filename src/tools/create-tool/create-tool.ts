import { createdTools, defineTool, people } from "../../core/index.ts";
import { Definition } from "../../created/index.ts";

export const createTool = defineTool({
  name: "CreateTool",
  displayName: "Create a tool",
  description:
    "Add a tool that you write, for work that repeats. It is tried with its examples and shown to the user. It can touch only what effects declare.",
  category: "tools",
  searchHint: "create write make new tool script function automate",
  input: Definition,
  freeText: ["body"],
  touches: ["interact", "read", "write", "connect", "execute", "unknown"],
  needs: [createdTools, people],
  timeoutMs: 600_000,
  effects: async (input, context) => await context.service(createdTools).effects(input, context),
  signature: ({ name, body }) => `CreateTool ${name} ${body.length}`,
  run: async (input, context) => await context.service(createdTools).create(input, context),
});
