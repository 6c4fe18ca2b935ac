import { blanksAfter } from "./fold.ts";
import { partsOf, withPlainEndings } from "./lines.ts";
import { foldLookAlikes } from "./look-alikes.ts";
import type { Pair } from "./replacement.ts";

/**
 * Blanks that every old line carries and the file does not are not wanted in new lines either, and those that
 * only the last line carries not at the end of the new text. A string says where that is not clear.
 */
export function withoutSentBlanks(
  changed: readonly string[],
  { oldText, newText }: Pair,
  lines: readonly string[],
): readonly string[] | string {
  const sent = partsOf(withPlainEndings(foldLookAlikes(oldText)));
  const blank = sent.flatMap((line, index) =>
    line.trim() === "" && line !== "" ? [lines[index] ?? ""] : [],
  );
  const isOther = (line: string): boolean =>
    line.trim() === "" && line !== "" && !sent.includes(line);
  const emptiesBlankLines = blank.length > 0 && blank.every((line) => line === "");
  if (emptiesBlankLines && changed.some((line) => isOther(line))) return otherBlanks;
  const full = sent.flatMap((line, index) =>
    line.trim() === "" ? [] : [[line, lines[index] ?? ""]],
  );
  const carried = full.map(([line = "", file = ""]) =>
    hasBlanksAfter(file) ? "" : blanksAfter(line),
  );
  // Other blanks than the old lines carry may be the new line's own.
  const trimsAll =
    !carried.includes("") &&
    changed.every((line) => line.trim() === "" || carried.includes(blanksAfter(line)));
  const plainNew = foldLookAlikes(newText);
  const carriesLast = carried.findIndex((blanks) => blanks !== "") === carried.length - 1;
  const trimmed = changed.map((line, index) => {
    if (line.trim() === "") return emptiesBlankLines || trimsAll ? "" : line;
    const isLast =
      carriesLast &&
      index === changed.length - 1 &&
      plainNew.endsWith(foldLookAlikes(line)) &&
      carried.includes(blanksAfter(line));
    return trimsAll || isLast ? line.slice(0, line.length - blanksAfter(line).length) : line;
  });
  // The blanks at its end may be those that stand within an old line, whose rest goes.
  const isRest = (line: string): boolean =>
    sent.some((each) => each.startsWith(line) && each.trimEnd().length > line.length);
  if (
    changed.some((line, index) => trimmed[index] !== line && line.trim() !== "" && isRest(line))
  ) {
    return keptWithin;
  }
  const sentBlanks = new Set(carried.filter((blanks) => blanks !== ""));
  // Two spaces end a line of Markdown; where they are not what was sent for nothing, they are meant.
  const isDoubtful = (line: string): boolean => {
    const blanks = blanksAfter(line);
    return line.trim() !== "" && blanks !== "" && (sentBlanks.has(blanks) || blanks !== hardBreak);
  };
  return sentBlanks.size > 0 && trimmed.some((line) => isDoubtful(line))
    ? "new_string has blanks at line ends, as old_string has where the file has none"
    : trimmed;
}

const otherBlanks =
  "new_string has other blanks alone on a line than old_string has where the file has none";

const keptWithin =
  "the blanks at the end of a line of new_string may be those within a line of old_string";

const hardBreak = "  ";

function hasBlanksAfter(line: string): boolean {
  return blanksAfter(line) !== "";
}
