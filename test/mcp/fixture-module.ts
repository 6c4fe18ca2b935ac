// Module for `haft mcp --module`: the tools, resources and prompts that the conformance suite asks for.
import type { Tool } from "../../src/core/index.ts";
import type { Kit } from "../../src/kit/index.ts";
import { fixtureLibrary } from "./fixture-library.ts";
import { fixtureTools } from "./fixture-tools.ts";
import { taskTools } from "./task-tools.ts";

export { taskSupport } from "./task-tools.ts";

export const library = fixtureLibrary;

export function tools(kit: Kit): readonly Tool[] {
  const fixtures = fixtureTools({
    pauseMs: 50,
    changeTools: (tool) => {
      if (!kit.registry.unregister(tool.name)) kit.registry.register(tool);
    },
  });
  return [...fixtures, ...taskTools];
}
