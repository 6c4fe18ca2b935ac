import { indentText, leastIndent } from "../indent-style.ts";
import { linesOnce } from "../lines.ts";
import { likeness } from "../rival.ts";

export interface NumberedPair {
  /** The old text as it was sent, with a number before every line, and without them. */
  readonly sent: string;
  readonly oldText: string;
  /** Without any numbers. */
  readonly newText: string;
}

/** Numbers of lines are seldom set in a wider column. */
const leastShiftedWidth = 8;

/**
 * New text without the blanks that stand before all its lines and before all numbers of the old text: both were
 * indented when the numbers were there already. Undefined where the lines of both, or the numbers, do not show that.
 */
export function withoutShift({ sent, oldText, newText }: NumberedPair): string | undefined {
  const updated = newText.split("\n");
  const shift = shiftOf(oldText.split("\n"), updated);
  if (shift === undefined || shift === "" || !standsBeforeNumbers(shift, sent)) return undefined;
  if (!updated.every((line) => isBlankLine(line) || line.startsWith(shift))) return undefined;
  const plain = updated.map((line) => (line.startsWith(shift) ? line.slice(shift.length) : line));
  // Part of that much may set the numbers in a column, and the new lines may be deeper by as much.
  return leastIndent(plain) < leastIndent(oldText.split("\n")) ? undefined : plain.join("\n");
}

/** The blanks by which new lines differ from the old ones that they are: one of them alone may have changed a bit. */
function shiftOf(old: readonly string[], updated: readonly string[]): string | undefined {
  const known = linesOnce(old);
  const shared = updated.flatMap((line) => {
    const own = known.get(line.trim());
    return own === undefined ? [] : [{ own, line }];
  });
  const pairs = shared.length > 0 ? shared : firstLines(old, updated);
  const [shift, ...others] = new Set(
    pairs.map(({ own, line }) => {
      const [from, to] = [indentText(own), indentText(line)];
      return to.endsWith(from) ? to.slice(0, to.length - from.length) : "";
    }),
  );
  return others.length === 0 ? shift : undefined;
}

interface LinePair {
  readonly own: string;
  readonly line: string;
}

function firstLines(old: readonly string[], updated: readonly string[]): LinePair[] {
  const own = old.find((line) => !isBlankLine(line)) ?? "";
  const line = updated.find((each) => !isBlankLine(each)) ?? "";
  return likeness(own.trim(), line.trim()) > 0 ? [{ own, line }] : [];
}

/** Whether blanks stand before all numbers, and are not those by which numbers are set in a column. */
function standsBeforeNumbers(shift: string, sent: string): boolean {
  const columns = sent.split("\n").flatMap((line) => /^[ \t]*\d+/u.exec(line) ?? []);
  return columns.every(
    (column) =>
      column.startsWith(shift) &&
      (shift.includes("\t") || column.length >= leastShiftedWidth || column.trim().startsWith("0")),
  );
}

function isBlankLine(line: string): boolean {
  return line.trim() === "";
}
