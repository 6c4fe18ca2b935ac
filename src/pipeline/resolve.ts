import { ToolError, type Tool } from "../core/index.ts";
import type { Next, Step } from "./step.ts";

/**
 * Finds the tool a call names, and loads it.
 *
 * First, because every later step asks the tool; by any name a model may write for it, because the wrong
 * casing is no reason for another turn.
 */
export const resolve: Step = (state, environment) => {
  const registered = environment.registry.resolve(state.call.name);
  if (registered === undefined) throw unknownTool(state.call.name, environment.registry);
  state.registered = registered;
  const tool = registered.loaded ?? registered.load();
  if (tool instanceof Promise) return tool.then((loaded) => take(loaded));
  return take(tool);

  function take(loaded: Tool): Next {
    state.tool = loaded;
    return undefined;
  }
};

function unknownTool(
  name: string,
  registry: { nearest(name: string): readonly string[]; getNames(): readonly string[] },
): ToolError {
  const nearest = registry.nearest(name);
  const available = registry.getNames();
  const guess = nearest.length > 0 ? ` Did you mean ${nearest.join(" or ")}?` : "";
  return new ToolError("UNKNOWN_TOOL", `There is no tool named ${JSON.stringify(name)}.${guess}`, {
    hint:
      available.length === 0
        ? "No tools are available here."
        : `Available tools: ${available.join(", ")}.`,
    data: { name, nearest, available },
  });
}
