import type { FileState } from "../../../core/index.ts";
import { firstUnseen } from "../seen-lines.ts";

/** A notebook as it is now. */
export interface NotebookState {
  /** Canonical. */
  readonly path: string;
  /** Of its content. */
  readonly hash: string;
}

/**
 * Notes for which cells the numbers that were told hold: up to `last`, or all. Those behind a cell that came or went
 * have other numbers than a call can know that was written before.
 */
export function noteCellNumbers(
  state: FileState,
  { path, hash }: NotebookState,
  last?: number,
): void {
  state.saw(keyOf(path), last === undefined ? { hash } : { hash, ranges: [[1, last]] });
}

/** The last cell whose number is still the one that was told, infinite for all of them, which it is where none was told. */
export function lastToldNumber(state: FileState, { path, hash }: NotebookState): number {
  const told = state.view(keyOf(path));
  if (told === undefined) return Infinity;
  if (told.hash !== hash) return 0;
  const [moved] = firstUnseen(told, [1, Number.MAX_SAFE_INTEGER]) ?? [Infinity];
  return moved - 1;
}

/** Beside what is known of the file's lines. */
function keyOf(path: string): string {
  return `${path}#cell-numbers`;
}
