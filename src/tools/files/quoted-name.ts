/** A file name as the heading of a diff has it: one with other characters than visible ASCII stands in quotes. */
export function quotedName(name: string): string {
  return /^[ !#-[\]-~]*$/u.test(name)
    ? name
    : `"${Array.from(encoder.encode(name), shown).join("")}"`;
}

const encoder = new TextEncoder();

const escapes: ReadonlyMap<number, string> = new Map([
  [0x07, String.raw`\a`],
  [0x08, String.raw`\b`],
  [0x09, String.raw`\t`],
  [0x0a, String.raw`\n`],
  [0x0b, String.raw`\v`],
  [0x0c, String.raw`\f`],
  [0x0d, String.raw`\r`],
  [0x22, String.raw`\"`],
  [0x5c, String.raw`\\`],
]);

function shown(byte: number): string {
  const escape = escapes.get(byte);
  if (escape !== undefined) return escape;
  const isVisible = byte >= 0x20 && byte <= 0x7e;
  return isVisible ? String.fromCodePoint(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
}
