import { createdTools, defineTool, people } from "../../core/index.ts";
import { Definition } from "../../created/index.ts";

export const createTool = defineTool({
  name: "CreateTool",
  displayName: "Create a tool",
  description:
    "Add a tool that you write, for work that repeats. The user sees it first. It can touch only what effects declare.",
  category: "tools",
  searchHint: "make new script automate",
  input: Definition,
  freeText: ["body"],
  touches: ["interact", "read", "write", "connect", "execute", "unknown"],
  needs: [createdTools, people],
  timeoutMs: 600_000,
  effects: async (input, context) => await context.service(createdTools).effects(input, context),
  signature: ({ name, body }) => `CreateTool ${name} ${body.length}`,
  run: async (input, context) => await context.service(createdTools).create(input, context),
});
