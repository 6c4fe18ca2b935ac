import { deriveFlags } from "./define-tool.ts";
import type { EffectKind } from "../call/effects.ts";
import type { CapabilityLevel, ToolBehaviour, ToolTraits } from "./tool.ts";

/** What the level of a tool follows from. */
export interface CapabilityFacts extends Pick<ToolTraits, "touches" | "flags" | "staged"> {
  readonly hasPreview: boolean;
  readonly hasUndo: boolean;
}

/**
 * The level that follows from what a tool touches and brings; nobody states it. A tool that changes nothing has
 * nothing to take back. What is only written is journaled; everything else needs an `undo` of the tool's own, or, for
 * a tool that starts commands, `stagesCommands`: that they run on an overlay here.
 */
export function capabilityLevel(
  { touches, flags, staged, hasPreview, hasUndo }: CapabilityFacts,
  { stagesCommands = false }: { readonly stagesCommands?: boolean } = {},
): CapabilityLevel {
  if (deriveFlags(touches, flags).readOnly) return 2;
  const isStagedHere = staged === "commands" && stagesCommands;
  const isJournaled = touches.every(
    (kind) => journaled.has(kind) || (kind === "execute" && staged === "files"),
  );
  if (!isJournaled && !hasUndo && !isStagedHere) return 0;
  return hasPreview || isStagedHere || (staged === "files" && isJournaled) ? 2 : 1;
}

/** What is shown to a person changes nothing, and what is written is kept first. */
const journaled: ReadonlySet<EffectKind> = new Set(["read", "write", "interact"]);

/** The facts of a tool that is loaded. */
export function capabilityFacts(
  tool: ToolTraits & Pick<ToolBehaviour<unknown>, "preview" | "undo">,
): CapabilityFacts {
  const { touches, flags, staged } = tool;
  return {
    touches,
    ...(flags === undefined ? {} : { flags }),
    ...(staged === undefined ? {} : { staged }),
    hasPreview: tool.preview !== undefined,
    hasUndo: tool.undo !== undefined,
  };
}
