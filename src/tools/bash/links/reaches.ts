import type { Host, Span } from "../../../core/index.ts";
import {
  alternatives,
  type Argument,
  type CommandAnalysis,
  type Invocation,
} from "../../../shell/index.ts";
import { followsLinks, followsOperands, listsTargets, opensEntries } from "./link-options.ts";
import { passedOver } from "./skipped-names.ts";

/** Links below a directory whose targets a program opens. */
export interface Reach {
  /** Maximum directory depth of the links. */
  readonly depth: number;
  /** Lowercase suffix of the link names. */
  readonly end: string;
  /** Whether the program also follows directory links above that depth, regardless of their names. */
  readonly goesThrough: boolean;
  /** Whether only a link to a directory tells more than its own name. */
  readonly needsFolder?: boolean;
  /** NotCaptured directories: a bare name at any depth, or a name after `./` in the first directory only. */
  readonly without?: ReadonlySet<string>;
}

const anyDepth = Number.POSITIVE_INFINITY;
export const everywhere: Reach = { depth: anyDepth, end: "", goesThrough: true };
/**
 * The words of a loop, for which the shell lists every directory that a part of a pattern before the last one matches.
 * Of quoted words and of those that a variable holds, the number of parts is unknown.
 */
export function listingReach(text: string, isDeep: boolean): Reach {
  const words = /^(?:for|select)\s/u.test(text) ? text.replace(/[;\n].*$/su, "") : text;
  const isKnown = !/[$`'"\\]/u.test(words) && !(isDeep && words.includes("**"));
  const parts = words.split(/\s/u).map((word) => {
    const pattern = /[*?[({].*/u.exec(word)?.[0] ?? "";
    return pattern.split("/").length - 1;
  });
  const depth = isKnown ? Math.max(1, ...parts) : anyDepth;
  return { depth, end: "", goesThrough: true, needsFolder: true };
}

/** Whether `**` may match more than one directory level: in bash only after `shopt`. */
export function mayMatchDeep(
  invocations: CommandAnalysis["invocations"],
  { info: { shell } }: Host,
): boolean {
  const isBash = /(?:^|\/)(?:ba|da)?sh$/u.test(shell[0] ?? "");
  return !isBash || invocations.some(({ name }) => name === "shopt");
}

/** Programs that treat a link as a link and do not open its target, unless the name ends with a slash. */
const seesLinks =
  /^(?:git|rm|rmdir|unlink|mv|ls|find|du|stat|readlink|realpath|basename|dirname|echo|printf)$/u;

interface Reaching {
  readonly invocations: CommandAnalysis["invocations"];
  /** Whether `**` may match more than one directory level. */
  readonly isDeep: boolean;
  /** Whether the program treats a link as a link. Default: by its name. */
  readonly sees?: boolean;
}

/** Links that a program reaches through its words. */
export function reachesOf(run: Invocation, site: Reaching): readonly Reach[] {
  const { name = "", argv } = run;
  const words = argv.slice(1);
  if (followsLinks(name, words)) return [everywhere];
  const reaches = wordReaches(run, site);
  if (!opensEntries(name, words)) return reaches;
  const depth = Math.max(0, ...reaches.map((each) => each.depth));
  return [...reaches, { depth: depth + 1, end: "", goesThrough: depth > 0 }];
}

function wordReaches(
  { name = "", argv, span }: Invocation,
  { invocations, isDeep, sees = seesLinks.test(name) }: Reaching,
): readonly Reach[] {
  const words = argv.slice(1);
  const lists = listsTargets(name, words);
  const finders = invocations.filter(
    (each) => /^g?find$/u.test(each.name ?? "") && holds(each.span, span),
  );
  // If one `find` is nested in another, either may pass on the path that is opened.
  const found = finders.length === 0 ? [everywhere] : finders.flatMap(foundBy);
  // A path behind a link that `find` followed leads through that link, whatever the program does with links.
  const through = finders.flatMap((each) => reachesOf(each, { invocations: [], isDeep }));
  const isFollowed = !sees || followsOperands(name, words);
  return words
    .flatMap((word) => alternatives(word) ?? [word])
    .flatMap((word) => {
      if (isFollowed) return reachOf(word, found, isDeep);
      const reaches = reachOf(word, lists || goesBelow(word) ? found : through, isDeep);
      const kept =
        lists || isFound(word) ? reaches : reaches.flatMap((each) => throughOnly(each, word));
      return kept.map((each) => ({ ...each, needsFolder: true }));
    });
}

function isFound(word: Argument): boolean {
  return (
    typeof word !== "string" &&
    word.pieces.some((piece) => typeof piece !== "string" && piece.kind === "found")
  );
}

/** Whether a slash follows what is known only when the command runs, so that a link in it is followed. */
function goesBelow(word: Argument): boolean {
  return (
    typeof word !== "string" &&
    word.pieces.some((piece, at) => at > 0 && typeof piece === "string" && piece.includes("/"))
  );
}

/** Links above the last part of a pattern, and the last one if a slash behind it makes a program follow it. */
function throughOnly(reach: Reach, word: Argument): readonly Reach[] {
  const last = typeof word === "string" ? word : word.pieces.at(-1);
  if (typeof last === "string" && /(?:^|\/)\.?$/u.test(last)) return [reach];
  if (reach.depth === anyDepth) return [reach];
  return reach.depth > 1 ? [{ ...reach, depth: reach.depth - 1, end: "" }] : [];
}

/** Links that the expansion of a word may reach. */
function reachOf(word: Argument, found: readonly Reach[], isDeep: boolean): readonly Reach[] {
  if (typeof word === "string") return [];
  if (isFound(word)) return found;
  const { pieces } = word;
  const first = pieces.findIndex((piece) => typeof piece !== "string" && isPartOfName(piece.kind));
  if (first === -1) return [];
  const texts = pieces
    .slice(first)
    .map((piece) =>
      typeof piece === "string"
        ? piece
        : piece.kind === "pattern" || piece.kind === "match"
          ? piece.text
          : "",
    );
  const pattern = texts.join("");
  if (isDeep && pattern.includes("**")) return [everywhere];
  const last = pieces.at(-1);
  const end = endOf(typeof last === "string" ? last : "");
  return [{ depth: pattern.split("/").length, end, goesThrough: true }];
}

/** Whether a gap is part of a name: one that a pattern matches, or a count or plain word that may complete a link's. */
function isPartOfName(kind: string): boolean {
  return /^(?:pattern|match|number|token)$/u.test(kind);
}

/** Lowercase suffix of every name that the pattern matches; the shell may match without regard to case. */
function endOf(pattern: string): string {
  return (/[\w.-]*$/u.exec(pattern)?.[0] ?? "").toLowerCase();
}

/** Links that `find` passes on: all of them satisfy every test in the sequence that ends with the command. */
function foundBy({ argv }: Invocation): readonly Reach[] {
  const commands = argv.flatMap((word, at) => (/^-(?:exec|ok)/u.test(plain(word)) ? [at] : []));
  const [end = 0, another] = commands;
  const words = argv.slice(1, end);
  // An expanded word may be the name of a link followed by a slash, which makes `find` follow the link.
  const isKnown = words.every((word) => typeof word === "string");
  const before = words.map(plain);
  const follows = before.some((word) => /^(?:-[HLP]*[HL][HLP]*|-follow|\(|\))$/u.test(word));
  if (another !== undefined || follows || !isKnown) return [everywhere];
  const row = before.slice(before.findLastIndex((word) => /^(?:-or?|,)$/u.test(word)) + 1);
  const valueOf = (test: RegExp): string | undefined => {
    const at = row.findIndex(
      (word, index) => test.test(word) && !/^(?:!|-not)$/u.test(row[index - 1] ?? ""),
    );
    return at === -1 ? undefined : row[at + 1];
  };
  if (valueOf(/^-type$/u) === "f") return [];
  const ending = endOf(valueOf(/^-i?name$/u) ?? "");
  return [{ depth: anyDepth, end: ending, goesThrough: false, without: passedOver(before) }];
}

function holds(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

function plain(word: Argument): string {
  return typeof word === "string" ? word : "";
}
