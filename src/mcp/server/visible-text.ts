/**
 * The text with everything that an interface might act on made visible, so that a model cannot paint over what a
 * person is asked. Line ends and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `\\u{${code.toString(16)}}`;
  });
}

/** As JSON in one line that shows all of it, and that is read back as the same value. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(controls, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/** Control and format characters but tab and line feed, and what ends a line beside it. */
const controls = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
