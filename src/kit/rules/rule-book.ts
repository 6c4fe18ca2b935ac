import { argumentError, type LazyTool, type SaveScope, type Tool } from "../../core/index.ts";
import { ToolError } from "../../core/index.ts";
import {
  compileRules,
  writtenPaths,
  type Ceiling,
  type RuleList,
  type RuleProblem,
  type RuleSet,
  type RuleSource,
} from "../../policy/index.ts";
import type { CommandEffects } from "./command-effects.ts";

export interface RuleBookOptions {
  /** Rules of every place, strictest place first; the order only decides which rule is named. */
  readonly sources: readonly RuleSource[];
  readonly roots: readonly string[];
  /** Anchors of rules that are added while the kit lives. */
  readonly anchors: { readonly base: string; readonly cwd: string; readonly home: string };
  readonly tools: () => readonly Pick<Tool | LazyTool, "name" | "aliases">[];
  /** Stores a rule where its scope lives. Absent where there are no files to store it in. */
  readonly store?:
    | ((rule: string, scope: Exclude<SaveScope, "session">) => Promise<void>)
    | undefined;
  /** How a command given as an example of a rule is understood. */
  readonly effectsOf?: CommandEffects | undefined;
  readonly links?: LinkReader | undefined;
}

/** A rule of one list and one scope, by its text. */
export interface NamedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: SaveScope;
}

/** Where a host's links lead. */
export interface LinkReader {
  canonical(path: string): Promise<string>;
  now(): number;
}

/** The rules of a kit as they are now: those it was given, and those people saved since. */
export interface RuleBook {
  current(): RuleSet;
  /**
   * Looks again where the paths lead that deny and ask rules name, after the rules changed and every two seconds;
   * undefined where there is nothing to look at.
   */
  followLinks(): Promise<void> | undefined;
  /** What is wrong with the rules the kit was given. */
  readonly problems: readonly RuleProblem[];
  /** Reads the rules anew after the tools they may name have changed. */
  refresh(): void;
  /**
   * Makes an allow rule count from now on. A rule that cannot be read is refused and stored nowhere. One that cannot be
   * stored does not count; why is returned.
   */
  save(rule: string, scope: SaveScope): Promise<string | undefined>;
  /** Makes a rule that is stored already count from now on. */
  count(rule: NamedRule): void;
  /** Makes a rule that is stored no longer stop counting. */
  forget(rule: NamedRule): void;
  /** What some rules allow and nothing else. One that cannot be read is a TypeError. */
  ceiling(rules: readonly string[]): Ceiling;
}

export function ruleBook(options: RuleBookOptions): RuleBook {
  let { sources } = options;
  let saved: readonly NamedRule[] = [];
  let compiled: ReturnType<typeof compile> | undefined;
  const links = new Map<string, readonly string[]>();
  let following: Promise<void> | undefined;
  let followed: { readonly rules: RuleSet; readonly at: number } | undefined;
  const current = (): ReturnType<typeof compile> => (compiled ??= compile());

  function compile(): { readonly rules: RuleSet; readonly problems: readonly RuleProblem[] } {
    return compileRules([...sources, ...saved.map(sourceOf)], {
      ...toolNames(),
      roots: options.roots,
      links,
      ...(options.effectsOf === undefined ? {} : { effectsOf: options.effectsOf }),
    });
  }

  function toolNames() {
    const tools = options.tools();
    const aliases: Record<string, string> = {};
    for (const tool of tools) for (const alias of tool.aliases ?? []) aliases[alias] = tool.name;
    return { known: tools.map(({ name }) => name), aliases };
  }

  async function follow(reader: LinkReader, paths: readonly string[]): Promise<void> {
    let isNew = false;
    await Promise.all(
      paths.map(async (path) => {
        // Where it cannot be followed it leads nowhere that could be read.
        const target = await reader.canonical(path).catch(() => path);
        const known = links.get(path) ?? [];
        if (target === path || known.includes(target)) return;
        // Where it led before stays denied too: moving a link takes no protection away.
        links.set(path, [...known, target]);
        isNew = true;
      }),
    );
    if (!isNew) return;
    compiled = undefined;
    if (followed !== undefined) followed = { ...followed, rules: current().rules };
  }

  /** A rule that counts already is not added again, however often it is approved. */
  function keepSaved(named: NamedRule): void {
    const isKnown = saved.some(
      ({ rule, list, scope }) =>
        rule === named.rule && list === named.list && scope === named.scope,
    );
    if (isKnown) return;
    saved = [...saved, named];
    compiled = undefined;
  }

  function sourceOf({ rule, list, scope }: NamedRule): RuleSource {
    // A person said yes here and now: what they saved counts like an option, wherever it is also stored.
    return {
      scope: scope === "session" ? "session" : "option",
      list,
      rules: [rule],
      ...options.anchors,
    };
  }

  return {
    current: () => current().rules,
    followLinks() {
      const { links: reader } = options;
      // Calls that come meanwhile wait for the same look, so they keep their order.
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
      compiled = undefined;
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
          const { whyUnsaved } = await import("./rule-save-error.ts");
          return whyUnsaved(error);
        }
      }
      keepSaved(named);
      return undefined;
    },
    count: keepSaved,
    forget({ rule, list, scope }) {
      saved = saved.filter(
        (each) => each.rule !== rule || each.list !== list || each.scope !== scope,
      );
      sources = sources.map((source) =>
        source.list === list && source.scope === scope ? without(rule, source) : source,
      );
      compiled = undefined;
    },
    ceiling(rules) {
      const source: RuleSource = { scope: "option", list: "allow", rules, ...options.anchors };
      const { roots } = options;
      const { rules: allowed, problems } = compileRules([source], { ...toolNames(), roots });
      const [problem] = problems;
      if (problem !== undefined) {
        throw argumentError(`ceiling: ${problem.rule} cannot be read: ${problem.message}`);
      }
      return { kind: "only", name: "the ceiling of this toolkit", rules: allowed };
    },
  };
}

/** A link that is made while a kit lives counts after at most so long. */
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
