/** Answer of an ignore file for a path: ignored, included again, or no matching rule. */
export type IgnoreAnswer = "ignored" | "kept" | undefined;

interface Rule {
  readonly index: number;
  readonly answer: "ignored" | "kept";
  readonly isForDirectories: boolean;
}

interface PatternRule extends Rule {
  readonly regex: RegExp;
  /** Whether the rule matches the path relative to the ignore file; otherwise it matches the last name alone. */
  readonly isAnchored: boolean;
}

/**
 * The rules of one ignore file in gitignore syntax; the last matching rule decides. Test a path only if no directory
 * above it is ignored, as in a walk from the top.
 */
export class IgnoreFile {
  // Most rules are a name or a suffix; these are looked up, so that a long file costs no more than a short one.
  readonly #names = new Map<string, Rule[]>();
  readonly #endings = new Map<string, Rule[]>();
  readonly #patterns: PatternRule[] = [];

  constructor(text: string) {
    for (const [index, line] of text.split(/\r?\n/u).entries()) this.#add(line, index);
    this.#patterns.reverse();
  }

  get isEmpty(): boolean {
    return this.#names.size + this.#endings.size + this.#patterns.length === 0;
  }

  /** Tests an entry. `below` is the path relative to the ignore file's directory, `name` its last component. */
  test(below: string, name: string, isDirectory: boolean): IgnoreAnswer {
    let best = last(this.#names.get(name), isDirectory, undefined);
    if (this.#endings.size > 0) {
      for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
        best = last(this.#endings.get(name.slice(dot)), isDirectory, best);
      }
    }
    for (const rule of this.#patterns) {
      if (best !== undefined && rule.index < best.index) break;
      if (rule.isForDirectories && !isDirectory) continue;
      if (rule.regex.test(rule.isAnchored ? below : name)) {
        best = rule;
        break;
      }
    }
    return best?.answer;
  }

  #add(line: string, index: number): void {
    let glob = withoutTrailingBlanks(line);
    if (glob === "" || glob.startsWith("#")) return;
    const isKept = glob.startsWith("!");
    if (isKept) glob = glob.slice(1);
    const isForDirectories = glob.endsWith("/");
    if (isForDirectories) glob = glob.slice(0, -1);
    const isAnchored = glob.includes("/");
    if (glob.startsWith("/")) glob = glob.slice(1);
    if (glob === "") return;
    const rule: Rule = { index, answer: isKept ? "kept" : "ignored", isForDirectories };
    const name = glob.startsWith("**/") ? glob.slice(3) : isAnchored ? undefined : glob;
    if (name !== undefined && /^[^*?[\\/]+$/u.test(name)) push(this.#names, name, rule);
    else if (name !== undefined && /^\*\.[^*?[\\/]+$/u.test(name)) {
      push(this.#endings, name.slice(1), rule);
    } else {
      const regex = ignoreRegex(glob);
      if (regex !== undefined) this.#patterns.push({ ...rule, regex, isAnchored });
    }
  }
}

/** The later of the best rule so far and the last of these rules that matches such an entry. */
function last(
  rules: readonly Rule[] | undefined,
  isDirectory: boolean,
  best: Rule | undefined,
): Rule | undefined {
  if (rules === undefined) return best;
  const found = rules.findLast((rule) => isDirectory || !rule.isForDirectories);
  return found !== undefined && found.index > (best?.index ?? -1) ? found : best;
}

function push(rules: Map<string, Rule[]>, key: string, rule: Rule): void {
  const known = rules.get(key);
  if (known === undefined) rules.set(key, [rule]);
  else known.push(rule);
}

function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end -= 1;
  return line.slice(0, end);
}

/** A gitignore glob as a regular expression; undefined if it cannot match anything. */
function ignoreRegex(glob: string): RegExp | undefined {
  let source = "";
  for (let at = 0; at < glob.length;) {
    const { text, length } = ignorePart(glob, at);
    source += text;
    at += length;
  }
  try {
    return new RegExp(`^${source}$`, "su");
  } catch {
    // Like git, treat a rule with an unclosed class as having no effect.
    return undefined;
  }
}

interface Part {
  readonly text: string;
  readonly length: number;
}

function ignorePart(glob: string, at: number): Part {
  const character = glob[at] ?? "";
  const isAtStart = at === 0 || glob[at - 1] === "/";
  if (isAtStart && glob.startsWith("**/", at)) return { text: "(?:[^/]+/)*", length: 3 };
  if (isAtStart && glob.slice(at) === "**") return { text: ".+", length: 2 };
  if (character === "*") {
    const { length } = /^\*+/u.exec(glob.slice(at))?.[0] ?? "*";
    return { text: "[^/]*", length };
  }
  if (character === "?") return { text: "[^/]", length: 1 };
  if (character === "\\" && at + 1 < glob.length) {
    const whole = String.fromCodePoint(glob.codePointAt(at + 1) ?? 0);
    return { text: escaped(whole), length: 1 + whole.length };
  }
  if (character === "[") return ignoreClass(glob, at);
  const whole = String.fromCodePoint(glob.codePointAt(at) ?? 0);
  return { text: escaped(whole), length: whole.length };
}

function ignoreClass(glob: string, at: number): Part {
  const found = /^\[([!^]?)(\]?(?:\\.|[^\]\\])*)\]/su.exec(glob.slice(at));
  // An unclosed class matches nothing.
  if (found === null) return { text: "(?!)", length: glob.length - at };
  const [whole, negation, members = ""] = found;
  const inside = members.replaceAll(/\\(.)|[\][^]/gsu, (match, literal: string | undefined) =>
    literal === undefined ? `\\${match}` : escapedInClass(literal),
  );
  const text = negation === "" ? `(?!/)[${inside}]` : `(?!/)[^${inside}]`;
  return { text, length: whole.length };
}

function escapedInClass(text: string): string {
  return /[\]\\^[-]/u.test(text) ? `\\${text}` : text;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);
}
