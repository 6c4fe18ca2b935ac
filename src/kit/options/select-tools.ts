import {
  argumentError,
  described,
  fromMinimalTool,
  guarded,
  nearestName,
  type LazyTool,
  type MinimalTool,
  type Tool,
} from "../../core/index.ts";
import { builtInTools, skillToolNames } from "../../tools/index.ts";
import type { ToolkitOptions } from "./options.ts";

/** The tools of a kit: built-in ones, those for skills, and `extra`, as `include` and `exclude` choose. */
export function selectTools(
  { tools = {} }: ToolkitOptions,
  skillTools: readonly Tool[],
): (Tool | LazyTool)[] {
  const { include, exclude = [], extra = [] } = tools;
  const own = extra.map(asTool);
  const all = [...withoutNamesOf(own, [...builtInTools, ...skillTools]), ...own];
  const known = new Set([...all.map(({ name }) => name), ...skillToolNames]);
  for (const name of [...(include ?? []), ...exclude]) {
    if (!known.has(name)) {
      const near = nearestName(name.slice(0, maxNameChars), known);
      throw argumentError(
        `tools names ${described(name)}, but there are only ${[...known].join(", ")}.`,
        near === undefined ? {} : { hint: `Did you mean ${JSON.stringify(near)}?` },
      );
    }
  }
  return all.filter(
    ({ name }) => (include === undefined || include.includes(name)) && !exclude.includes(name),
  );
}

/**
 * Maximum characters of an unknown tool name that are compared with known names; a longer one is not a typing error.
 */
const maxNameChars = 64;

/** Tools without the aliases that are names of the program's own tools. */
function withoutNamesOf(
  own: readonly (Tool | LazyTool)[],
  tools: readonly (Tool | LazyTool)[],
): readonly (Tool | LazyTool)[] {
  const taken = new Set(own.map(({ name }) => name.toLowerCase()));
  const isFree = (alias: string): boolean => !taken.has(alias.toLowerCase());
  return tools.map((tool) =>
    tool.aliases === undefined || tool.aliases.every(isFree)
      ? tool
      : { ...tool, aliases: tool.aliases.filter(isFree) },
  );
}

function asTool(tool: Tool | LazyTool | MinimalTool): Tool | LazyTool {
  return isWhole(tool) ? tool : fromMinimalTool(tool);
}

function isWhole(tool: Tool | LazyTool | MinimalTool): tool is Tool | LazyTool {
  return guarded("createToolkit: tools.extra", () => "kind" in tool);
}
