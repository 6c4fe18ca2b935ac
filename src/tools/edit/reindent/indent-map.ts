import { indentUnit, parseIndent, type Indent } from "./indent-style.ts";

/** Indentation of the same line as sent and in the file. */
export interface IndentPair {
  readonly sent: string;
  readonly file: string;
}

/** Maps an indentation as sent to that of the file; undefined if none is proved. */
export type IndentMap = (sent: string) => string | undefined;

export interface IndentEvidence {
  readonly pairs: readonly IndentPair[];
  /** Indentations of the lines as sent, in their order, old text before new. */
  readonly sent: readonly string[];
  /** Indentations to map. */
  readonly wanted: readonly string[];
  readonly text: string;
}

/**
 * Whether the mapping is consistent: lines with equal indentation as sent have equal indentation in the file, all of
 * measurable width, and lines that are deeper as sent are deeper in the file.
 */
export function isUniform(pairs: readonly IndentPair[]): boolean {
  const files = new Map<string, string>();
  for (const { sent, file } of pairs) {
    if (parseIndent(sent) === undefined || (files.get(sent) ?? file) !== file) return false;
    files.set(sent, file);
  }
  const byDepth = [...files].toSorted(([one], [other]) => widthOf(one) - widthOf(other));
  return byDepth.every(([, file], index) => {
    const next = byDepth[index + 1];
    return next === undefined || widthOf(file) < widthOf(next[1]);
  });
}

/** Width of an indentation in which a tab is wider than any blanks before it. */
function widthOf(indent: string): number {
  return indent.replaceAll("\t", "        ").length;
}

/**
 * The only map that takes the indentation of the lines as sent to that of the file and covers every wanted one.
 * Undefined if there is none, or if two equally simple ones disagree.
 */
export function proveIndentMap(evidence: IndentEvidence): IndentMap | undefined {
  const { pairs, wanted } = evidence;
  const seen = new Map(pairs.map(({ sent, file }) => [sent, file]));
  const unseen = wanted.filter((indent) => !seen.has(indent));
  if (unseen.length === 0) return (sent) => seen.get(sent);
  // A map derived from the pairs without a shift of levels takes precedence over one that assumes such a shift.
  const sameLevel = retabs(evidence, "same-level").filter((map) => fits(map, pairs));
  const plain = [...shifts(evidence).filter((map) => fits(map, pairs)), ...sameLevel];
  const anyLevel = retabs(evidence, "any-level").filter((map) => fits(map, pairs));
  const isIndented = pairs.some(({ sent }) => sent !== "");
  // If the widths fit without a shift, an indentation that they do not explain does not have another width.
  const loose = sameLevel.length > 0 && isIndented ? [] : anyLevel;
  const proved = agreement(plain, unseen, evidence) ?? agreement(loose, unseen, evidence);
  if (proved === undefined || proved === "conflict") return undefined;
  return (sent) => seen.get(sent) ?? proved.get(sent);
}

/** Whether one shift, or one change of the unit, maps all indentations as sent to those of the file. */
export function isShift(evidence: IndentEvidence): boolean {
  const maps = [
    ...shifts(evidence),
    ...retabs(evidence, "same-level"),
    ...retabs(evidence, "any-level"),
  ];
  return maps.some((map) => fits(map, evidence.pairs));
}

function fits(map: IndentMap, pairs: readonly IndentPair[]): boolean {
  return pairs.every(({ sent, file }) => map(sent) === file);
}

/** Results of the maps that cover every wanted indentation, if they all agree. */
function agreement(
  maps: readonly IndentMap[],
  unseen: readonly string[],
  evidence: IndentEvidence,
): ReadonlyMap<string, string> | "conflict" | undefined {
  const results = maps.flatMap((map) => {
    const result = new Map<string, string>();
    for (const indent of unseen) {
      const to = map(indent);
      if (to === undefined || !isPlausible({ sent: indent, file: to }, evidence)) return [];
      result.set(indent, to);
    }
    return [result];
  });
  const [first, ...others] = results;
  const agrees = others.every((other) =>
    unseen.every((indent) => other.get(indent) === first?.get(indent)),
  );
  return agrees ? first : "conflict";
}

/**
 * Whether the file could have this indentation: no mixture of tabs and spaces that its lines do not show, and whole
 * levels for whole levels.
 */
function isPlausible({ sent, file }: IndentPair, { pairs, text }: IndentEvidence): boolean {
  const parsed = parseIndent(file);
  if (parsed === undefined) return false;
  const inFile = pairs.map((pair) => parseIndent(pair.file));
  if (parsed.tabs > 0) {
    // One space after tabs aligns the asterisks of a comment.
    return parsed.spaces <= 1 || inFile.some((each) => each?.spaces === parsed.spaces);
  }
  // A unit of tabs yields NaN, and nothing is a multiple of that.
  const width = Number(indentUnit(text));
  const isWhole = (each: Indent | undefined): boolean =>
    each !== undefined && each.tabs === 0 && each.spaces % width === 0;
  return !inFile.every((each) => isWhole(each)) || !isWhole(parseIndent(sent)) || isWhole(parsed);
}

