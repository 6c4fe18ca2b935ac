/** Name under which robots.txt files may name haft. */
const agentName = "haft";

/** Characters of a robots.txt that are read. */
export const maxRobotsChars = 500_000;

interface Rule {
  readonly allows: boolean;
  readonly path: string;
}

/**
 * Whether a robots.txt lets haft fetch a path. A page that a user's task needs is not crawled, so rules for all crawlers
 * do not apply; those that name haft do. The longest matching path decides; at equal length, allow.
 */
export function robotsAllow(robots: string, path: string): boolean {
  const rules = rulesFor(robots).filter((rule) => matches(rule.path, path));
  const [longest] = rules.toSorted(
    (one, other) =>
      other.path.length - one.path.length || Number(other.allows) - Number(one.allows),
  );
  return longest?.allows ?? true;
}

function rulesFor(robots: string): readonly Rule[] {
  const rules: Rule[] = [];
  let isOurs = false;
  let isNaming = false;
  for (const line of robots.slice(0, maxRobotsChars).split(/\r\n|\r|\n/u)) {
    const [, name = "", value = ""] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/iu.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === "user-agent") {
      // Several names in a row share the rules that follow.
      if (!isNaming) isOurs = false;
      isNaming = true;
      if (value.toLowerCase() === agentName) isOurs = true;
    } else if (key !== "") {
      isNaming = false;
      if (isOurs && value !== "" && (key === "allow" || key === "disallow")) {
        rules.push({ allows: key === "allow", path: value });
      }
    }
  }
  return rules;
}

/** Whether a path begins with a pattern, in which `*` is any text and `$` at its end the end of the path. */
function matches(pattern: string, path: string): boolean {
  const isEnd = pattern.endsWith("$");
  const parts = (isEnd ? pattern.slice(0, -1) : pattern).split("*");
  const [first = "", ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const found = isEnd && isLast ? path.lastIndexOf(part) : path.indexOf(part, at);
    if (found < at) return false;
    at = found + part.length;
  }
  return !isEnd || at === path.length;
}
