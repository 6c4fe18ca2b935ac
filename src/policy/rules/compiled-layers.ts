import type { Mode } from "../../core/index.ts";
import {
  builtInLayer,
  compileLayer,
  modeLayers,
  type CompiledLayer,
  type LayerRule,
  type ModeLayer,
} from "./layers.ts";

/** The layer of a mode, in a form that is fast to query. */
export interface Layer extends ModeLayer {
  readonly allowing: CompiledLayer;
  readonly denying: CompiledLayer;
}

function compileMode(mode: Mode): Layer {
  const layer = modeLayers[mode];
  const origin = { scope: "mode", name: mode } as const;
  return {
    ...layer,
    allowing: compileLayer(layer.allow, "allow", origin),
    denying: compileLayer(layer.deny, "deny", origin),
  };
}

/** The layer of each mode, compiled once. */
export const layers: Readonly<Record<Mode, Layer>> = {
  default: compileMode("default"),
  acceptEdits: compileMode("acceptEdits"),
  plan: compileMode("plan"),
  dontAsk: compileMode("dontAsk"),
  bypassPermissions: compileMode("bypassPermissions"),
};

const builtIns = new WeakMap<readonly LayerRule[], CompiledLayer>();

/** Returns the built-in layer, which is below that of the mode, compiled once for each list. */
export function builtInOf(layer: readonly LayerRule[] = builtInLayer): CompiledLayer {
  const found = builtIns.get(layer);
  if (found !== undefined) return found;
  const made = compileLayer(layer, "allow", { scope: "built-in", name: "built-in" });
  builtIns.set(layer, made);
  return made;
}
