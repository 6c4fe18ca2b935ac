import { ToolError } from "../../core/index.ts";
import { compileRules, type Rule, type RuleList } from "../../policy/index.ts";
import type { SavedRule } from "../../workspace/index.ts";
import type { RuleAddition, RuleChange } from "../options/options.ts";
import { checkRuleAddition, checkRuleChange } from "../options/check-arguments.ts";
import type { CommandEffects } from "./command-effects.ts";
import type { RuleBook } from "./rule-book.ts";

/** Rule of a kit, and where it is defined. */
export interface ListedRule {
  /** Text of the rule. */
  readonly rule: string;
  /** List it is in. */
  readonly list: RuleList;
  /** Where it comes from, such as `project` or `option`. */
  readonly scope: string;
  /** File that stores it. */
  readonly file?: string;
  /** Line in that file, counted from 1. */
  readonly line?: number;
  /** False for allow rules of an untrusted workspace, and for expired rules. */
  readonly counts: boolean;
}

/** Settings files that store rules, one line per saved rule. */
export interface RuleStore {
  /** Returns the exact texts that would be saved. */
  spelled(change: Required<RuleChange>): readonly string[];
  save(change: Required<RuleChange>): Promise<readonly SavedRule[]>;
  remove(change: Required<RuleChange>): Promise<boolean>;
}

export interface PermissionsOptions {
  readonly rules: RuleBook;
  readonly store: RuleStore | undefined;
  readonly anchors: { readonly base: string; readonly cwd: string; readonly home: string };
  readonly roots: readonly string[];
  readonly trusted: boolean;
  readonly now: () => number;
  readonly commandEffects: () => Promise<CommandEffects>;
}

/** Rules of a kit, with methods to add rules and to remove those stored in files. */
export class Permissions {
  readonly #options: PermissionsOptions;

  /** @internal */
  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** Lists every rule, in the order of evaluation: deny, ask, allow. */
  list(): readonly ListedRule[] {
    // The user cannot change the kit's own deny rules.
    const rules = this.#options.rules.current().rules.filter(({ ref }) => ref.scope !== "built-in");
    const listed = (["deny", "ask", "allow"] as const).flatMap((list) =>
      rules.filter(({ ref }) => ref.list === list).map((rule) => this.#listed(rule)),
    );
    // A rule the user saved applies although its file may not be trusted: that is one rule, listed once.
    return listed.flatMap((each) => {
      const same = each.file === undefined ? [each] : listed.filter((other) => isSame(each, other));
      return same[0] === each ? [{ ...each, counts: same.some(({ counts }) => counts) }] : [];
    });
  }

  /**
   * Returns the exact texts that `add` would save. Throws INVALID_INPUT if the rule is invalid or an example fails.
   * Saves nothing.
   */
  async check(addition: RuleAddition): Promise<readonly string[]> {
    const given = checkRuleAddition("permissions.check", addition);
    const { rule, list = "allow", scope, match, notMatch } = given;
    const { anchors, roots, commandEffects } = this.#options;
    const rules = rule.split("\n").map((text) => ({
      rule: text,
      ...(match === undefined ? {} : { match }),
      ...(notMatch === undefined ? {} : { notMatch }),
    }));
    const options = { roots, effectsOf: await commandEffects() };
    const { problems } = compileRules([{ scope: "option", list, rules, ...anchors }], options);
    const problem = problems.find(({ severity }) => severity === "error");
    if (problem === undefined) return this.#stored().spelled({ rule, list, scope });
    throw new ToolError(
      "INVALID_INPUT",
      `The rule ${problem.rule} was not saved: ${problem.message}`,
      {
        hint: problem.hint ?? "Save a rule that can be read.",
      },
    );
  }

  /**
   * Saves a rule in the file of its scope; it applies from now on. Throws UNAVAILABLE if no settings files are read.
   */
  async add(given: RuleAddition): Promise<readonly SavedRule[]> {
    const addition = checkRuleAddition("permissions.add", given);
    await this.check(addition);
    const { rule, list = "allow", scope } = addition;
    const saved = await this.#stored().save({ rule, list, scope });
    for (const each of saved) if (!each.wasThere) this.#options.rules.count(each);
    return saved;
  }

  /** Removes every rule of exactly this text from the scope's file; returns false if there was none. */
  async remove(change: RuleChange): Promise<boolean> {
    const { rule, list = "allow", scope } = checkRuleChange(change);
    const wasThere = await this.#stored().remove({ rule, list, scope });
    if (wasThere) this.#options.rules.forget({ rule, list, scope });
    return wasThere;
  }

  #listed({ ref, needsTrust, expires }: Rule): ListedRule {
    const { rule, list, scope, file, line } = ref;
    const { trusted, now } = this.#options;
    return {
      rule,
      list,
      scope,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      counts: (trusted || !needsTrust) && (expires === undefined || now() < expires),
    };
  }

  #stored(): RuleStore {
    const { store } = this.#options;
    if (store !== undefined) return store;
    throw new ToolError("UNAVAILABLE", "There is no settings file to save rules in.", {
      hint: 'Open the toolkit with settings: "load".',
    });
  }
}

function isSame(one: ListedRule, other: ListedRule): boolean {
  return (["rule", "list", "file", "line"] as const).every((key) => one[key] === other[key]);
}
