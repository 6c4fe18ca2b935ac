import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolCallPart } from "../../../session/index.ts";
import { callIdRules, callIds, type CallIdRule } from "./call-ids.ts";

const valid: Readonly<Record<keyof typeof callIdRules, RegExp>> = {
  any: /^.{1,256}$/su,
  anthropic: /^[A-Za-z0-9_-]{1,64}$/u,
  openai: /^[A-Za-z0-9_-]{1,40}$/u,
  mistral: /^[A-Za-z0-9]{9}$/u,
  kimi: /^functions\.\w+:\d+$/u,
};
const rules = Object.entries(callIdRules).map(([name, rule]) => ({
  name,
  rule,
  pattern: Object.entries(valid).find(([key]) => key === name)?.[1] ?? /^$/u,
}));

function call(id: string, providerCallId?: string, name = "Run"): ToolCallPart {
  return {
    type: "tool-call",
    id,
    name,
    input: "{}",
    ...(providerCallId === undefined ? {} : { providerCallId }),
  };
}

function idsFor(rule: CallIdRule, calls: readonly ToolCallPart[]): readonly string[] {
  const ids = callIds(rule);
  return calls.map((each) => ids.ofCall(each));
}

describe.each(rules)("ids for the rule $name", ({ rule, pattern }) => {
  const providerId = fc.oneof(
    fc.constantFrom("", "toolu_01AbC", "functions.Run:0", "functions.Run:1", "aB3dE6gH9", "call_1"),
    fc.string(),
  );
  const calls = fc
    .array(fc.tuple(providerId, fc.boolean()), { maxLength: 30 })
    .map((list) => list.map(([id, has], index) => call(`call-${index}`, has ? id : undefined)));

  test("are valid, unique, paired with results and stable while the conversation grows", () => {
    fc.assert(
      fc.property(calls, (all) => {
        const ids = callIds(rule);
        const given = all.map((each) => ids.ofCall(each));

        expect(new Set(given).size).toBe(all.length);
        for (const id of given) expect(id).toMatch(pattern);
        expect(all.map((each) => ids.ofResult(each.id, each.name))).toEqual(given);
        const half = all.slice(0, Math.floor(all.length / 2));
        expect(idsFor(rule, half)).toEqual(given.slice(0, half.length));
      }),
    );
  });
});

test.each([
  { rule: "anthropic", given: "toolu_01AbC", sent: "toolu_01AbC", because: "it is valid" },
  { rule: "anthropic", given: "functions.Run:1", sent: "call-7", because: "ours is valid" },
  { rule: "anthropic", given: "", sent: "call-7", because: "ours is valid" },
  { rule: "mistral", given: "aB3dE6gH9", sent: "aB3dE6gH9", because: "it is valid" },
  { rule: "kimi", given: "functions.Run:4", sent: "functions.Run:4", because: "it is valid" },
  { rule: "kimi", given: "functions.Stop:4", sent: "functions.Run:0", because: "the tool differs" },
  { rule: "kimi", given: "toolu_01AbC", sent: "functions.Run:0", because: "it is Anthropic's" },
  { rule: "any", given: "functions.Run:1", sent: "functions.Run:1", because: "all is valid" },
] as const)("$rule gets $given as $sent, because $because", ({ rule, given, sent }) => {
  expect(idsFor(callIdRules[rule], [call("call-7", given)])).toEqual([sent]);
});

test("an id that the provider repeats is replaced from the second time on", () => {
  const calls = [call("call-1", "x"), call("call-2", "x"), call("call-3", "x")];

  expect(idsFor(callIdRules.anthropic, calls)).toEqual(["x", "call-2", "call-3"]);
});

test("Kimi's index counts the calls of the conversation and skips what is taken", () => {
  const calls = [
    call("1", "functions.Run:1"),
    call("2", "", "Read"),
    call("3", "functions.Run:1"),
    call("4"),
  ];

  expect(idsFor(callIdRules.kimi, calls)).toEqual([
    "functions.Run:1",
    "functions.Read:1",
    "functions.Run:2",
    "functions.Run:3",
  ]);
});

test("an id of our own that is used twice belongs to the latest call", () => {
  const ids = callIds(callIdRules.anthropic);
  const sent = [call("1"), call("1")].map((each) => [ids.ofCall(each), ids.ofResult("1", "Run")]);

  expect(sent).toEqual([
    ["1", "1"],
    ["1_2", "1_2"],
  ]);
});

test("an id that another part has is not given to a call", () => {
  const ids = callIds(callIdRules.anthropic);
  ids.reserve("srvtoolu_1");

  expect(ids.ofCall(call("a", "srvtoolu_1"))).toBe("a");
});
