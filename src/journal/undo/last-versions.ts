import { parentPath } from "../../text/index.ts";
import { ToolError } from "../../core/index.ts";
import { isContentHash, isInexact, type FileState } from "../capture/file-state.ts";
import type { NotCaptured, Step } from "../records.ts";

/** Steps of an undo or redo that can be applied, and paths that stay as they are. */
export interface PartialUndo {
  readonly steps: readonly Step[];
  readonly kept: readonly NotCaptured[];
}

/**
 * Excludes steps that would remove content that the journal cannot store, such as a file too large for it: that could
 * not be restored, and the original of a copy may be gone meanwhile. The user may force such a path. UNAVAILABLE if no
 * other step remains, or if such a path blocks the restoration of another.
 */
export function withoutLosing(
  planned: readonly Step[],
  isForced: (path: string) => boolean,
): PartialUndo {
  const staying = planned.filter((step) => loses(step) && !isForced(step.path));
  const [first] = staying;
  if (first === undefined) return { steps: planned, kept: [] };
  const stays = new Set(staying.map(({ path }) => path));
  const steps = planned.filter(({ path }) => !stays.has(path));
  const isInTheWay = steps.some(({ path, to }) => to.kind !== "absent" && isBelow(path, stays));
  if (steps.length === 0 || isInTheWay) throw onlyCopy(staying);
  return {
    steps,
    kept: staying.map(({ path, from }) => ({
      path,
      because: `${whyNotKept(from)}, so nothing could bring it back`,
    })),
  };
}

/** Excludes steps that would restore content too large to be stored. UNAVAILABLE if no other step remains. */
export function withoutLost(planned: readonly Step[]): PartialUndo {
  const lost = planned.filter(({ from, to }) => isBeyond(to) && !isSameContent(from, to));
  const [first] = lost;
  if (first === undefined) return { steps: planned, kept: [] };
  const gone = new Set(lost.map(({ path }) => path));
  const steps = planned.filter(({ path }) => !gone.has(path));
  if (steps.length === 0) {
    const because = whyLost(first.to);
    throw new ToolError("UNAVAILABLE", `${first.path} cannot be restored: ${because}.`, {
      hint: "Send the call again.",
      data: { path: first.path },
      retryable: false,
    });
  }
  return { steps, kept: lost.map(({ path, to }) => ({ path, because: whyLost(to) })) };
}

function whyLost(image: FileState): string {
  if (image.kind !== "file") return noText;
  return "it was too large to be stored when it was removed";
}

function whyNotKept(image: FileState): string {
  if (image.kind !== "file") return noText;
  return `its ${image.size} bytes are more than the journal keeps`;
}

const noText = "its target is not text";

function loses({ from, to }: Step): boolean {
  return isBeyond(from) && !isSameContent(from, to);
}

/** Whether the state and the journal together do not suffice to restore it. */
function isBeyond(image: FileState): boolean {
  if (image.kind === "file") return image.size > 0 && !isContentHash(image.hash);
  return isInexact(image);
}

function isSameContent(from: FileState, to: FileState): boolean {
  return from.kind === "file" && to.kind === "file" && from.hash === to.hash;
}

function isBelow(path: string, paths: ReadonlySet<string>): boolean {
  for (let at = parentPath(path); at !== "/"; at = parentPath(at)) if (paths.has(at)) return true;
  return false;
}

function onlyCopy(staying: readonly Step[]): ToolError {
  const [first] = staying;
  const more = staying.length > 1 ? ` and ${staying.length - 1} more` : "";
  const because = first === undefined ? "" : `: ${whyNotKept(first.from)}`;
  return new ToolError(
    "UNAVAILABLE",
    `Nothing was changed: ${first?.path ?? "a path"}${more} would be lost for good${because}.`,
    {
      hint: "Move it elsewhere to keep it, or force the path to remove it.",
      data: { paths: staying.map(({ path }) => path) },
      retryable: false,
    },
  );
}
