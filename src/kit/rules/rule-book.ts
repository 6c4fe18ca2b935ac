import {
  argumentError,
  type LazyTool,
  type SaveScope,
  type Tool,
  ToolError,
} from "../../core/index.ts";
import {
  compileCeiling,
  compileRules,
  writtenPaths,
  type Ceiling,
  type CeilingRules,
  type CompileOptions,
  type Rule,
  type RuleList,
  type RuleProblem,
  type RuleSet,
  type RuleSource,
} from "../../policy/index.ts";
import { pathBelow } from "../../text/index.ts";
import type { CommandEffects } from "./command-effects.ts";
import { namesOfTools } from "./permitted-entries.ts";

export interface RuleBookOptions {
  /** Rules of every scope, strictest scope first; the order only decides which rule is named. */
  readonly sources: readonly RuleSource[];
  readonly roots: readonly string[];
  /** Anchors of rules that are added while the kit is open. */
  readonly anchors: { readonly base: string; readonly cwd: string; readonly home: string };
  readonly tools: () => readonly Pick<Tool | LazyTool, "name" | "aliases" | "autoExecute">[];
  /** Stores a rule in the file of its scope. Absent if there are no files to store it in. */
  readonly store?:
    | ((rule: string, scope: Exclude<SaveScope, "session">) => Promise<void>)
    | undefined;
  /** Interprets a command given as an example of a rule. */
  readonly effectsOf?: CommandEffects | undefined;
  readonly links?: LinkReader | undefined;
  /** Rules of the workspace from which this book was moved. */
  readonly inherited?: {
    readonly version: () => number;
    readonly sources: () => readonly RuleSource[];
  };
}

/** Rule of one list and one scope, by its text. */
export interface NamedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: SaveScope;
}

/** Resolves links on a host. */
export interface LinkReader {
  canonical(path: string): Promise<string>;
  now(): number;
}

/** Current rules of a kit: those it was given, and those the user saved since. */
export interface RuleBook {
  current(): RuleSet;
  /**
   * Resolves the paths that deny and ask rules name again, after the rules changed and every two seconds; undefined if
   * there is nothing to resolve.
   */
  followLinks(): Promise<void> | undefined;
  /** The allow rules that would name a tool of this name, whether or not there is one. */
  allowing(name: string): readonly Rule[];
  /** Problems in the rules the kit was given. */
  readonly problems: readonly RuleProblem[];
  /** Compiles the rules again after the tools they may name have changed. */
  refresh(): void;
  /**
   * Makes an allow rule apply from now on. An invalid rule throws and is stored nowhere. One that cannot be stored does
   * not apply; the reason is returned.
   */
  save(rule: string, scope: SaveScope): Promise<string | undefined>;
  /** Makes a rule that is stored already apply from now on. */
  count(rule: NamedRule): void;
  /** Makes a rule that is no longer stored stop applying. */
  forget(rule: NamedRule): void;
  /** Replaces the rules that the kit was given; those saved since stay. */
  replace(sources: readonly RuleSource[]): void;
  /** Rules that were saved in files, or removed from them, through this book. */
  readonly savedHere: readonly (NamedRule & { readonly isRemoved: boolean })[];
  /** Changes with every change of the rules. */
  readonly version: number;
  /**
   * The same rules for another workspace: paths relative to this one mean the other, and deny and ask rules also keep
   * what they name here. Later changes of these rules apply there too.
   */
  moved(from: string, to: string): RuleBook;
  /** Returns a ceiling that allows what these rules allow and nothing else. An invalid rule throws a TypeError. */
  ceiling(rules: readonly string[], name?: string): Ceiling;
  /** Returns the ceiling of a file: an entry that names no tool here, or cannot be read, permits nothing. */
  ceilingOfFile(entries: readonly string[], name: string): Ceiling;
}

