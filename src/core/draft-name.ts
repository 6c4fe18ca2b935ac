/** Bytes of a file name that leave room for what a draft's name adds. */
const maxNameBytes = 200;
const form = /^\.(?<name>.+)\.[0-9a-f]{12}\.draft$/su;
const encoder = new TextEncoder();

/** The name of a file's new content before it takes the file's place, in the same folder; the token is 12 hex digits. */
export function draftName(name: string, token: string): string {
  return `.${shortened(name)}.${token}.draft`;
}

/** Those of some entries of a folder that are drafts of these names in it. */
export function draftsAmong(
  entries: readonly string[],
  names: readonly string[],
): readonly string[] {
  const known = new Set(names.map(shortened));
  return entries.filter((entry) => known.has(form.exec(entry)?.groups?.["name"] ?? ""));
}

function shortened(name: string): string {
  // No unit of a name takes more than three bytes.
  if (name.length * 3 <= maxNameBytes) return name;
  let short = name;
  while (encoder.encode(short).length > maxNameBytes) short = short.slice(0, -8);
  return short;
}
