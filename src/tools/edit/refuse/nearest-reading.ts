import { brokenOtherwise, FileLines, nearestBlock, type NearestBlock } from "./nearest-block.ts";
import type { Reading } from "../normalize/candidate.ts";

/** Maximum number of candidates that are searched for. */
const maxReadings = 12;

/**
 * Finds the block nearest to an edit that matches nowhere, either as written or, if that is nearer, after known
 * artifacts were removed: the next call needs only the remaining difference.
 */
export function nearestReading(
  text: string,
  sent: string,
  /** Candidates, with the edit as written first. */
  readings: readonly Reading[],
): NearestBlock | undefined {
  const file = new FileLines(text);
  for (const { oldText, labels } of readings.slice(0, maxReadings)) {
    const block = brokenOtherwise(file, oldText);
    if (block !== undefined) return { ...block, difference: asRead(labels, block.difference) };
  }
  let nearest = nearestBlock(text, sent, { file });
  for (const { oldText, labels } of readings.slice(1, maxReadings)) {
    const block = nearestBlock(text, oldText, { bySimilarity: nearest === undefined, file });
    if (block === undefined) continue;
    if (nearest !== undefined && block.equalLines <= nearest.equalLines) continue;
    const { firstLine, lines, equalLines } = block;
    nearest = { firstLine, lines, equalLines, difference: asRead(labels, block.difference) };
  }
  return nearest;
}

function asRead(labels: readonly string[], difference: string): string {
  return labels.length === 0 ? difference : `This is nearest ${labels.join("; ")}. ${difference}`;
}
