import { afterHooks } from "./after-hooks.ts";
import { beforeHooks } from "./before-hooks.ts";
import { bound } from "./bound.ts";
import { checkpoint } from "./checkpoint.ts";
import { decideCall } from "./decide.ts";
import { takeEffects } from "./effects.ts";
import { parse } from "./parse.ts";
import { permit } from "./permit.ts";
import { refuseMarks } from "./refuse-marks.ts";
import { resolve } from "./resolve.ts";
import { run } from "./run.ts";
import type { Step } from "./step.ts";
import { validate } from "./validate.ts";

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
