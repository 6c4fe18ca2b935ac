import { inCharacters, indentedAs, withoutSentBlanks } from "../match/file-format.ts";
import type { IndentPair } from "./indent-map.ts";
import { indentText } from "./indent-style.ts";
import { partsOf, withPlainEndings } from "../match/lines.ts";
import { foldLookAlikes } from "../match/look-alikes.ts";
import type { Place } from "../match/match.ts";
import { indentBasis, indentPairs, isKnownShift, reindent } from "./reindent.ts";
import { replaceLines, unclear, type Pair, type Replacement } from "../match/replacement.ts";

/** An edit for a match with another indentation. */
export interface Shift {
  readonly pair: Pair;
  readonly lines: readonly string[];
  readonly lookAlikes: boolean;
  /** Whether escaped line breaks were resolved, so that blanks before the text preceded its first line only. */
  readonly wasOneLine: boolean;
}

/** New text for a match with another indentation, or the reason why it is unclear. */
export function replaceShifted(text: string, place: Place, shift: Shift): Replacement {
  const { pair, lines, wasOneLine } = shift;
  const pairs = indentPairs(pair.oldText, lines);
  if (pairs === undefined) return unclear(noShift);
  if (isDiff(pair, pairs)) return unclear(looksLikeDiff);
  const replacement = replaceAllShifted(text, place, { shift, pairs });
  const [first, ...others] = pairs;
  const mayMoveAlone = wasOneLine && others.every(({ sent, file }) => sent === file);
  if (!mayMoveAlone || first === undefined || replacement.kind === "unclear") return replacement;
  if (others.length > 0) return unclear(noShift);
  const isAllMoved = partsOf(pair.newText).every(
    (line) => line.trim() === "" || indentText(line).startsWith(first.sent),
  );
  return isAllMoved ? replacement : unclear(noShift);
}

/**
 * Whether both texts may be lines of a diff: the blank before each old line would mark an unchanged line, and a new
 * line has the mark of an added or removed one.
 */
function isDiff({ oldText, newText }: Pair, pairs: readonly IndentPair[]): boolean {
  const old = new Set(partsOf(withPlainEndings(oldText)));
  return (
    pairs.every(({ sent, file }) => sent === ` ${file}`) &&
    partsOf(withPlainEndings(newText)).some((line) => /^[+-]/u.test(line) && !old.has(line))
  );
}

const looksLikeDiff =
  "lines of new_string begin with + or - and those of old_string with a blank more than in the file, as in a diff";

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
  const asFile = (): Replacement => {
    if (!isKnownShift(pairs, options)) return unclear(noShift);
    // Lines that the new text leaves unchanged are then equal to those of the file, not to those sent.
    const oldText = indentedAsIn(lines, pair.oldText);
    const { newText } = pair;
    return replaceLines(text, place, {
      pair: { oldText, newText },
      adapt: (changed) => asInFile(changed, shift),
    });
  };
  const asSent = (): Replacement =>
    replaceLines(text, place, {
      pair,
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

function asInFile(
  changed: readonly string[],
  { pair, lines, lookAlikes }: Shift,
): readonly string[] | string {
  const adapted = lookAlikes ? inCharacters(changed, pair, lines) : changed;
  return typeof adapted === "string" ? adapted : withoutSentBlanks(adapted, pair.oldText, lines);
}

function indentedAsIn(lines: readonly string[], sent: string): string {
  return partsOf(withPlainEndings(sent))
    .map((line, index) => indentedAs(lines[index] ?? "", line))
    .join("\n");
}

const noShift =
  "the indentation of old_string is not shifted by the same for all lines, and new_string has others";
