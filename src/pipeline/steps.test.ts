import { expect, test } from "vitest";
import { sequence, type Step } from "./step.ts";
import { afterHooks } from "./steps/after-hooks.ts";
import { beforeHooks } from "./steps/before-hooks.ts";
import { bound } from "./steps/bound.ts";
import { checkpoint } from "./steps/checkpoint.ts";
import { decideCall } from "./steps/decide.ts";
import { afterEdit, beforeEdit } from "./steps/edit-checks.ts";
import { listEffects } from "./steps/list-effects.ts";
import { parse } from "./steps/parse.ts";
import { permit } from "./steps/permit.ts";
import { recordIntent } from "./steps/record-intent.ts";
import { refusePlaceholders } from "./steps/refuse-placeholders.ts";
import { resolve } from "./steps/resolve.ts";
import { run } from "./steps/run.ts";
import { validate } from "./steps/validate.ts";
import { closingSteps, forecastSteps, stepIndex, steps } from "./steps.ts";

/** The sequence up to each step. What comes too early in it does not compile. */
const begun = sequence();
const resolved = begun.next(resolve);
const parsed = resolved.next(parse);
const validated = parsed.next(validate);
const hooked = validated.next(beforeHooks);
const listed = hooked.next(listEffects);
const unmarked = listed.next(refusePlaceholders);
const decided = unmarked.next(decideCall);
const permitted = decided.next(permit);
const journaled = permitted.next(checkpoint);
const intended = journaled.next(recordIntent);
const looked = intended.next(beforeEdit);
const whole = looked.next(run).next(afterEdit);

test("the steps run in the order that each needs", () => {
  expect(steps).toEqual(whole.steps);
  expect(forecastSteps).toEqual([resolve, parse, validate, listEffects]);
  expect(closingSteps).toEqual([bound, afterHooks]);
  expect(stepIndex).toEqual({ validate: 2, effects: 4, checkpoint: 8 });
});

test("two steps in the wrong order do not compile", () => {
  const wrong = [
    // @ts-expect-error The tool says whether an incomplete call may run.
    begun.next(parse),
    // @ts-expect-error A schema checks values, not text.
    resolved.next(validate),
    // @ts-expect-error Hooks see the input as it will run.
    parsed.next(beforeHooks),
    // @ts-expect-error Hooks may rewrite the input.
    validated.next(listEffects),
    // @ts-expect-error Effects say whether the call writes.
    hooked.next(refusePlaceholders),
    // @ts-expect-error The user is not asked about a call that is refused anyway.
    listed.next(decideCall),
    // @ts-expect-error Only a decision says whether to ask.
    unmarked.next(permit),
    // @ts-expect-error A refused call leaves nothing in the journal.
    decided.next(checkpoint),
    // @ts-expect-error Everything before the record can be repeated.
    permitted.next(recordIntent),
    // @ts-expect-error The state before an edit is taken last.
    journaled.next(beforeEdit),
    // @ts-expect-error Checks compare with what the edit changes.
    intended.next(run),
    // @ts-expect-error There is no result before the run.
    looked.next(afterEdit),
    // @ts-expect-error Hooks see the content as the model does.
    sequence<"ended">().next(afterHooks),
  ];

  expect(wrong.map(({ steps: { length } }) => length)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1,
  ]);
});

test("a step left out does not compile", () => {
  // @ts-expect-error Nothing runs that was not permitted.
  const unasked = decided.next(checkpoint).next(recordIntent).next(beforeEdit).next(run);
  // @ts-expect-error Nothing is decided about a call whose effects are not listed.
  const unseen = hooked.next(decideCall);

  expect([unasked.steps.length, unseen.steps.length]).toEqual([11, 5]);
});

// @ts-expect-error It may not set `grant`, which the fact is about.
const forged: Step<never, never, "approval"> = () => undefined;
const honest: Step<"grant", never, "approval"> = () => undefined;

test("a step provides only facts whose fields it may set", () => {
  expect([forged, honest]).toHaveLength(2);
});

const reading: Step<"content", "tool"> = (state) => {
  // @ts-expect-error There is a result only after `run`.
  void state.result;
  // @ts-expect-error The tool is for reading.
  state.tool = undefined;
  // @ts-expect-error The request never changes.
  state.call = { name: state.tool.name };
  state.content = [];
  return undefined;
};
const closing: Step<"content", "ended"> = ({ result, decision }) => {
  // @ts-expect-error A call that was refused has no result.
  void result.content;
  // @ts-expect-error A call that could not be understood has no decision.
  void decision.kind;
  return undefined;
};

test("a step reads only what earlier steps provided, and sets only its own fields", () => {
  expect([reading, closing]).toHaveLength(2);
});
