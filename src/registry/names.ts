/** How models and clients write a tool's name, and what of it counts. */

/** Casing never tells two tools apart. */
export function foldName(name: string): string {
  return name.toLowerCase();
}

/** What is left of a name in every style: `ReadFile`, `read_file` and `read-file` are one. */
export function squashName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * The names a written name may stand for, likeliest first: as it is, without what models leak around it, then
 * without the namespaces that providers and clients put in front. Namespaces of other servers are not taken
 * off: `github.Read` is not our Read.
 */
export function spellings(name: string): readonly string[] {
  const clean = name
    .trim()
    .replace(/^["'`]+|["'`]+$/gu, "")
    .replace(leakedTail, "");
  const found = new Set([name, clean]);
  let rest = clean;
  for (let depth = 0; depth < maxNamespaces; depth++) {
    const match = namespace.exec(rest);
    if (match === null) break;
    rest = rest.slice(match[0].length);
    found.add(rest);
  }
  found.delete("");
  return [...found];
}

/** `functions.mcp__haft__Read` has two; more than three is no model's habit. */
const maxNamespaces = 3;

/** A channel token, a call index or empty parentheses: `Read<|channel|>json`, `Read:0`, `Read()`. */
const leakedTail = /(?:<\|.*|:\d+|\(\s*\))$/su;

/** Words that stand for "the tools", and ourselves as another client's server. */
const namespace =
  /^(?:(?:functions?|tools?|default_api|multi_tool_use|haft)(?:\.|::?|\/|__)|mcp__?haft__?)(?=.)/iu;
