/** Maximum number of bytes of a file name in a draft's name, which leaves room for the additions. */
const maxNameBytes = 200;
const form = /^\.(?<name>.+)\.(?<token>(?:[0-9a-f]{6}){2,3})\.draft$/su;
const encoder = new TextEncoder();

/**
 * Name of the draft with a file's new content, in the same directory, before it is renamed to the file. The token has
 * 18 hexadecimal digits, 12 in older versions.
 */
export function draftName(name: string, token: string): string {
  return `.${shortened(name)}.${token}.draft`;
}

/** The entries of a directory that are drafts of these names with a token that begins with the given text. */
export function draftsAmong(
  entries: readonly string[],
  names: readonly string[],
  mark = "",
): readonly string[] {
  const known = new Set(names.map(shortened));
  return entries.filter((entry) => {
    const { name = "", token = "" } = form.exec(entry)?.groups ?? {};
    return known.has(name) && token.startsWith(mark);
  });
}

function shortened(name: string): string {
  // A UTF-16 code unit takes at most three bytes.
  if (name.length * 3 <= maxNameBytes) return name;
  let short = name;
  while (encoder.encode(short).length > maxNameBytes) short = short.slice(0, -8);
  return short;
}
