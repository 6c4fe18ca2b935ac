/** Layout of a JSON text. */
export interface JsonStyle {
  /** One level of indentation; "" if everything is on one line. */
  readonly indent: string;
  /** Line break between values; "" if everything is on one line. */
  readonly newline: string;
  /** Whether characters above 127 are written as \u escapes. */
  readonly isAscii: boolean;
}

/** Layout of an object's text, derived from its first key and its characters. */
export function jsonStyle(text: string): JsonStyle {
  const first = /^\uFEFF?\s*\{(\r?\n)([ \t]*)/u.exec(text);
  const isAscii = !/[^\0-\u007F]/u.test(text) && /\\u[0-9a-f]{4}/iu.test(text);
  return { newline: first?.[1] ?? "", indent: first?.[2] ?? "", isAscii };
}

/** Formats a value in that layout, `depth` levels deep. */
export function writeJson(value: unknown, style: JsonStyle, depth: number): string {
  const plain = JSON.stringify(value, null, style.indent);
  const laid =
    style.newline === ""
      ? plain
      : plain.replaceAll("\n", style.newline + style.indent.repeat(depth));
  return style.isAscii ? laid.replaceAll(/[^\0-\u007F]/gu, escaped) : laid;
}

function escaped(char: string): string {
  return char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
