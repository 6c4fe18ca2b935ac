import { ToolError, type Tool } from "../../core/index.ts";
import { lookWithin } from "../preview/with-deadline.ts";
import type { Registry } from "../../registry/index.ts";
import type { ToolParts } from "../environment/environment.ts";
import type { Next, Step } from "../step.ts";

/**
 * Finds the tool a call names, and loads it.
 *
 * Runs first, because every later step uses the tool. Accepts aliases and different letter case, because they do not
 * justify another turn. Ends by itself when the call is aborted.
 */
export const resolve: Step<"tool" | "registered", never, "tool"> = (state, environment) => {
  const registered = environment.registry.resolve(state.call.name);
  if (registered === undefined) throw unknownTool(state.call.name, environment);
  state.registered = registered;
  const tool = registered.loaded ?? registered.load();
  if (tool instanceof Promise) {
    const late = (): ToolError => loadsTooLong(registered.name);
    return lookWithin(tool, { state, environment, ms: loadingMs, late }).then(take);
  }
  return take(tool);

  function take(loaded: Tool): Next {
    state.tool = loaded;
    return undefined;
  }
};

/** Milliseconds a tool has to initialize on first use, for which it may have to contact a server. */
const loadingMs = 60_000;

function loadsTooLong(name: string): ToolError {
  return new ToolError("UNAVAILABLE", `${name} was not ready within ${loadingMs / 1000} s.`, {
    hint: "Use another tool, or try again later.",
    data: { tool: name },
  });
}

/** Maximum characters that are shown of a name that no tool has: a model may send any. */
const maxNameChars = 200;

function unknownTool(
  name: string,
  {
    registry,
    whyMissing,
  }: Pick<ToolParts, "whyMissing"> & { readonly registry: Pick<Registry, "nearest" | "getNames"> },
): ToolError {
  const missing = whyMissing?.(name);
  const nearest = registry.nearest(name);
  const available = registry.getNames();
  const guess =
    missing !== undefined
      ? ` ${missing.reason}`
      : nearest.length > 0
        ? ` Did you mean ${nearest.join(" or ")}?`
        : "";
  const shown = name.length <= maxNameChars ? name : `${name.slice(0, maxNameChars)}…`;
  return new ToolError("UNKNOWN_TOOL", `There is no tool named ${JSON.stringify(shown)}.${guess}`, {
    hint:
      missing?.hint ??
      (available.length === 0
        ? "No tools are available here."
        : `Available tools: ${available.join(", ")}.`),
    data: { name: shown, nearest, available },
  });
}
