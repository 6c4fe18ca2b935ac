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

/** A name as it is, or as JSON where it has a character that cannot be seen or moves others: it must look like one name. */
export function visibleName(name: string): string {
  return name.search(controls) === -1 && !/[\t\n]/u.test(name) ? name : visibleJson(name);
}

/**
 * Control and format characters except tab and line feed, and other line separators. Joiners between letters outside
 * ASCII stay: there they are part of how a script or an emoji is written.
 */
const controls =
  /(?![\t\n]|(?<=[^\p{ASCII}])[\u200C\u200D](?=[^\p{ASCII}]))[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
