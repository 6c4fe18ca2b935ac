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

/** As JSON in one line that shows all of it, and that is read back as the same value. */
export function visibleJson(value: unknown): string {
  return (JSON.stringify(value) ?? "").replaceAll(controls, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}

/**
 * Control and format characters but tab and line feed, and what ends a line beside it. Joiners stay where letters that
 * are not of ASCII stand around them: there they are part of how a script or a picture is written.
 */
const controls =
  /(?![\t\n]|(?<=[^\p{ASCII}])[\u200C\u200D](?=[^\p{ASCII}]))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
