import { inCharacters, indentedAs, withoutArtefacts } from "./file-form.ts";
import { firstLineShift, withFirstLine } from "./first-line.ts";
import type { ShiftedPlace } from "./interpretations/indentation.ts";
import type { IndentPair } from "./indent-map.ts";
import { indentText } from "./indent-style.ts";
import { partsOf } from "./lines.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import type { Place } from "./place.ts";
import { indentBasis, indentPairs, isKnownShift, reindent } from "./reindent.ts";
import { replaceLines, unclear, type Pair, type Replacement } from "./replacement.ts";
import { rivalOf } from "./rival.ts";
import { withoutSentBlanks } from "./sent-blanks.ts";
import type { Source } from "./source.ts";

/** An edit for a place with another indentation. */
export interface Shift {
  readonly pair: Pair;
  readonly lines: readonly string[];
  readonly lookAlikes: boolean;
  /** Something that stood before every line was undone. */
  readonly isMarked: boolean;
  /** Line breaks were undone that had been escaped, so blanks before the text came before its first line alone. */
  readonly wasOneLine: boolean;
}

/** New text for a place with another indentation, or why that is not clear. */
export function replaceShifted(text: string, place: Place, shift: Shift): Replacement {
  const { pair, lines, wasOneLine } = shift;
  const pairs = indentPairs(pair.oldText, lines);
  if (pairs === undefined) return replaceFirstShifted(text, place, shift);
  const replacement = replaceAllShifted(text, place, { shift, pairs });
  const [first, ...others] = pairs;
  const mayMoveAlone = wasOneLine && others.every(({ sent, file }) => sent === file);
  if (!mayMoveAlone || first === undefined || replacement.kind === "unclear") return replacement;
  if (others.length > 0) {
    const alone = replaceFirstShifted(text, place, shift);
    return alone.kind === "text" && alone.text === replacement.text
      ? replacement
      : unclear(noShift);
  }
  const isAllMoved = partsOf(pair.newText).every(
    (line) => line.trim() === "" || indentText(line).startsWith(first.sent),
  );
  return isAllMoved ? replacement : unclear(noShift);
}

interface ShiftedPairs {
  readonly shift: Shift;
  readonly pairs: readonly IndentPair[];
}

function replaceAllShifted(
  text: string,
  place: Place,
  { shift, pairs }: ShiftedPairs,
): Replacement {
  const { pair, lines, lookAlikes } = shift;
  const same = lookAlikes ? foldLookAlikes : undefined;
  const options = { pair, lines, text, same };
  const basis = indentBasis(options);
  const plain = withoutArtefacts(pair, lines, lookAlikes);
  const asFile = (): Replacement => {
    if (!isKnownShift(pairs, options)) return unclear(noShift);
    // What the new text leaves as it is then looks as in the file, and not as it was sent.
    const oldText = indentedAsIn(lines, plain);
    const { newText } = pair;
    return replaceLines(text, place, {
      pair: { oldText, newText },
      keeps: "edges",
      adapt: (changed) => asInFile(changed, shift),
    });
  };
  const asSent = (): Replacement =>
    replaceLines(text, place, {
      pair,
      keeps: "edges",
      plain: () => plain,
      adapt: (changed) => {
        const adapted = asInFile(changed, shift);
        return typeof adapted === "string" ? adapted : reindent(adapted, pairs, options);
      },
    });
  switch (basis) {
    case "unclear": {
      const one = asFile();
      const other = asSent();
      const isSame = one.kind === "text" && other.kind === "text" && one.text === other.text;
      return isSame ? one : unclear("it is not clear which indentation new_string is written in");
    }
    case "file":
      return asFile();
    case "sent":
      return asSent();
  }
}

/** Where only the first line is indented otherwise. */
function replaceFirstShifted(text: string, place: Place, shift: Shift): Replacement {
  const { pair, lines, lookAlikes } = shift;
  const first = firstLineShift(pair.oldText, lines);
  if (first === undefined) return unclear(noShift);
  const updated = withFirstLine(pair, first);
  if ("because" in updated) return unclear(updated.because);
  const oldText = indentedAsIn(lines, withoutArtefacts(pair, lines, lookAlikes));
  return replaceLines(text, place, {
    pair: { oldText, newText: updated.newText },
    keeps: "edges",
    adapt: (changed) => asInFile(changed, shift),
  });
}

function asInFile(
  changed: readonly string[],
  { pair, lines, lookAlikes }: Shift,
): readonly string[] | string {
  const adapted = lookAlikes ? inCharacters(changed, pair, lines) : changed;
  return typeof adapted === "string" ? adapted : withoutSentBlanks(adapted, pair, lines);
}

function indentedAsIn(lines: readonly string[], sent: readonly string[]): string {
  return sent.map((line, index) => indentedAs(lines[index] ?? "", line)).join("\n");
}

const noShift =
  "the indentation of old_string is not shifted by the same for all lines, and new_string has others";

/** What gainsays that places with another indentation are meant. */
export function rivalOfShifted(
  source: Source,
  places: readonly ShiftedPlace[],
  { pair, isMarked }: Pick<Shift, "pair" | "isMarked">,
): string | undefined {
  const rival = rivalOf(source, places, pair);
  if (!isMarked) return rival;
  return besideMarks.reduce(
    (found, of) =>
      found ?? rivalOf(source, places, { oldText: of(pair.oldText), newText: of(pair.newText) }),
    rival,
  );
}

/** A text as it is where blanks belong to the marks before its lines, or were taken for a part of them. */
const besideMarks: readonly ((text: string) => string)[] = [
  (text) => text.replaceAll(/^(?=[^\n])/gmu, " "),
  (text) => text.replaceAll(/^ /gmu, ""),
  (text) => text.replaceAll(/^ {2}/gmu, ""),
];
