import { describe, expect, test } from "vitest";
import { ruleForms } from "../../../test/policy/rule-forms.ts";
import { anyTool, requestOf, rulesOf } from "../../../test/policy/policy-world.ts";
import { decide } from "../decide/decide.ts";

describe("every form of rule, in both directions", () => {
  test.each(ruleForms)(
    "$list $rule: $matches, $because",
    ({ list, rule, on, tool = anyTool, input = {}, matches }) => {
      const { rules } = rulesOf({ [list]: [rule] });

      const decision = decide(requestOf(on, { tool, input, rules, builtIn: [] }));

      const isMatch =
        list === "ask"
          ? decision.kind === "ask" && decision.rule?.rule === rule
          : decision.kind === list;
      expect(isMatch).toBe(matches);
    },
  );

  test.each(ruleForms.filter(({ list }) => list === "allow"))(
    "without $rule the call is asked about: $because",
    ({ on, tool = anyTool, input = {} }) => {
      const decision = decide(requestOf(on, { tool, input, builtIn: [] }));

      expect(decision.kind).toBe("ask");
    },
  );
});
