import { ToolError } from "../core/index.ts";

/** Tasks of one session, or of all. */
export type Whose = "everybody" | { readonly sessionId: string | undefined };

/** The error for an id that no task has, with the ids that exist. */
export function taskNotFound(id: string, known: readonly string[], whose: Whose): ToolError {
  const where = whose === "everybody" ? "" : " in this session";
  return new ToolError("NOT_FOUND", `There is no task ${id}${where}.`, {
    hint: known.length === 0 ? "No task was started." : `Tasks: ${known.join(", ")}.`,
    data: { taskId: id, known },
  });
}
