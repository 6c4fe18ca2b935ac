/**
 * Makes control characters visible, so that a file or a model cannot overwrite the question shown to the user. Line
 * ends and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `\\u{${code.toString(16)}}`;
  });
}

/** Returns JSON in one line with control characters visible, which parses to the same value. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(controls, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/**
 * Control and format characters except tab and line feed, and other line separators. Joiners between letters outside
 * ASCII stay: there they are part of how a script or an emoji is written.
 */
const controls =
  /(?![\t\n]|(?<=[^\p{ASCII}])[\u200C\u200D](?=[^\p{ASCII}]))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
