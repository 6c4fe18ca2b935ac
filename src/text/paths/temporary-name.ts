/** Bytes of a file name that leave room for what a draft's name adds. */
const maxNameBytes = 200;
const form = /^\.(?<name>.+)\.(?<token>(?:[0-9a-f]{6}){2,3})\.draft$/su;
const encoder = new TextEncoder();

/** The name of a file's new content before it takes the file's place, in the same folder; the token is 18 hex digits, in older versions 12. */
export function draftName(name: string, token: string): string {
  return `.${shortened(name)}.${token}.draft`;
}

/** Those of some entries of a folder that are drafts of these names in it, with a token that begins so. */
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
  // No unit of a name takes more than three bytes.
  if (name.length * 3 <= maxNameBytes) return name;
  let short = name;
  while (encoder.encode(short).length > maxNameBytes) short = short.slice(0, -8);
  return short;
}