export function ruleBook(options: RuleBookOptions): RuleBook {
  let { sources } = options;
  let saved: readonly NamedRule[] = [];
  const savedHere: (NamedRule & { readonly isRemoved: boolean })[] = [];
  let compiled: ReturnType<typeof compile> | undefined;
  const links = new Map<string, readonly string[]>();
  let following: Promise<void> | undefined;
  let followed: { readonly rules: RuleSet; readonly at: number } | undefined;
  let version = 0;
  let inheritedVersion = 0;
  const current = (): ReturnType<typeof compile> => {
    const above = options.inherited?.version() ?? 0;
    if (above !== inheritedVersion) change();
    inheritedVersion = above;
    return (compiled ??= compile());
  };
  const change = (): void => {
    compiled = undefined;
    version += 1;
  };
  const allSources = (): readonly RuleSource[] => [
    ...(options.inherited?.sources() ?? []),
    ...sources,
    ...saved.map(sourceOf),
  ];

  function compile(): { readonly rules: RuleSet; readonly problems: readonly RuleProblem[] } {
    const executed = options.tools().filter(({ autoExecute }) => autoExecute === true);
    const byTools: RuleSource = {
      scope: "built-in",
      list: "allow",
      rules: executed.map(({ name }) => name),
      ...options.anchors,
    };
    return compileRules([...allSources(), byTools], {
      ...toolNames(),
      roots: options.roots,
      links,
      ...(options.effectsOf === undefined ? {} : { effectsOf: options.effectsOf }),
    });
  }

  function toolNames(
    more: readonly { readonly name: string }[] = [],
  ): Pick<CompileOptions, "known" | "aliases"> {
    return namesOfTools([...options.tools(), ...more]);
  }

  function allowedBy(entries: readonly string[]): CeilingRules {
    const { anchors, roots } = options;
    return compileCeiling(entries, anchors, { ...toolNames(), roots });
  }

  async function follow(reader: LinkReader, paths: readonly string[]): Promise<void> {
    let isNew = false;
    await Promise.all(
      paths.map(async (path) => {
        // A path that cannot be resolved leads nowhere that could be read.
        const target = await reader.canonical(path).catch(() => path);
        const known = links.get(path) ?? [];
        if (target === path || known.includes(target)) return;
        // Former targets stay denied too: moving a link removes no protection.
        links.set(path, [...known, target]);
        isNew = true;
      }),
    );
    if (!isNew) return;
    change();
    if (followed !== undefined) followed = { ...followed, rules: current().rules };
  }

  /** Adds a saved rule once, however often it is approved. */
  function keepSaved(named: NamedRule): void {
    if (named.scope !== "session") savedHere.push({ ...named, isRemoved: false });
    const isKnown = saved.some(
      ({ rule, list, scope }) =>
        rule === named.rule && list === named.list && scope === named.scope,
    );
    if (isKnown) return;
    saved = [...saved, named];
    change();
  }

  function sourceOf({ rule, list, scope }: NamedRule): RuleSource {
    // The user approved it in this kit, so a saved rule applies like an option, wherever it is also stored.
    return {
      scope: scope === "session" ? "session" : "option",
      list,
      rules: [rule],
      ...options.anchors,
    };
  }

  return {
    current: () => current().rules,
    allowing(name) {
      const { roots } = options;
      const { rules } = compileRules(allSources(), { ...toolNames([{ name }]), roots });
      return rules.forTool({ name, touches: [] }).allow.map(({ rule }) => rule);
    },
    followLinks() {
      const { links: reader } = options;
      // Calls that arrive in the meantime wait for the same resolution, so they keep their order.
      if (following !== undefined || reader === undefined) return following;
      const { rules } = current();
      const now = reader.now();
      if (followed?.rules === rules && now - followed.at < followMs) return undefined;
      followed = { rules, at: now };
      const paths = writtenPaths(rules);
      if (paths.length === 0) return undefined;
      following = follow(reader, paths).finally(() => {
        following = undefined;
      });
      return following;
    },
    get problems() {
      return current().problems;
    },
    refresh: () => {
      change();
    },
    async save(rule, scope) {
      const named: NamedRule = { rule, list: "allow", scope };
      const { problems } = compileRules([sourceOf(named)], { roots: options.roots });
      const [problem] = problems.filter(({ severity }) => severity === "error");
      if (problem !== undefined) {
        throw new ToolError("INVALID_INPUT", `The rule ${rule} was not saved: ${problem.message}`, {
          hint: problem.hint ?? "Save a rule that can be read.",
        });
      }
      if (scope !== "session") {
        if (options.store === undefined) {
          throw new ToolError(
            "UNAVAILABLE",
            `There is no settings file to save a ${scope} rule in.`,
            {
              hint: 'Save it for the session, or open the toolkit with settings: "load".',
            },
          );
        }
        try {
          await options.store(rule, scope);
        } catch (error) {
          return whyUnsaved(error);
        }
      }
      keepSaved(named);
      return undefined;
    },
    count: keepSaved,
    savedHere,
    replace(next) {
      sources = next;
      change();
    },
    forget({ rule, list, scope }) {
      savedHere.push({ rule, list, scope, isRemoved: true });
      saved = saved.filter(
        (each) => each.rule !== rule || each.list !== list || each.scope !== scope,
      );
      sources = sources.map((source) =>
        source.list === list && source.scope === scope ? without(rule, source) : source,
      );
      change();
    },
    get version() {
      current();
      return version;
    },
    moved(from, to) {
      const anchors = { ...options.anchors, base: to, cwd: to };
      const inherited = {
        version: (): number => this.version,
        sources: () => movedSources(allSources(), from, to),
      };
      return ruleBook({
        ...options,
        sources: [],
        store: undefined,
        roots: [to],
        anchors,
        inherited,
      });
    },
    ceiling(rules, name) {
      const { rules: allowed, problems } = allowedBy(rules);
      const [problem] = problems;
      if (problem !== undefined) {
        throw argumentError(
          `${name ?? "ceiling"}: ${problem.entry} cannot be read: ${problem.message}`,
        );
      }
      return { kind: "only", name: name ?? "the ceiling of this toolkit", rules: allowed };
    },
    ceilingOfFile: (entries, name) => ({ kind: "only", name, rules: allowedBy(entries).rules }),
  };
}

