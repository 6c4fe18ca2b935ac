import type { EffectKind } from "../call/effects.ts";
import type { ToolFlags } from "./tool.ts";

/** Derives a tool's flags from the effect kinds it may have; `wanted` counts only where it is stricter. */
export function deriveFlags(
  touches: readonly EffectKind[],
  wanted: Partial<ToolFlags> = {},
): ToolFlags {
  const changes = touches.some((kind) => changing.has(kind));
  const open = touches.some((kind) => reachingOut.has(kind));
  return {
    readOnly: !changes && wanted.readOnly !== false,
    destructive: changes || wanted.destructive === true,
    idempotent: !changes && wanted.idempotent !== false,
    openWorld: open || wanted.openWorld === true,
    concurrencySafe: !changes && wanted.concurrencySafe !== false,
  };
}

const changing: ReadonlySet<EffectKind> = new Set(["write", "execute", "delegate", "unknown"]);
const reachingOut: ReadonlySet<EffectKind> = new Set(["connect", "execute", "delegate", "unknown"]);
