import { createScanner, findNodeAtLocation, parseTree, type Node } from "jsonc-parser";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Removes a property from JSON with comments; every comment stays, because it may be about what is next to it. */
export function removeProperty(text: string, path: readonly string[]): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const property = root && findNodeAtLocation(root, [...path])?.parent;
  if (property?.type !== "property") return text;
  const end = property.offset + property.length;
  const siblings = property.parent?.children ?? [];
  const before = siblings[siblings.indexOf(property) - 1];
  const comma = commaAfter(end, text) ?? (before && commaAfter(endOf(before), text));
  const spans: Span[] = [{ start: property.offset, end }];
  if (comma !== undefined) spans.push({ start: comma, end: comma + 1 });
  return spans
    .toSorted((one, other) => other.start - one.start)
    .reduce((left, span) => without(span, left), text);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Position of the comma that follows, past blanks and comments. */
function commaAfter(position: number, text: string): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(position);
  scanner.scan();
  return text[scanner.getTokenOffset()] === "," ? scanner.getTokenOffset() : undefined;
}

/** Removes a span, and its line if nothing else is on it. */
function without({ start, end }: Span, text: string): string {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const lineEnd = text.indexOf("\n", end);
  const isAlone =
    lineEnd !== -1 &&
    text.slice(lineStart, start).trim() === "" &&
    text.slice(end, lineEnd).trim() === "";
  return isAlone
    ? text.slice(0, lineStart) + text.slice(lineEnd + 1)
    : text.slice(0, start) + text.slice(end);
}
