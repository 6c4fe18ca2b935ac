import { expect, test } from "vitest";
import { home, readOf, requestOf, rulesOf, writeOf } from "../../../test/policy/policy-world.ts";
import type { Effect } from "../../core/index.ts";
import { decide } from "../decide/decide.ts";

test.for([
  ["Read($HOME/a)", "Variables are not expanded in a rule.", "Read(~/a)"],
  ["Edit($HOME)", "Variables are not expanded in a rule.", "Edit(~)"],
  ["Read(${HOME}/a)", "Variables are not expanded in a rule.", "Read(~/a)"],
  ["Read($WORK/a)", "Variables are not expanded in a rule.", "Read(//absolute/path)"],
  ["Read(${WORK})", "Variables are not expanded in a rule.", "Read(//absolute/path)"],
  ["Read(~ada/a)", "Only ~ itself stands for a home directory.", "Read(//absolute/path)"],
  ["Read('a b')", "A path in quotes matches a name with quotes only.", "Read(a b)"],
  ['Read("$HOME/a")', "A path in quotes matches a name with quotes only.", "Read(~/a)"],
  ["Read(file:///a/b)", "A URL is not a path.", "Read(//a/b)"],
  ["Read(https://a/b)", "A URL is not a path.", "Read(//absolute/path)"],
] as const)("%s is told to be no such path", ([rule, message, correct]) => {
  const { problems, rules } = rulesOf({ allow: [rule] });

  expect(problems).toMatchObject([
    { severity: "error", message, hint: `It grants nothing. Write ${correct}.` },
  ]);
  expect(rules.rules).toEqual([]);
});

test.for<{ rule: string; on: Effect; isAsked: boolean; because: string }>([
  { rule: "Read($HOME/a)", on: readOf(`${home}/a`), isAsked: true, because: "the home is meant" },
  { rule: "Read($HOME/a)", on: readOf(`${home}/b`), isAsked: false, because: "no other path is" },
  { rule: "Read(`a`)", on: readOf("/ws/a"), isAsked: true, because: "the name itself is meant" },
  { rule: "Edit($WORK/a)", on: writeOf("/ws/x"), isAsked: true, because: "any path may be meant" },
])("until it is corrected, a denial by $rule asks, as far as $because", ({ rule, on, isAsked }) => {
  const { rules } = rulesOf({ deny: [rule] });
  const decision = decide(requestOf([on], { rules }));

  expect(decision.kind === "ask" && decision.rule?.rule === rule).toBe(isAsked);
});

test.for(["$id.ts", "src/$HOME", "~$draft.docx", "it's", "a'b'", "'a", "b/file:///a"])(
  "%s is a path like any other",
  (path) => {
    expect(rulesOf({ deny: [`Read(${path})`] }).problems).toEqual([]);
  },
);
