import { everydayParts, protectedPaths, runningParts } from "../../core/index.ts";

/** The protected path that another path is, or is in. */
export interface ProtectedMatch {
  /** Pattern from the table. */
  readonly pattern: string;
  /** Index in the path after the last character of the protected path. */
  readonly end: number;
}

interface Entry {
  readonly pattern: string;
  /** Folded components before the last one, the nearest first. */
  readonly above: readonly string[];
}

const exact = new Map<string, readonly Entry[]>();
const wild: { readonly name: RegExp; readonly entry: Entry }[] = [];
for (const pattern of protectedPaths) {
  const [name = "", ...above] = pattern.toLowerCase().split("/").toReversed();
  const star = name.indexOf("*");
  if (star === -1) exact.set(name, [...(exact.get(name) ?? []), { pattern, above }]);
  else {
    const parts = name.split("*").map((part) => part.replaceAll(".", String.raw`\.`));
    wild.push({ name: new RegExp(`^${parts.join(".*")}$`, "u"), entry: { pattern, above } });
  }
}
/** A name that does not match this matches no pattern with a `*`. */
const anyWild = new RegExp(wild.map(({ name }) => name.source).join("|"), "u");
const stars: ReadonlySet<string> = new Set(
  wild.flatMap(({ entry: { above } }) => above).filter((name) => name.includes("*")),
);

/** A path that does not match this is not protected; most paths do not match. */
const mayBe = new RegExp(
  [
    String.raw`\.|git~|[^\u0000-\u007f]`,
    ...protectedPaths.flatMap((pattern) => {
      const name = pattern.slice(pattern.lastIndexOf("/") + 1).toLowerCase();
      if (name.startsWith(".") || name.startsWith("*.")) return [];
      return [(name.split("*")[0] ?? "").replaceAll(".", String.raw`\.`)];
    }),
  ]
    .map((begin) => `(?:^|/)(?:${begin})`)
    .concat(
      protectedPaths.flatMap((pattern) => {
        const [, end] = /^\*(\.[a-z-]+)$/u.exec(pattern) ?? [];
        return end === undefined ? [] : [`\\${end}(?:/|$)`];
      }),
    )
    .join("|"),
  "iu",
);

/** Whether a path or a name needs the full check. */
export function mayBeProtected(path: string): boolean {
  return mayBe.test(path);
}

/**
 * The outermost protected path that this path is or is in. The search begins at `start`, which must be the beginning or
 * end of a component.
 */
export function protectedMatch(path: string, start = 0): ProtectedMatch | undefined {
  if (!mayBe.test(path)) return undefined;
  const above: string[] = [];
  for (let at = start; at < path.length;) {
    const slash = path.indexOf("/", at);
    const end = slash === -1 ? path.length : slash;
    if (end > at) {
      const name = foldName(path.slice(at, end));
      const pattern = patternOf(name, above);
      if (pattern !== undefined) return { pattern, end };
      above.unshift(name);
    }
    at = end + 1;
  }
  return undefined;
}

/** Whether a directory with this name may be the first component of a protected path with several components. */
export function mayLeadToProtected(name: string): boolean {
  return leading.has(foldName(name)) || /\.git$/iu.test(name);
}

/**
 * Whether programs may write here although it is in a protected directory: an everyday part, or a path outside the
 * parts that run code.
 */
export function isEverydayPart({ pattern, end }: ProtectedMatch, path: string): boolean {
  const below = path
    .slice(end + 1)
    .split("/")
    .map(foldName)
    .join("/");
  const isIn = (part: string): boolean => below === part || below.startsWith(`${part}/`);
  if (everydayParts[pattern]?.some(isIn) === true) return true;
  const running = runningParts[pattern];
  if (running === undefined || below === "") return false;
  // Submodules and worktrees, also nested ones, have their own parts below the directory of their repository.
  if (pattern !== ".git" || !/^(?:modules|worktrees)\//u.test(below)) return !running.some(isIn);
  return !new RegExp(
    `^(?:modules/.+/|worktrees/[^/]+/)(?:modules/.+/)?(?:${running.join("|")})(?:/|$)`,
    "u",
  ).test(below);
}

/** Whether a link or file at this path decides where a part that runs code is looked up. */
export function leadsToRunningPart({ pattern, end }: ProtectedMatch, path: string): boolean {
  const below = path.slice(end + 1).toLowerCase();
  if (runningParts[pattern]?.some((part) => part.startsWith(`${below}/`)) === true) return true;
  return pattern === ".git" && /^(?:modules|worktrees)(?:\/|$)/u.test(below);
}

/**
 * Folds a name to the form in which file systems compare names: letter case, compatible characters, characters that
 * HFS+ ignores, trailing dots and blanks that Windows drops, streams of NTFS, and its short name of `.git`.
 */
export function foldName(name: string): string {
  if (/^[\u0021-\u0039\u003b-\u007e]*[\u0021-\u002d\u002f-\u0039\u003b-\u007e]$/u.test(name)) {
    const folded = name.toLowerCase();
    return folded.startsWith("git~") ? ".git" : folded;
  }
  const folded = name
    .normalize("NFKC")
    .replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu, "")
    .toUpperCase()
    .toLowerCase();
  const plain = folded.replace(/(?<=.):.*$/u, "").replace(/(?<=[^. ])[. ]+$/u, "");
  return plain.startsWith("git~") ? ".git" : plain;
}

const leading: ReadonlySet<string> = new Set(
  protectedPaths.flatMap((pattern) =>
    pattern
      .toLowerCase()
      .split("/")
      .slice(0, -1)
      .filter((name) => !name.includes("*")),
  ),
);

function patternOf(name: string, above: readonly string[]): string | undefined {
  const found = exact.get(name)?.find((entry) => fitsAbove(entry, above));
  if (found !== undefined) return found.pattern;
  if (!anyWild.test(name)) return undefined;
  return wild.find((each) => each.name.test(name) && fitsAbove(each.entry, above))?.entry.pattern;
}

function fitsAbove(entry: Entry, above: readonly string[]): boolean {
  return entry.above.every((name, index) => {
    const own = above[index];
    if (own === undefined) return false;
    return stars.has(name) || name.startsWith("*") ? own.endsWith(name.slice(1)) : own === name;
  });
}
