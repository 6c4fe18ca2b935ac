import { baseName, isWithin, joinPath, parentPath } from "../../text/index.ts";
import {
  compileGlob,
  escapeGlob,
  globText,
  matchEnd,
  mayMatchBelow,
  type Glob,
  type GlobSegment,
} from "./glob.ts";

/** Directories of the anchors of a path pattern. All canonical. */
export interface PathAnchors {
  /** `/x`: the directory to which the settings file applies. */
  readonly base: string;
  /** `x` and `./x`. */
  readonly cwd: string;
  /** `~/x`. */
  readonly home: string;
  /** Additional directories in which a pattern without an anchor applies. */
  readonly roots: readonly string[];
  /** Whether the file system ignores letter case in names. */
  readonly ignoreCase: boolean;
  /** Targets of paths that lead via links, by the path as written in a pattern. */
  readonly links?: Links | undefined;
}

/** Canonical forms of paths that patterns name: all that were observed, because a link may be changed. */
export type Links = ReadonlyMap<string, readonly string[]>;

/** A compiled path pattern: the directories from which it starts and the segments that must follow. */
export interface PathPattern {
  readonly text: string;
  readonly places: readonly Place[];
  readonly directoryOnly: boolean;
  readonly ignoreCase: boolean;
}

interface Place {
  /** The directory as written, for callers that pass the pattern on. */
  readonly root: string;
  /** The root and the literal components that follow it. */
  readonly prefix: string;
  readonly segments: readonly GlobSegment[];
  /** The path before the pattern's first wildcard, which may be a link; undefined where there is none. */
  readonly written?: string | undefined;
  /** The pattern relative to `root`, where it differs from the pattern's own text. */
  readonly text?: string;
}

/**
 * Compiles `//abs`, `~/home`, `/from base`, `./rel`, `rel` and bare names. `strict` is for allow lists: there a
 * pattern with a slash starts at its directory, while in deny and ask lists it applies at any depth.
 * Returns the reason as a string if the pattern is invalid.
 */
export function compilePathPattern(
  spec: string,
  anchors: PathAnchors,
  strict: boolean,
): PathPattern | string {
  const anchor = findAnchor(spec.trim(), anchors);
  const glob = anchor.pattern === "" ? everything : compileGlob(anchor.pattern);
  if (typeof glob === "string") return glob;
  const isFloating = anchor.isLoose && !(strict && glob.anchored);
  const leading = glob.segments[0]?.kind;
  const segments: readonly GlobSegment[] =
    isFloating && leading !== "deep" ? [{ kind: "deep" }, ...glob.segments] : glob.segments;
  const roots =
    isFloating && !strict ? [...new Set([anchor.root, ...anchors.roots])] : [anchor.root];
  const { ignoreCase } = anchors;
  const places = roots.map((root) => placeAt(root, segments, ignoreCase));
  // Allow lists match real paths only; otherwise a link created later would widen them.
  const linked = strict ? [] : places.flatMap((place) => linkedPlaces(place, glob, anchors));
  return {
    text: gitignoreLine(anchor.pattern, isFloating, glob),
    places: [...places, ...linked],
    directoryOnly: glob.directoryOnly,
    ignoreCase,
  };
}

/** Matches every path. */
export const anyPath: PathPattern = {
  text: "/**",
  places: [{ root: "/", prefix: "/", segments: [] }],
  directoryOnly: false,
  ignoreCase: false,
};

/** A path to match against a pattern. */
export interface PathQuestion {
  readonly path: string;
  /** A directory with everything in it. */
  readonly isTree: boolean;
  /** Whether an uncertain match (is it a directory?) counts as a match. */
  readonly lenient: boolean;
}

/** Whether the pattern names the path, the whole tree, or a directory that contains it. */
export function coversPath(pattern: PathPattern, question: PathQuestion): boolean {
  const path = pattern.ignoreCase ? question.path.toLowerCase() : question.path;
  for (const place of pattern.places) {
    if (!isWithin(place.prefix, path)) continue;
    const start = startBelow(place.prefix);
    const end = matchEnd(place.segments, path, start);
    if (end >= 0 && (end < path.length || !pattern.directoryOnly)) return true;
    if (end >= 0 && (question.isTree || question.lenient)) return true;
    // `a/**` and `a/*` name everything in the tree `a`, if not `a` itself.
    if (question.isTree && place.segments.at(-1)?.kind === "any") {
      if (matchEnd(place.segments.slice(0, -1), path, start) >= 0) return true;
    }
  }
  return false;
}

/** Whether the pattern may name an entry inside the tree at `root`. */
export function mayCoverBelow(pattern: PathPattern, root: string): boolean {
  const path = pattern.ignoreCase ? root.toLowerCase() : root;
  for (const { prefix, segments } of pattern.places) {
    if (isWithin(path, prefix)) return true;
    if (isWithin(prefix, path) && mayMatchBelow(segments, path, startBelow(prefix))) return true;
  }
  return false;
}

/** Whether the pattern applies at any depth, so that it may match in every tree. */
export function holdsAnywhere(pattern: PathPattern): boolean {
  return pattern.places.some(({ segments }) => segments[0]?.kind === "deep");
}

/** Returns the pattern as gitignore lines, each with its base directory, for trees that overlap `root`. */
export function patternWithin(
  pattern: PathPattern,
  root: string,
): readonly { readonly root: string; readonly pattern: string }[] {
  return pattern.places
    .filter((place) => isWithin(place.root, root) || isWithin(root, place.root))
    .map((place) => ({ root: place.root, pattern: place.text ?? pattern.text }));
}

