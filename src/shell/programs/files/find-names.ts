import type { Argument } from "../../words/words.ts";

/** Patterns, one of which the name of each path has that an expression matches; undefined if it may have any name. */
type Names = readonly string[] | undefined;

/** An expression in parentheses, or the whole one, as far as it was read. */
interface Level {
  /** Names that the tests since the last `-o` leave. */
  names: Names;
  /** Names that the tests before each `-o` leave. */
  readonly others: Names[];
  readonly isNegated: boolean;
}

/** Maximum number of names that are distinguished. */
const maxNames = 16;

/** Names that an expression of `find` leaves. Its predicates are read in order: a later test excludes nothing from an action. */
export class FoundNames {
  readonly #levels: Level[] = [{ names: undefined, others: [], isNegated: false }];
  #isNegated = false;
  #isUnknown = false;

  /** Reads a word that may be any predicate. */
  readUnknown(): void {
    this.#isUnknown = true;
  }

  /** Reads the next predicate. */
  read(predicate: string, value: Argument | undefined): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    switch (predicate) {
      case "!":
      case "-not":
        this.#isNegated = true;
        return;
      case "-a":
      case "-and":
        return;
      case "-o":
      case "-or":
        level.others.push(level.names);
        level.names = undefined;
        break;
      case ",":
        // GNU find moves tests of names across a comma.
        this.readUnknown();
        break;
      case "(":
        this.#levels.push({ names: undefined, others: [], isNegated: this.#isNegated });
        break;
      case ")":
        this.#close(level);
        break;
      case "-name":
      case "-iname":
        if (!this.#isNegated) level.names ??= nameOf(value);
        break;
    }
    this.#isNegated = false;
  }

  /** Names of the paths for which an action at this position runs. */
  get left(): Names {
    if (this.#isUnknown) return undefined;
    return this.#levels.findLast(({ names }) => names !== undefined)?.names;
  }

  #close({ names, others, isNegated }: Level): void {
    this.#levels.pop();
    const outer = this.#levels.at(-1);
    if (outer === undefined) return;
    const all = [...others, names].map((each) => each ?? []);
    const found = all.flat();
    const isLimited = all.every((each) => each.length > 0) && found.length <= maxNames;
    if (!isNegated && isLimited) outer.names ??= [...new Set(found)];
  }
}

/** Pattern of a name; undefined if its characters may mean something else. */
function nameOf(value: Argument | undefined): Names {
  if (typeof value !== "string") return undefined;
  const pattern = value.replaceAll(/\[[!^]?\]?[^\]]*\]/gu, "*");
  return /^[\p{L}\p{M}\p{N}_.*?@%+=:,#~&!' -]+$/u.test(pattern) ? [pattern] : undefined;
}
