import { FileLines, nearestBlock, type NearestBlock } from "./nearest-block.ts";
import { readingsOf } from "./readings.ts";
import type { Pair } from "./replacement.ts";

/** Of the ways to undo artefacts, those that are looked at. */
const maxReadings = 12;

/**
 * The block nearest to an edit that matches nowhere, as it was written or, where that is nearer, after known
 * artefacts were undone: what is different besides them is what the next call needs.
 */
export function nearestReading(text: string, pair: Pair): NearestBlock | undefined {
  const file = new FileLines(text);
  let nearest = nearestBlock(text, pair.oldText, { file });
  for (const { oldText, labels } of readingsOf(pair).slice(0, maxReadings)) {
    const block = nearestBlock(text, oldText, { bySimilarity: nearest === undefined, file });
    if (block === undefined) continue;
    if (nearest !== undefined && block.equalLines <= nearest.equalLines) continue;
    nearest = { ...block, difference: `This is nearest ${labels.join("; ")}. ${block.difference}` };
  }
  return nearest;
}
