import { ToolError } from "../../core/index.ts";
import type { AddedHooksOfKit } from "./added-hooks.ts";

/** Hooks of a kit that skills and agents add to; one whose hooks could not run is not used. */
export function requireAddedHooks(
  hooks: { readonly added: AddedHooksOfKit } | undefined,
): AddedHooksOfKit {
  if (hooks !== undefined) return hooks.added;
  throw new ToolError(
    "UNAVAILABLE",
    "The hooks of this skill or agent cannot run here, so it is not used.",
    {
      hint: 'Open the toolkit with settings: "load".',
      retryable: false,
    },
  );
}
