import { afterHooks } from "./steps/after-hooks.ts";
import { beforeHooks } from "./steps/before-hooks.ts";
import { bound } from "./steps/bound.ts";
import { checkpoint } from "./steps/checkpoint.ts";
import { decideCall } from "./steps/decide.ts";
import { takeEffects } from "./steps/list-effects.ts";
import { parse } from "./steps/parse.ts";
import { permit } from "./steps/permit.ts";
import { refuseMarks } from "./steps/refuse-placeholders.ts";
import { resolve } from "./steps/resolve.ts";
import { run } from "./steps/run.ts";
import type { Step } from "./step.ts";
import { validate } from "./steps/validate.ts";

/** The steps of a call, in order. Any of them may fail it. */
export const steps: readonly Step[] = [
  resolve,
  parse,
  validate,
  beforeHooks,
  takeEffects,
  refuseMarks,
  decideCall,
  permit,
  checkpoint,
  run,
];

/** Steps that end by themselves when the call is aborted, whoever they wait for. */
export const heedsAbort: ReadonlySet<Step> = new Set([resolve, takeEffects]);

/** Every call ends with these, also one that failed or was refused; `record` comes last. */
export const closingSteps: readonly Step[] = [bound, afterHooks];

/** Where steps stand that others are sent back to or stopped at. */
export const stepIndex = {
  validate: steps.indexOf(validate),
  effects: steps.indexOf(takeEffects),
  /** From here on files may change, so a step is waited for whatever happens. */
  checkpoint: steps.indexOf(checkpoint),
} as const;

/** The steps that find out what a call means, without hooks and without deciding. */
export const forecastSteps: readonly Step[] = [resolve, parse, validate, takeEffects];
