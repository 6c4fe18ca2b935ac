import type { LazyTool, SaveScope, Tool } from "../core/index.ts";
import { ToolError } from "../core/index.ts";
import {
  compileRules,
  type RuleList,
  type RuleProblem,
  type RuleSet,
  type RuleSource,
} from "../policy/index.ts";
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
}

/** A rule of one list and one scope, by its text. */
export interface NamedRule {
  readonly rule: string;
  readonly list: RuleList;
  readonly scope: SaveScope;
}

/** The rules of a kit as they are now: those it was given, and those people saved since. */
export interface RuleBook {
  current(): RuleSet;
  /** What is wrong with the rules the kit was given. */
  readonly problems: readonly RuleProblem[];
  /** Reads the rules anew after the tools they may name have changed. */
  refresh(): void;
  /** Makes an allow rule count from now on. A rule that cannot be read is refused and stored nowhere. */
  save(rule: string, scope: SaveScope): Promise<void>;
  /** Makes a rule that is stored already count from now on. */
  count(rule: NamedRule): void;
  /** Makes a rule that is stored no longer stop counting. */
  forget(rule: NamedRule): void;
}

export function ruleBook(options: RuleBookOptions): RuleBook {
  let { sources } = options;
  let saved: readonly NamedRule[] = [];
  let compiled: ReturnType<typeof compile> | undefined;
  const current = (): ReturnType<typeof compile> => (compiled ??= compile());

  function compile(): { readonly rules: RuleSet; readonly problems: readonly RuleProblem[] } {
    const tools = options.tools();
    const aliases: Record<string, string> = {};
    for (const tool of tools) for (const alias of tool.aliases ?? []) aliases[alias] = tool.name;
    const added = saved.map(sourceOf);
    return compileRules([...sources, ...added], {
      known: tools.map(({ name }) => name),
      aliases,
      roots: options.roots,
      ...(options.effectsOf === undefined ? {} : { effectsOf: options.effectsOf }),
    });
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
        await options.store(rule, scope);
      }
      saved = [...saved, named];
      compiled = undefined;
    },
    count(named) {
      saved = [...saved, named];
      compiled = undefined;
    },
    forget({ rule, list, scope }) {
      saved = saved.filter(
        (each) => each.rule !== rule || each.list !== list || each.scope !== scope,
      );
      sources = sources.map((source) =>
        source.list === list && source.scope === scope ? without(rule, source) : source,
      );
      compiled = undefined;
    },
  };
}

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
