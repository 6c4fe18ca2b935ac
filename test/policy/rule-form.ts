import type { Effect } from "../../src/core/index.ts";
import type { PolicyTool, RuleList } from "../../src/policy/index.ts";
import { runOf, unknownOf } from "./policy-world.ts";

/** One claim about one form of rule. The table is the documentation's, too. */
export interface RuleForm {
  readonly form: string;
  readonly list: RuleList;
  readonly rule: string;
  readonly on: readonly Effect[];
  readonly tool?: PolicyTool;
  readonly input?: unknown;
  readonly matches: boolean;
  readonly because: string;
}

export type Claim = readonly [rule: string, on: Effect | readonly Effect[], because: string];

export function claims(
  form: string,
  list: RuleList,
  both: { readonly matches: readonly Claim[]; readonly not: readonly Claim[] },
): readonly RuleForm[] {
  const make =
    (matches: boolean) =>
    (claim: Claim): RuleForm => {
      const [rule, on, because] = claim;
      return { form, list, rule, on: "kind" in on ? [on] : on, matches, because };
    };
  return [...both.matches.map(make(true)), ...both.not.map(make(false))];
}

/** An open command with the facts that are unknown about it. */
export function open(text: string, more: Parameters<typeof runOf>[1] = {}): readonly Effect[] {
  const run = runOf(text, more);
  const [program] = run.argv;
  return [run, unknownOf(typeof program === "string" ? program : "shell")];
}
