import { undoCodeFence } from "./code-fence.ts";
import { undoEdgeLines } from "./edge-lines.ts";
import { undoEntities } from "./entities.ts";
import { undoEscapes } from "./escapes.ts";
import { undoLineNumbers } from "./line-numbers.ts";
import { withPlainEndings } from "../match/lines.ts";
import type { Reading, Undoing } from "./candidate.ts";
import type { Pair } from "../match/replacement.ts";

const undoings: readonly Undoing[] = [
  undoCodeFence,
  undoLineNumbers,
  undoEscapes,
  undoEntities,
  undoEdgeLines,
];

/** Maximum number of artifacts removed together. Three can still be distinguished. */
const maxUndoings = 3;

/** Candidate for the edit as written. */
export function writtenReading({ oldText, newText }: Pair): Reading {
  return {
    ways: 0,
    oldText,
    newText,
    labels: [],
    startsLine: false,
    endsLine: false,
    noBlankBefore: false,
    noBlankAfter: false,
    oldOnly: 0,
  };
}

/**
 * Candidates for the edit as written, and for every combination of known artifacts removed, in whatever order they
 * arose.
 */
export function readingsOf(pair: Pair): Reading[] {
  const written = writtenReading(pair);
  const all: Reading[] = [written];
  let latest: Reading[] = [
    {
      ...written,
      oldText: withPlainEndings(pair.oldText),
      newText: withPlainEndings(pair.newText),
    },
  ];
  const seen = new Set<string>();
  for (let round = 0; round < maxUndoings; round++) {
    const next: Reading[] = [];
    for (const reading of latest) {
      for (const further of undone(reading)) {
        const { ways, oldText, newText } = further;
        const key = `${ways} ${oldText.length} ${oldText} ${newText === undefined} ${newText}`;
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(further);
      }
    }
    all.push(...next);
    latest = next;
  }
  return all;
}

function undone(reading: Reading): Reading[] {
  const { newText } = reading;
  return undoings.flatMap((undo) =>
    undo(reading.oldText, newText ?? "").flatMap((each) => {
      // Nothing is removed twice, and an empty text would match everywhere.
      if ((each.ways & reading.ways) !== 0 || each.oldText.trim() === "") return [];
      return [
        {
          ways: reading.ways | each.ways,
          oldText: each.oldText,
          newText: newText === undefined ? undefined : each.newText,
          labels: [...reading.labels, each.label],
          startsLine: reading.startsLine || each.startsLine === true,
          endsLine: reading.endsLine || each.endsLine === true,
          noBlankBefore: reading.noBlankBefore || each.noBlankBefore === true,
          noBlankAfter: reading.noBlankAfter || each.noBlankAfter === true,
          oldOnly: reading.oldOnly | (each.newText === newText ? each.ways : 0),
        },
      ];
    }),
  );
}
