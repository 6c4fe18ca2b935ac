import { deriveFlags } from "./flags.ts";
import type { EffectKind } from "../call/effects.ts";
import type { CapabilityLevel, ToolBehaviour, ToolTraits } from "./tool.ts";

/** Facts from which the level of a tool is derived. */
export interface CapabilityFacts extends Pick<ToolTraits, "touches" | "flags" | "staged"> {
  /** Whether the tool predicts its changes. */
  readonly hasPreview: boolean;
  /** Whether the tool undoes its own calls. */
  readonly hasUndo: boolean;
}

/**
 * Derives the level from a tool's effect kinds and functions; tools do not declare it. A tool that changes nothing has
 * nothing to undo. Plain writes are journaled; every other change needs the tool's own `undo` or, for a tool that
 * starts commands, `stagesCommands`: commands run on an overlay here.
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

/** Kinds that need no `undo`: reads and interactions change nothing, and before-images are stored before writes. */
const journaled: ReadonlySet<EffectKind> = new Set(["read", "write", "interact"]);

/** Returns the facts of a loaded tool. */
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
