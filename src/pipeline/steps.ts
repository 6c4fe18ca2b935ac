import { afterHooks } from "./steps/after-hooks.ts";
import { beforeHooks } from "./steps/before-hooks.ts";
import { bound } from "./steps/bound.ts";
import { checkpoint } from "./steps/checkpoint.ts";
import { afterEdit, beforeEdit } from "./steps/edit-checks.ts";
import { decideCall } from "./steps/decide.ts";
import { listEffects } from "./steps/list-effects.ts";
import { parse } from "./steps/parse.ts";
import { permit } from "./steps/permit.ts";
import { recordIntent } from "./steps/record-intent.ts";
import { refusePlaceholders } from "./steps/refuse-placeholders.ts";
import { resolve } from "./steps/resolve.ts";
import { run } from "./steps/run.ts";
import { sequence, type PlacedStep } from "./step.ts";
import { validate } from "./steps/validate.ts";

/** The steps of a call, in order: another order does not compile. Any of them may fail the call. */
export const { steps } = sequence()
  .next(resolve)
  .next(parse)
  .next(validate)
  .next(beforeHooks)
  .next(listEffects)
  .next(refusePlaceholders)
  .next(decideCall)
  .next(permit)
  .next(checkpoint)
  .next(recordIntent)
  .next(beforeEdit)
  .next(run)
  .next(afterEdit);

/** Steps that end by themselves when the call is aborted, whatever they wait for. */
export const heedsAbort: ReadonlySet<PlacedStep> = new Set<PlacedStep>([resolve, listEffects]);

/** Final steps of every call, including failed and refused ones; `record` comes last. */
export const { steps: closingSteps } = sequence<"ended">().next(bound).next(afterHooks);

/** Indexes of the steps to which a call is sent back or at which it is stopped. */
export const stepIndex = {
  validate: steps.indexOf(validate),
  effects: steps.indexOf(listEffects),
  /** From here on files may change, so every step is awaited even after an abort. */
  checkpoint: steps.indexOf(checkpoint),
} as const;

/** Steps that interpret a call without a decision. No hook is called: the input counts as they would have left it. */
export const { steps: forecastSteps } = sequence<"hooked">()
  .next(resolve)
  .next(parse)
  .next(validate)
  .next(listEffects);
