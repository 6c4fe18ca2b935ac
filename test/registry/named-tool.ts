import { defineTool, type Tool, type ToolTraits } from "../../src/core/index.ts";
import { createRegistry, type Registry } from "../../src/registry/registry.ts";

/** A tool that says its name, for tests that only care about names. */
export function namedTool(name: string, traits: Partial<ToolTraits> = {}): Tool {
  return defineTool({
    touches: ["read"],
    ...traits,
    name,
    description: `Does ${name}.`,
    input: { type: "object" },
    run: () => ({ content: name }),
  });
}

export function withTools(...tools: readonly Tool[]): Registry {
  const registry = createRegistry();
  registry.registerAll(tools);
  return registry;
}