/** Milliseconds until a link created while a kit is open is followed. */
const followMs = 2000;

function without(text: string, source: RuleSource): RuleSource {
  const kept = source.rules.flatMap((rule, index) => (textOf(rule) === text ? [] : [index]));
  return {
    ...source,
    rules: kept.map((index) => source.rules[index]),
    lines: kept.map((index) => source.lines?.[index]),
  };
}

function textOf(rule: unknown): unknown {
  return typeof rule === "object" && rule !== null && "rule" in rule ? rule.rule : rule;
}

/** Sources for another workspace. What is denied or asked about in this one stays so. */
function movedSources(
  sources: readonly RuleSource[],
  from: string,
  to: string,
): readonly RuleSource[] {
  const moved = (path: string): string => {
    const below = pathBelow(from, path);
    return below === undefined ? path : below === "" ? to : `${to}/${below}`;
  };
  return sources.flatMap((source) => {
    const there = { ...source, base: moved(source.base), cwd: moved(source.cwd) };
    return source.list === "allow" || there.cwd === source.cwd ? [there] : [there, source];
  });
}

/**
 * Returns why a rule could not be stored, for the user who wanted it saved. The user approved the call as well, so the
 * call does not fail. Internal errors are thrown.
 */
function whyUnsaved(error: unknown): string {
  if (!ToolError.is(error)) throw error;
  const { code, message, hint } = error;
  // Other errors, as of the file system, have a hint addressed to a model.
  const isToPerson = code === "OUTSIDE_WORKSPACE" || code === "INVALID_INPUT";
  const next = isToPerson && hint !== undefined ? ` ${hint}` : "";
  return `The rule was not saved, so the yes counts for this call only. ${message}${next}`;
}
