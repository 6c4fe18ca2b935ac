/** How models and clients spell tool names, and which differences matter. */

/** Folds casing: two tools never differ by casing alone. */
export function foldName(name: string): string {
  return name.toLowerCase();
}

/** Letters and digits of a name, without its style: `ReadFile`, `read_file` and `read-file` are equal. */
export function squashName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Names that a written name may mean, likeliest first: unchanged, then without characters that models leak around it,
 * then without the namespaces that providers and clients prefix. Namespaces of other servers stay: `github.Read` is not
 * our Read.
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

/**
 * Maximum number of namespaces removed. `functions.mcp__haft__Read` has two; no model is known to send more than three.
 */
const maxNamespaces = 3;

/** A channel token, a call index or empty parentheses: `Read<|channel|>json`, `Read:0`, `Read()`. */
const leakedTail = /(?:<\|.*|:\d+|\(\s*\))$/su;

/** Words that mean "the tools", and haft as a server in another client's configuration. */
const namespace =
  /^(?:(?:functions?|tools?|default_api|multi_tool_use|haft)(?:\.|::?|\/|__)|mcp__?haft__?)(?=.)/iu;
