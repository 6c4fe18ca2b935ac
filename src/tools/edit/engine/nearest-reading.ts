import { brokenOtherwise, FileLines, nearestBlock, type NearestBlock } from "./nearest-block.ts";
import type { Reading } from "./reading.ts";

/** Of the ways to undo artefacts, those that are looked at. */
const maxReadings = 12;

/**
 * The block nearest to an edit that matches nowhere, as it was written or, where that is nearer, after known
 * artefacts were undone: what is different besides them is what the next call needs.
 */
export function nearestReading(
  text: string,
  sent: string,
  /** The edit as it was written comes first. */
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