/** The literal start of a pattern and the glob that must follow below it; undefined where the whole tree is named. */
export interface NamedPlace {
  readonly path: string;
  readonly below: string | undefined;
}

/** Returns the locations that a pattern names, in a form that can be looked up. */
export function namedPlaces(pattern: PathPattern): readonly NamedPlace[] {
  return pattern.places.map(({ prefix, segments }) => {
    const isWhole = segments.every(({ kind }) => kind === "any" || kind === "deep");
    const isAll = segments.length === 0 || (isWhole && segments[0]?.kind === "deep");
    return { path: prefix, below: isAll ? undefined : globText(segments) };
  });
}

const everything: Glob = { segments: [], anchored: true, directoryOnly: false };

interface Anchor {
  readonly root: string;
  readonly pattern: string;
  /** Relative without `./`: a bare name applies at any depth. */
  readonly isLoose: boolean;
}

function findAnchor(spec: string, anchors: PathAnchors): Anchor {
  if (spec.startsWith("//")) return { root: "/", pattern: anchored(spec.slice(2)), isLoose: false };
  if (spec === "~" || spec.startsWith("~/")) {
    return { root: anchors.home, pattern: anchored(spec.slice(2)), isLoose: false };
  }
  if (spec.startsWith("/")) {
    return { root: anchors.base, pattern: anchored(spec.slice(1)), isLoose: false };
  }
  if (spec === "." || spec === "..") {
    return { root: joinPath(anchors.cwd, spec), pattern: "", isLoose: false };
  }
  if (spec.startsWith("./") || spec.startsWith("../")) {
    let root = anchors.cwd;
    let rest = spec;
    for (;;) {
      if (rest.startsWith("./")) rest = rest.slice(2);
      else if (rest.startsWith("../")) {
        rest = rest.slice(3);
        root = parentPath(root);
      } else break;
    }
    if (rest === "..") return { root: parentPath(root), pattern: "", isLoose: false };
    return { root, pattern: rest === "." ? "" : anchored(rest), isLoose: false };
  }
  return { root: anchors.cwd, pattern: spec, isLoose: true };
}

function gitignoreLine(pattern: string, isFloating: boolean, glob: Glob): string {
  const bare = pattern.replace(/^\//u, "");
  if (!isFloating) return `/${bare}`;
  return glob.anchored && glob.segments[0]?.kind !== "deep" ? `**/${bare}` : bare;
}

/** An anchor always fixes the start, also of a pattern with one component. */
function anchored(rest: string): string {
  const trimmed = rest.replace(/^\/+/u, "");
  return trimmed === "" ? "" : `/${trimmed}`;
}

function placeAt(root: string, segments: readonly GlobSegment[], ignoreCase: boolean): Place {
  const literals: string[] = [];
  for (const segment of segments) {
    if (segment.kind !== "literal") break;
    literals.push(segment.text);
  }
  const fold = (text: string): string => (ignoreCase ? text.toLowerCase() : text);
  const below = literals.join("/");
  const prefix = below === "" ? root : root === "/" ? `/${below}` : `${root}/${below}`;
  const rest = segments.slice(literals.length);
  return {
    root,
    prefix: fold(prefix),
    segments: ignoreCase ? rest.map(foldSegment) : rest,
    written: writtenPath(root, segments),
  };
}

/** Returns the path in the pattern's directory, the primary meaning of a pattern that applies at any depth. */
function writtenPath(root: string, segments: readonly GlobSegment[]): string | undefined {
  const names = leadingNames(fromName(segments));
  return names.length === 0 ? undefined : joinPath(root, names.join("/"));
}

function fromName(segments: readonly GlobSegment[]): readonly GlobSegment[] {
  return segments[0]?.kind === "deep" ? segments.slice(1) : segments;
}

function leadingNames(segments: readonly GlobSegment[]): readonly string[] {
  const names: string[] = [];
  for (const segment of segments) {
    if (segment.kind !== "literal") break;
    names.push(segment.text);
  }
  return names;
}

/** Returns the pattern at the targets of its links: checked paths are canonical, so the written path never matches. */
function linkedPlaces(
  { written }: Place,
  glob: Glob,
  { links, ignoreCase }: PathAnchors,
): readonly Place[] {
  const targets = written === undefined ? undefined : links?.get(written);
  if (targets === undefined) return [];
  const named = fromName(glob.segments);
  const rest = named.slice(leadingNames(named).length);
  return targets.map((target) => {
    const place = placeAt(target, rest, ignoreCase);
    const text = `/${globText(rest)}${glob.directoryOnly ? "/" : ""}`;
    return rest.length > 0
      ? { ...place, written: undefined, text }
      : {
          root: parentPath(target),
          prefix: place.prefix,
          segments: [],
          text: `/${escapeGlob(baseName(target))}${text.slice(1)}`,
        };
  });
}

function foldSegment(segment: GlobSegment): GlobSegment {
  if (segment.kind === "literal") return { kind: "literal", text: segment.text.toLowerCase() };
  if (segment.kind !== "wild") return segment;
  return {
    kind: "wild",
    tokens: segment.tokens.map((token) => {
      if (token.kind === "char") return { kind: "char", text: token.text.toLowerCase() };
      if (token.kind !== "class") return token;
      const lower = token.ranges.map(
        ([first, last]) => [first.toLowerCase(), last.toLowerCase()] as const,
      );
      return { ...token, ranges: [...token.ranges, ...lower] };
    }),
  };
}

function startBelow(prefix: string): number {
  return prefix === "/" ? 1 : prefix.length + 1;
}
