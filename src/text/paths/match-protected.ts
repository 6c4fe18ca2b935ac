import { everydayParts, protectedPaths, runningParts } from "../../core/index.ts";

/** A protected path that another path is or is in. */
export interface ProtectedMatch {
  /** Of the table. */
  readonly pattern: string;
  /** Index in the path after the last character of the protected path itself. */
  readonly end: number;
}

interface Entry {
  readonly pattern: string;
  /** Components before the last one, folded, the nearest first. */
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
/** A name that fits none of these fits no pattern with a `*`. */
const anyWild = new RegExp(wild.map(({ name }) => name.source).join("|"), "u");
const stars: ReadonlySet<string> = new Set(
  wild.flatMap(({ entry: { above } }) => above).filter((name) => name.includes("*")),
);

/** No path without one of these is protected, and most paths are without all of them. */
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

/** Whether a path, or a name, has to be looked at in full. */
export function mayBeProtected(path: string): boolean {
  return mayBe.test(path);
}

/** The outermost protected path that this path is or is in, looking from `start`, where a component begins or ends. */
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

/** Whether a directory of this name may be the first component of a protected path of several. */
export function mayLeadToProtected(name: string): boolean {
  return leading.has(foldName(name)) || /\.git$/iu.test(name);
}

/** Whether a program may write there although the directory around it is protected, or because only parts of it run anything. */
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
  // Submodules and worktrees, and those of each other, have parts of their own below the directory of their repository.
  if (pattern !== ".git" || !/^(?:modules|worktrees)\//u.test(below)) return !running.some(isIn);
  return !new RegExp(
    `^(?:modules/.+/|worktrees/[^/]+/)(?:modules/.+/)?(?:${running.join("|")})(?:/|$)`,
    "u",
  ).test(below);
}

/** Whether a link or a file of this path decides where a part that runs something is looked for. */
export function leadsToRunningPart({ pattern, end }: ProtectedMatch, path: string): boolean {
  const below = path.slice(end + 1).toLowerCase();
  if (runningParts[pattern]?.some((part) => part.startsWith(`${below}/`)) === true) return true;
  return pattern === ".git" && /^(?:modules|worktrees)(?:\/|$)/u.test(below);
}

/**
 * The form in which file systems compare names that they take for one: letter case, compatible characters, characters
 * that HFS+ ignores, dots and blanks that Windows drops at the end, streams of NTFS, and its short name of `.git`.
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
