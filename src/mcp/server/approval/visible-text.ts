/**
 * Makes every character visible that an interface might act on, so that a model cannot overwrite the text of a question
 * to the user. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}

/** Formats a value as one line of JSON with every character visible, which parses to the same value. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(controls, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Control and format characters except tab and line feed, and other line separators. */
const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
