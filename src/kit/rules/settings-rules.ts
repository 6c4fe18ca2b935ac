import type { ToolTraits } from "../../core/index.ts";
import { builtInLayer, namedTools, type LayerRule } from "../../policy/index.ts";
import type { LoadedSettings } from "../../workspace/index.ts";

/** The built-in allow rules that the settings leave; undefined if they leave all. */
export function builtInRules({
  builtInAllow,
}: Pick<LoadedSettings, "builtInAllow">): readonly LayerRule[] | undefined {
  if (builtInAllow === undefined) return undefined;
  return builtInLayer.filter(({ on }) => builtInAllow.includes(on));
}

type Enabling = Pick<LoadedSettings, "enableToolCalls" | "enabledTools">;

/** Returns whether the settings switch a tool on or off; undefined where they do not say. */
export function enabledBy({
  enableToolCalls,
  enabledTools,
}: Enabling): (tool: ToolTraits) => boolean | undefined {
  return (tool) =>
    enableToolCalls
      ? namesOf(tool)
          .map((name) => enabledTools.get(name))
          .find((isOn) => isOn !== undefined)
      : false;
}

/** Returns whether no ceiling of the settings names a tool, so that it is not offered. */
export function unnamedBy({
  allowedTools,
}: Pick<LoadedSettings, "allowedTools">): (tool: ToolTraits) => boolean {
  const ceilings = allowedTools.map(namedTools);
  return (tool) =>
    // A tool that only shows something passes every ceiling.
    !tool.touches.every((kind) => kind === "interact") &&
    // A rule such as `Bash(git *)` offers the tool; the ceiling decides about each call.
    !ceilings.every((names) => names(namesOf(tool)));
}

function namesOf({ name, aliases = [] }: ToolTraits): readonly string[] {
  return [name, ...aliases];
}
