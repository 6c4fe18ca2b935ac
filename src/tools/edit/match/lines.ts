/** Number of line breaks in `text` from `start` up to `end`. */
export function countNewlines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) {
    count++;
  }
  return count;
}

/** Lines without their endings; text that ends with a line break has no empty last line. */
export function splitLines(text: string): string[] {
  const lines = partsOf(text);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Lines whose trimmed content is unique, by that content. */
export function linesOnce(lines: readonly string[]): ReadonlyMap<string, string> {
  const once = new Map<string, string>();
  const twice = new Set<string>([""]);
  for (const line of lines) {
    const content = line.trim();
    if (once.delete(content)) twice.add(content);
    else if (!twice.has(content)) once.set(content, line);
  }
  return once;
}

/** Parts between the line breaks of a text; one that ends with a line break has an empty last part. */
export function partsOf(text: string): string[] {
  const parts = text.split("\n");
  if (!text.includes("\r")) return parts;
  return parts.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** Replaces every `\r\n` by `\n`. */
export function withPlainEndings(text: string): string {
  return text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
}

/** First line ending at or after an offset, otherwise the last one before it; undefined in a text of one line. */
export function lineEndingAt(text: string, start: number): string | undefined {
  const after = text.indexOf("\n", start);
  const at = after === -1 ? text.lastIndexOf("\n") : after;
  if (at === -1) return undefined;
  return text[at - 1] === "\r" ? "\r\n" : "\n";
}
