import { ToolError } from "../../core/index.ts";
import { inBatches } from "../../text/index.ts";
import { isContentHash } from "../capture/file-state.ts";
import type { JournalState } from "../journal-state.ts";
import type { PartialUndo } from "./last-versions.ts";
import type { Step } from "../records.ts";

/**
 * Excludes steps whose content the journal has lost; checked before anything is changed. A path that the user forces
 * stays as it is, and the rest is restored. UNAVAILABLE if one is not forced, or if no other step remains.
 */
export async function withoutDamaged(
  planned: readonly Step[],
  { blobs }: Pick<JournalState, "blobs">,
  isForced: (path: string) => boolean,
): Promise<PartialUndo> {
  const damaged = (
    await inBatches(planned, async (step) => ((await isKept(step, blobs)) ? [] : step))
  ).flat();
  if (damaged.length === 0) return { steps: planned, kept: [] };
  const paths = new Set(damaged.map(({ path }) => path));
  const steps = planned.filter(({ path }) => !paths.has(path));
  if (steps.length === 0 || !damaged.every(({ path }) => isForced(path))) {
    throw damagedError(damaged, steps.length > 0);
  }
  return { steps, kept: damaged.map(({ path }) => ({ path, because })) };
}

const because = "the journal's copy of it is damaged or lost";

async function isKept({ from, to, source }: Step, blobs: JournalState["blobs"]): Promise<boolean> {
  if (to.kind !== "file" || !isContentHash(to.hash) || source !== undefined) return true;
  if (from.kind === "file" && from.hash === to.hash) return true;
  try {
    return (await blobs.get(to.hash)) !== undefined;
  } catch (error) {
    if (ToolError.is(error)) return false;
    throw error;
  }
}

function damagedError(damaged: readonly Step[], isRest: boolean): ToolError {
  const [first] = damaged;
  const others = damaged.length > 1 ? ` and of ${damaged.length - 1} more` : "";
  return new ToolError(
    "UNAVAILABLE",
    `Nothing was changed: the journal's copy of ${first?.path ?? "a path"}${others} is damaged or lost.`,
    {
      hint: isRest
        ? "Force these paths to leave them as they are and restore the rest; haft doctor says what is damaged."
        : "Its content cannot be restored; haft doctor says what is damaged.",
      data: { paths: damaged.map(({ path }) => path) },
      retryable: false,
    },
  );
}
