import type { Tool } from "../../core/index.ts";
import type { Registry } from "../../registry/index.ts";
import { compileCeiling, type CompileOptions } from "../../policy/index.ts";

type NamedTool = Pick<Tool, "name" | "aliases">;

/** Names and aliases of tools, as rules may use them. */
export function namesOfTools(
  tools: readonly NamedTool[],
): Required<Pick<CompileOptions, "known" | "aliases">> {
  const aliases: Record<string, string> = {};
  for (const tool of tools) for (const alias of tool.aliases ?? []) aliases[alias] = tool.name;
  return { known: tools.map(({ name }) => name), aliases };
}

/** The entries of a list of allowed tools in a file that permit something here; the others permit nothing. */
export function permittedEntries(
  entries: readonly string[],
  tools: readonly NamedTool[],
): readonly string[] {
  const anchors = { base: "/", cwd: "/", home: "/" };
  const { problems } = compileCeiling(entries, anchors, namesOfTools(tools));
  const useless = new Set(problems.map(({ entry }) => entry));
  return entries.filter((entry) => !useless.has(entry));
}

/** Tools of a registry with their aliases. */
export function toolsIn(registry: Pick<Registry, "getAll">): readonly NamedTool[] {
  return registry.getAll().map(({ name, traits: { aliases = [] } }) => ({ name, aliases }));
}
