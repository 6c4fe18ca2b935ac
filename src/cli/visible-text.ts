/**
 * The text with everything a terminal would act on made visible, so that a file or a model cannot paint over what a
 * person is asked. Line ends and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(controls, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return `\\u{${code.toString(16)}}`;
  });
}

/** Control characters but tab and line feed, and the marks that turn the direction of text around. */
const controls = /(?![\t\n])[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;
