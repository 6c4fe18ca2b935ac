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
