/** Maximum characters of a path on the common systems; what is longer cannot be opened. */
const maxPathLength = 4096;
/** Maximum numbers of paths in one word, and of positions at which one may begin. */
const maxPaths = 64;
const maxStarts = 2000;

export interface SpellingOptions {
  /** Whether the word may be a text, such as code or a list of options, in which paths follow blanks and quotes. */
  readonly inText?: boolean;
  /** Whether one dash may precede several letters and then a value: `-kC/x`. Compilers read `-Ia/x` otherwise, but `-MF/x` too. */
  readonly clusters?: boolean;
}

/** Signs of a path that leads elsewhere, also percent-encoded. */
const mayLead = /[/~]|\.\.|%(?:2e|2f|7e)/iu;
const climbs = /(?:^|\/)\.\.(?:\/|$)/u;
/** The same anywhere in a text. */
const mayClimbIn = /(?<!\.)\.\.(?![\w.-])/u;
const leads = /^(?:\/|~(?:[A-Za-z_][\w-]*)?(?:\/|$))/u;

/** Address of a host on a network; `file:` and schemes without a host name a path instead. */
const address =
  /(?<![\w+.-])(?!(?:[\w+.-]*\+)?file:)[a-z][\w+.-]*:\/\/(?:[^\s/"'`,;@]*@)?(?=[\w[])(?:[^\s"'`,;:]|:(?!\/(?!\/)))*/giu;

/**
 * Paths that a word spells in any position where programs look for one: the whole word, behind `=`, `:`, `,`, `@` and
 * the like, in quotes, behind a blank, attached to a short option, in a `file:` URL. Only those that may leave the
 * directory they are relative to: absolute ones, those that begin with a tilde, and those with `..`. Undefined if there
 * are too many.
 */
export function spelledPaths(
  word: string,
  options: SpellingOptions = {},
): readonly string[] | undefined {
  if (!mayLead.test(word)) return noPaths;
  const found = new Set<string>();
  let starts = 0;
  for (const text of readings(word)) {
    const hidden = text.replaceAll(address, (url) => "x".repeat(url.length));
    const mayClimb = mayClimbIn.test(text);
    // A program that expects a path takes an address for one that begins with the directory `https:`.
    if (hidden !== text && mayClimb) addPath(text, found);
    for (const start of startsIn(hidden, options)) {
      if (!mayClimb && !/[-/~]/u.test(hidden.charAt(start.at))) continue;
      for (const path of pathsFrom(hidden, start, options)) addPath(path, found);
      starts += 1;
      if (found.size > maxPaths || starts > maxStarts) return undefined;
    }
  }
  return [...found];
}

const noPaths: readonly string[] = Object.freeze([]);

function addPath(path: string, found: Set<string>): void {
  if (leads.test(path) || climbs.test(path)) found.add(path);
}

/** The word, and what a program makes of it that takes it for a URL. */
function readings(word: string): readonly string[] {
  if (!/%[0-9a-f]{2}/iu.test(word)) return [word];
  const decoded = word.replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return [word, decoded];
}

interface Start {
  readonly at: number;
  /** Character before the start; "" at the start of the word. */
  readonly after: string;
}

/** A plus before a path is a sign of its own where nothing precedes it: `cargo +/x`, but not `c++/x`. */
const plainStart = /(?<=^|[=:,;@!|<>({[]|(?<![^=:,;])\+)[^\s=:,;@!|<>({["'`]/gu;
const textStart = /(?<=^|[\s=:,;@!|<>({["'`]|(?<![^\s=:,;<>"'`])\+)[^\s=:,;@!|<>({["'`]/gu;

function* startsIn(text: string, { inText = true }: SpellingOptions): Iterable<Start> {
  for (const { index } of text.matchAll(inText ? textStart : plainStart)) {
    yield { at: index, after: text.charAt(index - 1) };
  }
}

/** End of an entry of a list, and of a path whose name may contain the separators of lists. */
const narrowEnd = /[\s=:,;@!|(){}[\]<>&"'`]/u;
const wideEnd = /["'`]|[:;,](?=[/~.]|[\w-]+=|$)/u;
const blankEnd = /\s/u;

/** Rest of `</p>` in a text; `</p` without its end may be a file that is read. */
const closingTag = /^\/[A-Za-z][\w:-]*>/u;

function* pathsFrom(
  text: string,
  { at, after }: Start,
  { clusters = true }: SpellingOptions,
): Iterable<string> {
  const rest = text.slice(at, at + maxPathLength);
  if (after === "<" && closingTag.test(rest)) return;
  const isText = /^[\s"'`<>]$/u.test(after);
  const value = valueOf(rest, clusters);
  const narrow = cut(value, narrowEnd);
  // In a text a slash alone is a division or a separator, and `/^` begins a regular expression.
  if (isText && /^\/+(?:$|[^\w.*~@-])/u.test(narrow)) return;
  yield narrow;
  const wide = cut(value, wideEnd);
  yield blankEnd.test(after) ? cut(wide, blankEnd) : wide;
}

const clusterValue = /^--?[A-Za-z][\w-]*?(?=\/|~|\.\.(?:\/|$))/u;
/** Compilers read the value right behind one letter, or behind an option of several that takes it attached. */
const compilerValue = /^-(?:M[FTQ]|i[a-z]+|cxx-isystem|[A-Za-z])(?=\/|~|\.\.(?:\/|$))/u;

/** Value attached to an option: `-I/x`, `-kC/x`, `--file../x`; the whole text if it is not an option. */
function valueOf(rest: string, clusters: boolean): string {
  if (!rest.startsWith("-")) return rest;
  const attached = (clusters ? clusterValue : compilerValue).exec(rest);
  if (attached !== null) return rest.slice(attached[0].length);
  return /^-[A-Za-z][^-]/u.test(rest) && climbs.test(rest) ? rest.slice(2) : rest;
}

function cut(text: string, end: RegExp): string {
  const at = text.search(end);
  return at === -1 ? text : text.slice(0, at);
}
