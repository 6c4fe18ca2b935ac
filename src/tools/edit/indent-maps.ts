/** Maps from the indentation of a text as sent to that of the file: which one the lines of both prove. */

/** Indentation of the same line as sent and in the file. */
export interface IndentPair {
  readonly sent: string;
  readonly file: string;
}

/** Maps an indentation as sent to that of the file; undefined if it has none for it. */
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
  const { simple, loose } = fittingMaps(evidence);
  const proved = agreement(simple, unseen, evidence) ?? agreement(loose, unseen, evidence);
  if (proved === undefined || proved === "conflict") return undefined;
  return (sent) => seen.get(sent) ?? proved.get(sent);
}

/** Whether one shift, or one change of the unit, maps all indentations as sent to those of the file. */
export function isShift(evidence: IndentEvidence): boolean {
  const { simple, loose } = fittingMaps(evidence);
  return simple.length + loose.length > 0;
}

interface FittingMaps {
  /** Maps derived from the pairs without a shift of levels, which take precedence. */
  readonly simple: readonly IndentMap[];
  /** Maps that assume such a shift. */
  readonly loose: readonly IndentMap[];
}

/** Maps that take every line as sent to that of the file. */
function fittingMaps(evidence: IndentEvidence): FittingMaps {
  const { pairs } = evidence;
  const fits = (map: IndentMap): boolean => pairs.every(({ sent, file }) => map(sent) === file);
  const sameLevel = levelMaps(evidence, "same-level").filter((map) => fits(map));
  const simple = [shiftMap(pairs), ...sameLevel].filter((map) => fits(map));
  // If the widths fit without a shift, an indentation that they do not explain does not have another width.
  const isExplained = sameLevel.length > 0 && pairs.some(({ sent }) => sent !== "");
  const loose = isExplained ? [] : levelMaps(evidence, "any-level").filter((map) => fits(map));
  return { simple, loose };
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

/** Map that adds the same blanks to every line, or removes them. */
function shiftMap(pairs: readonly IndentPair[]): IndentMap {
  const { sent, file } = pairs.find((pair) => pair.sent !== pair.file) ?? unindented;
  if (file.endsWith(sent)) {
    const added = file.slice(0, file.length - sent.length);
    return (each) => added + each;
  }
  const removed = sent.slice(0, sent.length - file.length);
  return (each) => (each.startsWith(removed) ? each.slice(removed.length) : undefined);
}

const unindented: IndentPair = { sent: "", file: "" };

/** Whether a level as sent is the same level in the file, or one that is a number of levels deeper or less deep. */
type LevelShift = "same-level" | "any-level";

/** Spaces in one level, or "tab". */
type Unit = number | "tab";

/** Maps that convert each level of the lines as sent, in their unit, to one of the file, in its unit. */
function levelMaps(evidence: IndentEvidence, mode: LevelShift): IndentMap[] {
  const { pairs } = evidence;
  const distinct = new Set(pairs.map(({ sent }) => sent)).size;
  const maps: IndentMap[] = [];
  for (const from of sentUnits(evidence, mode)) {
    for (const to of fileUnits(evidence, mode)) {
      // Between two widths of spaces, one pair of lines does not prove a level.
      const isProved = from === "tab" || to === "tab" || mode === "same-level" || distinct > 1;
      const map = isProved ? levelMap(pairs, { from, to, mode }) : undefined;
      if (map !== undefined) maps.push(map);
    }
  }
  return maps;
}

interface Units {
  readonly from: Unit;
  readonly to: Unit;
  readonly mode: LevelShift;
}

function levelMap(pairs: readonly IndentPair[], { from, to, mode }: Units): IndentMap | undefined {
  const [base = unindented] = pairs;
  const sentLevel = levelOf(base.sent, from);
  const fileLevel = levelOf(base.file, to);
  if (sentLevel === undefined || fileLevel === undefined) return undefined;
  const shift = fileLevel.level - sentLevel.level;
  if (mode === "same-level" && shift !== 0) return undefined;
  const rests = new Set(pairs.map(({ sent }) => levelOf(sent, from)?.rest));
  // More than the one space that aligns a comment is not a level. It is copied if a line shows it, or if it is
  // narrower than a tab in a line that has some.
  const narrowerThan =
    mode === "same-level" && from === "tab" && sentLevel.level > 0 ? Number(to) : 0;
  return (sent) => {
    const at = levelOf(sent, from);
    if (at === undefined || at.level + shift < 0) return undefined;
    if (at.rest > 1 && !(at.rest < narrowerThan) && !rests.has(at.rest)) return undefined;
    const unit = to === "tab" ? "\t" : " ".repeat(to);
    return unit.repeat(at.level + shift) + " ".repeat(at.rest);
  };
}

/** Units in which the lines may have been sent. */
function sentUnits({ pairs, sent }: IndentEvidence, mode: LevelShift): Unit[] {
  if (sent.some((indent) => indent.includes("\t"))) return ["tab"];
  const step = smallestStep(sent);
  if (mode === "any-level") return step === undefined ? [] : [step];
  // On the same level, any one line that is indented on both sides determines the unit.
  const units = new Set<number>();
  for (const { sent: own, file } of pairs.filter((pair) => pair.file.startsWith("\t"))) {
    units.add(Math.floor(own.length / (parseIndent(file)?.tabs ?? 0)));
  }
  units.add(step ?? 0);
  return [...units].filter((unit) => unit > 1);
}

/** Units in which the file may be indented. */
function fileUnits({ pairs, text }: IndentEvidence, mode: LevelShift): Unit[] {
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

/** Blanks at the start of a line: `tabs` tabs followed by `spaces` spaces. */
export interface Indent {
  readonly tabs: number;
  readonly spaces: number;
}

/** White space before the first character of a line; characters that look like a space count as one. */
export function indentText(line: string): string {
  return (/^[\t \u00A0\u2000-\u200A\u202F\u205F\u3000]*/u.exec(line)?.[0] ?? "").replaceAll(
    /[^\t]/gu,
    " ",
  );
}

/** Smallest indentation of a line with content; infinite if there is none. */
export function leastIndent(lines: readonly string[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    const content = line.trimStart();
    if (content !== "") least = Math.min(least, line.length - content.length);
  }
  return least;
}

/** Parses an indentation. Undefined if a tab follows a space: its width then depends on the viewer. */
export function parseIndent(indent: string): Indent | undefined {
  const tabs = /^\t*/u.exec(indent)?.[0].length ?? 0;
  const spaces = indent.length - tabs;
  return indent.slice(tabs).includes("\t") ? undefined : { tabs, spaces };
}

/** Number of spaces in one level of a file, or "tab"; undefined if its lines do not show it. */
export function indentUnit(text: string): number | "tab" | undefined {
  let tabs = 0;
  const steps = new Map<number, number>();
  let previous = 0;
  let at = 0;
  for (let scanned = 0; scanned < maxScannedLines; scanned++) {
    const feed = text.indexOf("\n", at);
    const end = feed === -1 ? text.length : feed;
    let spaces = at;
    while (text[spaces] === " ") spaces++;
    const width = spaces - at;
    if (text[at] === "\t") tabs++;
    else if (spaces < end && text[spaces] !== "\r" && text[spaces] !== "*") {
      // One additional space is an alignment, such as that of a comment, and not a level.
      if (width - previous > 1) steps.set(width - previous, (steps.get(width - previous) ?? 0) + 1);
      previous = width;
    }
    if (feed === -1) break;
    at = feed + 1;
  }
  let unit: number | undefined;
  let most = 0;
  let all = 0;
  for (const [step, count] of steps) {
    all += count;
    if (count > most) [unit, most] = [step, count];
  }
  return tabs > all ? "tab" : unit;
}

const maxScannedLines = 2000;

export function isBlankLine(line: string): boolean {
  return line.trim() === "";
}