/** Maps that add the same blanks to every line, or remove them. The caller checks whether they fit all pairs. */
function shifts({ pairs }: IndentEvidence): IndentMap[] {
  const { sent, file } = pairs.find((pair) => pair.sent !== pair.file) ?? unindented;
  if (file.endsWith(sent)) {
    const added = file.slice(0, file.length - sent.length);
    return [(each) => added + each];
  }
  const taken = sent.slice(0, sent.length - file.length);
  return [(each) => (each.startsWith(taken) ? each.slice(taken.length) : undefined)];
}

/** Maps that convert each level of the lines as sent, in their unit, to one of the file, in its unit. */
function retabs(evidence: IndentEvidence, mode: "same-level" | "any-level"): IndentMap[] {
  const { pairs } = evidence;
  const distinct = new Set(pairs.map(({ sent }) => sent)).size;
  const maps: IndentMap[] = [];
  for (const from of sentUnits(evidence, mode)) {
    for (const to of fileUnits(evidence, mode)) {
      // Between two widths of spaces, one pair of lines does not prove a level.
      const isProved = from === "tab" || to === "tab" || mode === "same-level" || distinct > 1;
      if (!isProved) continue;
      const [base = unindented] = pairs;
      const sentLevel = levelOf(base.sent, from);
      const fileLevel = levelOf(base.file, to);
      if (sentLevel === undefined || fileLevel === undefined) continue;
      const shift = fileLevel.level - sentLevel.level;
      if (mode === "same-level" && shift !== 0) continue;
      maps.push((sent) => {
        const at = levelOf(sent, from);
        if (at === undefined || at.level + shift < 0) return undefined;
        // More than the one space that aligns a comment is not a level. It is copied if a line shows it, or if it is
        // narrower than a tab in a line that has some.
        const isLess =
          mode === "same-level" && from === "tab" && at.rest < Number(to) && sentLevel.level > 0;
        if (
          at.rest > 1 &&
          !isLess &&
          !pairs.some((each) => levelOf(each.sent, from)?.rest === at.rest)
        )
          return undefined;
        const unit = to === "tab" ? "\t" : " ".repeat(to);
        return unit.repeat(at.level + shift) + " ".repeat(at.rest);
      });
    }
  }
  return maps;
}

const unindented: IndentPair = { sent: "", file: "" };

type Unit = number | "tab";

function sentUnits({ pairs, sent }: IndentEvidence, mode: "same-level" | "any-level"): Unit[] {
  if (sent.some((indent) => indent.includes("\t"))) return ["tab"];
  const step = smallestStep(sent);
  if (mode === "any-level") return step === undefined ? [] : [step];
  // On the same level, any one line that is indented on both sides determines the unit.
  const units = new Set<Unit>();
  for (const { sent: own, file } of pairs.filter((pair) => pair.file.startsWith("\t"))) {
    units.add(Math.floor(own.length / (parseIndent(file)?.tabs ?? 0)));
  }
  units.add(step ?? 0);
  return [...units].filter((unit) => unit === "tab" || unit > 1);
}

function fileUnits({ pairs, text }: IndentEvidence, mode: "same-level" | "any-level"): Unit[] {
  if (pairs.some(({ file }) => file.includes("\t"))) return ["tab"];
  const unit = indentUnit(text);
  if (unit === "tab" || unit === undefined) return [2, 4];
  const width = mode === "any-level" ? widthOfTab(pairs) : undefined;
  return [unit, width ?? unit];
}

/**
 * Width of a tab in spaces according to a pair of lines on the same level, whatever other lines of the file suggest.
 */
function widthOfTab(pairs: readonly IndentPair[]): number | undefined {
  for (const { sent, file } of pairs.filter((pair) => /^\t+ ?$/u.test(pair.sent))) {
    // One space after the tabs aligns a comment, in the file as well.
    const spaces = sent.endsWith(" ") ? 1 : 0;
    const width = (file.length - spaces) / (sent.length - spaces);
    if (width > 1) return Number.isInteger(width) ? width : undefined;
  }
  return undefined;
}

/** Smallest difference between two consecutive indentations of spaces: one level of the lines as sent. */
function smallestStep(sent: readonly string[]): number | undefined {
  let least: number | undefined;
  for (const [index, indent] of sent.entries()) {
    const previous = index === 0 ? indent.length : (sent[index - 1]?.length ?? 0);
    const step = Math.abs(indent.length - previous);
    if (step > 1) least = Math.min(least ?? step, step);
  }
  return least;
}

function levelOf(indent: string, unit: Unit): { level: number; rest: number } | undefined {
  const parsed = parseIndent(indent);
  if (parsed === undefined) return undefined;
  if (unit === "tab") return { level: parsed.tabs, rest: parsed.spaces };
  if (parsed.tabs > 0) return undefined;
  return { level: Math.floor(parsed.spaces / unit), rest: parsed.spaces % unit };
}
