import type { SeenFiles } from "../../../core/index.ts";
import { firstUnseen } from "../seen/seen-lines.ts";

/** A notebook in its present state. */
export interface NotebookState {
  /** Canonical path. */
  readonly path: string;
  /** Hash of its content. */
  readonly hash: string;
}

/**
 * Records for which cells the reported numbers are valid: up to `last`, or all. After an insertion or deletion, later
 * cells have other numbers than a call written before it can know.
 */
export function noteCellNumbers(
  state: SeenFiles,
  { path, hash }: NotebookState,
  last?: number,
): void {
  state.saw(keyOf(path), last === undefined ? { hash } : { hash, ranges: [[1, last]] });
}

/** Last cell whose number is still the one reported; infinite if all are, or if none was reported. */
export function lastShownNumber(state: SeenFiles, { path, hash }: NotebookState): number {
  const told = state.view(keyOf(path));
  if (told === undefined) return Infinity;
  if (told.hash !== hash) return 0;
  const [moved] = firstUnseen(told, [1, Number.MAX_SAFE_INTEGER]) ?? [Infinity];
  return moved - 1;
}

/** Key next to that of the file's lines. */
function keyOf(path: string): string {
  return `${path}#cell-numbers`;
}
